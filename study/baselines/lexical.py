"""Word matching: similarity of the words of context and candidate."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

from core.domain.statistics import FloatArray
from core.domain.wording import gettext_noop
from study.baselines.base import Baseline, Cost, LearningProgress, RankingInstance, Requirement, unreported
from study.baselines.words import (
    WordCounts,
    by_instance,
    candidates,
    contexts,
    main_language,
    repeated,
    told,
)


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
        "Cosine of the TF-IDF vectors of the context, all turns joined, and the candidate. The weight of a word is how "
        "often it stands in the text times ln(dialogues / dialogues with the word), counted in the training material "
        "alone (Lowe et al. 2015)."
    )
    needs = frozenset({Requirement.TRAIN})
    cost = Cost(training=1, scoring=1, megabytes=100)

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
        return by_instance(cosines(self.counts, instances), instances)

    def save(self, folder: Path) -> None:
        self.counts.save(folder)

    def load(self, folder: Path) -> None:
        self.counts = WordCounts.load(folder)


def cosines(counts: WordCounts, instances: Sequence[RankingInstance]) -> FloatArray:
    """Return the cosine of each candidate of the instances with its context, 0 where no word is known."""
    weights = sparse.diags_array([*np.log(counts.texts / counts.holders), 0.0])
    queries = counts.in_texts(contexts(instances)) @ weights
    answers = counts.in_texts(candidates(instances)) @ weights
    lengths = repeated(_lengths(queries), instances) * _lengths(answers)
    products: FloatArray = answers.multiply(repeated(queries, instances)).sum(axis=1)
    shares: FloatArray = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return shares


def _lengths(vectors: sparse.csr_array) -> FloatArray:
    lengths: FloatArray = np.sqrt(vectors.power(2).sum(axis=1))
    return lengths
