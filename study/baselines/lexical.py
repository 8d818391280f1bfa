"""Word matching: similarity of the words of context and candidate."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from core.domain.wording import gettext_noop
from study.baselines.base import LearningProgress, NothingToLearn, RankingInstance

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
WORD = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
DIGITS = 12  # kept of a score: proportional vectors differ in the last bits, and equal ones must stay tied


def words(text: str) -> list[str]:
    """Split a text into case-folded runs of letters and digits; each Chinese character is a word of its own."""
    return WORD.findall(text.casefold())


class TfIdf:
    """Cosine of the TF-IDF vectors of context and candidate.

    Source: Lowe et al. 2015, 4.1; also a baseline of Cui et al. 2020, 4.1, who follow them. The weight of word w in a
    text d is f(w, d) · ln(N / n(w)), as Lowe et al. print it: how often the word occurs in the text, times the
    logarithm of the dialogues of the training material over those with the word. The two papers leave the rest open;
    here:

    - a dialogue is its context with its true response, where that is known;
    - words are those of `words`, without stop words and without stems; Lowe et al. used a Twitter tokenizer and tags
      for names and addresses;
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
    needs_training = True

    def fit(self, train: Sequence[RankingInstance], seed: int, report: LearningProgress) -> None:
        if not any(map(words, _dialogues(train))):
            raise NothingToLearn
        from sklearn.feature_extraction.text import CountVectorizer  # takes seconds, so only this model waits

        self.counter = CountVectorizer(analyzer=words, dtype=np.float64)
        counts = self.counter.fit_transform(_told(_dialogues(train), len(train), report))
        holders = np.bincount(counts.indices, minlength=counts.shape[1])
        self.weights: NDArray[np.float64] = np.log(counts.shape[0] / holders)

    def score(self, instance: RankingInstance) -> list[float]:
        counts = self.counter.transform([" ".join(instance.context), *instance.candidates])
        vectors = scipy.sparse.csr_array(counts.multiply(self.weights))
        products = (vectors[1:] @ vectors[[0]].T).toarray()[:, 0]
        lengths = np.sqrt(vectors.power(2).sum(axis=1))
        scale = lengths[1:] * lengths[0]  # 0 where no word is known
        cosines = np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)
        return [round(float(cosine), DIGITS) for cosine in cosines]


def _dialogues(train: Sequence[RankingInstance]) -> Iterator[str]:
    for instance in train:
        response = () if instance.answer is None else (instance.candidates[instance.answer],)
        yield " ".join([*instance.context, *response])


def _told(texts: Iterable[str], total: int, report: LearningProgress) -> Iterator[str]:
    for done, text in enumerate(texts):
        report(done, total)
        yield text
