"""Hand-made features of a context and a candidate, for the models that learn to rank by them."""

from collections.abc import Sequence

import numpy as np
import scipy

from core.domain.statistics import FloatArray
from study.baselines.base import LearningProgress, RankingInstance
from study.baselines.lexical import bm25, cosines
from study.baselines.words import PairCounts, WordCounts, main_language, repeated, told

K1, B = 1.2, 0.75
QUESTION, EXCLAMATION = "?？", "!！"

NAMES = (
    "words",  # of the candidate
    "words, log",
    "different words",  # share of them in the candidate's words: low where it repeats itself
    "characters",
    "context words, log",
    "length ratio, log",
    "cosine",  # of the TF-IDF vectors
    "cosine with the last turn",
    "bm25",
    "shared words",
    "shared of candidate",  # shares of the different words of either text
    "shared of context",
    "shared of both",
    "rarity",  # mean of the words' inverse document frequencies
    "rarest word",
    "unknown words",  # share that is in no training text
    "question",
    "exclamation",
    "answers a question",  # the last turn is one and the candidate none
)


def counted_words(train: Sequence[RankingInstance], report: LearningProgress) -> WordCounts:
    """Count the words of all turns and candidates of the training material. Raises NothingToLearn."""
    texts = (text for instance in told(train, report) for text in (*instance.context, *instance.candidates))
    return WordCounts.of(texts, main_language(train))


def features_of(instances: Sequence[RankingInstance], counts: WordCounts) -> FloatArray:
    """Return the features of each pair, shape (pairs, NAMES). A row depends on its context and candidate alone."""
    texts = [text for instance in instances for text in instance.candidates]
    last_turns = [instance.context[-1] if instance.context else "" for instance in instances]
    pairs = PairCounts.of(instances, counts)
    with_last = PairCounts(repeated(counts.in_texts(last_turns), instances), pairs.candidates)
    words, context_words = _total(pairs.candidates), _total(pairs.contexts)
    different, context_different = _different(pairs.candidates), _different(pairs.contexts)
    shared: FloatArray = _known(pairs.candidates).multiply(_known(pairs.contexts)).sum(axis=1)
    rarity = np.array([*np.log(counts.texts / np.array(counts.holders)), np.log(counts.texts)])
    of_words = _known(pairs.candidates, unknown=True) @ scipy.sparse.diags_array(rarity)
    is_question, is_exclamation = _ends(texts, QUESTION), _ends(texts, EXCLAMATION)
    after_question = repeated(_ends(last_turns, QUESTION), instances)
    columns = (
        words,
        np.log1p(words),
        _share(different, words),
        np.array([len(text) for text in texts]),
        np.log1p(context_words),
        np.log1p(words) - np.log1p(context_words),
        cosines(counts, pairs),
        cosines(counts, with_last),
        bm25(counts, pairs, k1=K1, b=B),
        shared,
        _share(shared, different),
        _share(shared, context_different),
        _share(shared, different + context_different - shared),
        _share(of_words.sum(axis=1), different),
        of_words.max(axis=1).toarray(),
        _share(pairs.candidates[:, [-1]].toarray()[:, 0], words),
        is_question,
        is_exclamation,
        after_question * (1 - is_question),
    )
    features: FloatArray = np.column_stack(columns)
    return features


def _total(counts: "scipy.sparse.csr_array") -> FloatArray:
    total: FloatArray = counts.sum(axis=1)
    return total


def _known(counts: "scipy.sparse.csr_array", *, unknown: bool = False) -> "scipy.sparse.csr_array":
    """Return 1 where a text has a word; unknown words, which are all counted as one, only if asked for."""
    known = scipy.sparse.csr_array((np.ones_like(counts.data), counts.indices, counts.indptr), shape=counts.shape)
    return known if unknown else known @ scipy.sparse.diags_array([*np.ones(counts.shape[1] - 1), 0.0])


def _different(counts: "scipy.sparse.csr_array") -> FloatArray:
    different: FloatArray = np.diff(counts.indptr).astype(np.float64)
    return different


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    share: FloatArray = np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
    return share


def _ends(texts: Sequence[str], marks: str) -> FloatArray:
    return np.array([text.rstrip()[-1:] in tuple(marks) for text in texts], dtype=np.float64)
