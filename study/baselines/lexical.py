"""Word matching: similarity of the words of context and candidate."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy
from numpy.typing import ArrayLike

from core.domain.statistics import FloatArray, IntArray
from core.domain.wording import gettext_noop
from study.baselines.base import Baseline, Cost, LearningProgress, RankingInstance, Requirement, unreported
from study.baselines.settings import Setting
from study.baselines.words import (
    PairCounts,
    WordCounts,
    by_instance,
    main_language,
    told,
)

K1, B = 1.2, 0.75  # usual values of BM25


class TfIdf(Baseline):
    """Cosine of the TF-IDF vectors of context and candidate.

    Source: Lowe et al. 2015, 4.1; also a baseline of Cui et al. 2020, 4.1, who follow them. The weight of word w in a
    text d is f(w, d) · ln(N / n(w)), as Lowe et al. print it: how often the word occurs in the text, times the
    logarithm of the dialogues of the training material over those with the word. The two papers leave the rest open;
    here:

    - a dialogue is its context with its true response, where that is known; a rated pair is a dialogue;
    - words are those of `words`, without stop words and without stems, in Chinese those of jieba; Lowe et al. used a
      Twitter tokenizer and tags for names and addresses;
    - the context is all turns joined, without speakers;
    - a word that is in no training dialogue has no weight and is left out; a text with no other words scores 0;
    - a score is kept to 12 digits, so that candidates with the same words stay tied.
    """

    key = "tfidf"
    title = "TF-IDF"
    family = "lexical"
    about = gettext_noop(
        "Cosine of the TF-IDF vectors of the context, all turns joined, and the candidate. "
        "The weight of a word is how often it occurs in the text times ln(dialogues / "
        "dialogues with the word), counted in the training material only (Lowe et al. 2015)."
    )
    needs = frozenset({Requirement.TRAIN})
    libraries = ("numpy", "scipy", "jieba")
    cost = Cost(training=0.3, scoring=0.2, megabytes=50)

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        dialogues = (" ".join(turns) for instance in told(train, report) for turns in instance.dialogues)
        self.counts = WordCounts.of(dialogues, main_language(train))
        self.learned = {"words": len(self.counts.vocabulary), "texts": self.counts.texts}

    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        return by_instance(cosines(self.counts, PairCounts.of(instances, self.counts)), instances)

    def save(self, folder: Path) -> None:
        self.counts.save(folder)

    def load(self, folder: Path) -> None:
        self.counts = WordCounts.load(folder)


class Bm25(Baseline):
    """BM25 of the candidate as a document, with the context as the query (Robertson and Zaragoza 2009), as in Lucene.

    The score is the sum, over the words of the context as often as they occur there, of ln(1 + (N - n + .5) / (n + .5))
    · f / (f + k1 · (1 - b + b · l / L)): f is how often the word occurs in the candidate, l the candidate's number of
    words; N texts, n of them with the word, and their mean length L are those of the training material, whose texts are
    all candidates (where there are none, all turns). A word that is in none of them scores nothing, but has its length.
    """

    key = "bm25"
    title = "BM25"
    family = "lexical"
    about = gettext_noop(
        "BM25 with the context as the query and the candidate as the document. How rare a word is and how long a "
        "response is on average are computed from the training material only."
    )
    needs = frozenset({Requirement.TRAIN})
    declares = (
        Setting("k1", K1, gettext_noop("How much a word repeated in the response counts; 0: only once."), 0, 10),
        Setting("b", B, gettext_noop("How much a longer response is penalised; 0: not at all, 1: in full."), 0, 1),
    )
    libraries = ("numpy", "scipy", "jieba")
    cost = Cost(training=0.3, scoring=0.2, megabytes=50)

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        texts = (text for instance in told(train, report) for text in instance.candidates or instance.context)
        self.counts = WordCounts.of(texts, main_language(train))
        self.learned = {
            "words": len(self.counts.vocabulary),
            "texts": self.counts.texts,
            "mean_length": self.counts.mean_length,
        }

    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        pairs = PairCounts.of(instances, self.counts)
        return by_instance(bm25(self.counts, pairs, k1=self.number("k1"), b=self.number("b")), instances)

    def save(self, folder: Path) -> None:
        self.counts.save(folder)

    def load(self, folder: Path) -> None:
        self.counts = WordCounts.load(folder)


def cosines(counts: WordCounts, pairs: PairCounts) -> FloatArray:
    """Return the cosine of the TF-IDF vectors of each pair, 0 where one has no known word."""
    rarity = np.log(counts.texts / np.array(counts.holders))
    contexts, candidates = (each @ scipy.sparse.diags_array([*rarity, 0.0]) for each in pairs)
    lengths = _lengths(contexts) * _lengths(candidates)
    products: FloatArray = candidates.multiply(contexts).sum(axis=1)
    shares: FloatArray = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return shares


def bm25(counts: WordCounts, pairs: PairCounts, *, k1: float, b: float) -> FloatArray:
    """Return the score of each pair, 0 where the two share no known word."""
    words = pairs.candidates.copy()
    lengths = np.repeat(pairs.candidates.sum(axis=1), np.diff(words.indptr))
    words.data = saturation(words.data, lengths, counts.mean_length, k1=k1, b=b)
    rare = [*rarity(np.array(counts.holders), counts.texts), 0.0]
    scores: FloatArray = (words @ scipy.sparse.diags_array(rare)).multiply(pairs.contexts).sum(axis=1)
    return scores


def rarity(holders: IntArray, texts: int) -> FloatArray:
    """Return how much each word counts in BM25: `holders` of the texts have it."""
    rare: FloatArray = np.log1p((texts - holders + 0.5) / (holders + 0.5))
    return rare


def saturation(times: ArrayLike, lengths: ArrayLike, mean: float, *, k1: float, b: float) -> FloatArray:
    """Return how much a word counts in BM25 that occurs so many `times` in a text of so many words, from 0 to 1."""
    found = np.asarray(times, dtype=np.float64)
    shares: FloatArray = found / (found + k1 * (1 - b + b * np.asarray(lengths) / mean))
    return shares


def _lengths(vectors: "scipy.sparse.csr_array") -> FloatArray:
    lengths: FloatArray = np.sqrt(vectors.power(2).sum(axis=1))
    return lengths
