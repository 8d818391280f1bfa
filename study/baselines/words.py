"""Words of the texts that models read, numbered, and how often each occurs in the training material."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy

from core.domain.statistics import FloatArray
from core.domain.words import segmented
from study.baselines.base import LearningProgress, NothingToLearn, RankingInstance

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
WORD = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
HAN = re.compile(rf"[{_HAN}]")
LETTER = re.compile(r"[^\W\d_]")
CHINESE = "zh"
DIGITS = 12  # kept of a score: proportional vectors differ in the last bits, and equal ones must stay tied

Words = Callable[[str], Sequence[str]]


def words(text: str) -> list[str]:
    """Split a text into case-folded runs of letters and digits; each Chinese character is a word of its own."""
    return WORD.findall(text.casefold())


@lru_cache(2**17)  # texts are read several times in a training, and to find their words takes longest
def chinese_words(text: str) -> tuple[str, ...]:
    """Split a text into the case-folded words that jieba finds, without punctuation."""
    return tuple(word for word in segmented(text.casefold()) if WORD.search(word))


WORDS_OF: dict[str, Words] = {CHINESE: chinese_words, "": words}


def language_of(texts: Iterable[str]) -> str:
    """Return "zh" where at least half of the letters are Chinese characters, else ""."""
    joined = "".join(texts)
    characters = len(HAN.findall(joined))
    return CHINESE if characters and 2 * characters >= len(LETTER.findall(joined)) else ""


def main_language(instances: Sequence[RankingInstance]) -> str:
    """Return the language of most instances: a model tells the words of all texts apart as in its training."""
    return Counter(instance.language for instance in instances).most_common(1)[0][0] if instances else ""


@dataclass(frozen=True)
class WordCounts:
    """The words of some texts, numbered in `vocabulary`; `holders` are the texts that hold each.

    `texts` is the number of texts and `mean_length` how many words they have on average.
    """

    language: str
    vocabulary: list[str]
    holders: list[int]
    texts: int
    mean_length: float

    @classmethod
    def of(cls, texts: Iterable[str], language: str) -> "WordCounts":
        """Count the words of texts. Raises NothingToLearn where there are none."""
        holders: Counter[str] = Counter()
        number = length = 0
        for text in texts:
            found = WORDS_OF[language](text)
            holders.update(set(found))
            number, length = number + 1, length + len(found)
        if not holders:
            raise NothingToLearn
        vocabulary = sorted(holders)
        return cls(language, vocabulary, [holders[word] for word in vocabulary], number, length / number)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.vocabulary)}

    def in_texts(self, texts: Iterable[str]) -> "scipy.sparse.csr_array":
        """Return how often each text has each word, shape (texts, words + 1); the last column is unknown words."""
        unknown, ends, numbers, split = len(self.vocabulary), [0], list[int](), WORDS_OF[self.language]
        for text in texts:
            numbers.extend(self._numbers.get(word, unknown) for word in split(text))
            ends.append(len(numbers))
        counts = scipy.sparse.csr_array((np.ones(len(numbers)), numbers, ends), shape=(len(ends) - 1, unknown + 1))
        counts.sum_duplicates()
        return counts

    def save(self, folder: Path) -> None:
        (folder / "words.json").write_text(json.dumps(asdict(self), ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "WordCounts":
        return cls(**json.loads((folder / "words.json").read_text(encoding="utf-8")))


class PairCounts(NamedTuple):
    """Words of each pair of context and candidate, counted: a row a pair in both."""

    contexts: "scipy.sparse.csr_array"
    candidates: "scipy.sparse.csr_array"

    @classmethod
    def of(cls, instances: Sequence[RankingInstance], counts: WordCounts) -> "PairCounts":
        texts = (text for instance in instances for text in instance.candidates)
        contexts = counts.in_texts(" ".join(instance.context) for instance in instances)
        return cls(repeated(contexts, instances), counts.in_texts(texts))


def told(instances: Sequence[RankingInstance], report: LearningProgress) -> Iterable[RankingInstance]:
    """Yield the instances, and report each as done."""
    for done, instance in enumerate(instances):
        report(done, len(instances))
        yield instance
    report(len(instances), len(instances))


def repeated(rows: Any, instances: Sequence[RankingInstance]) -> Any:
    """Repeat the row of each instance's context for each of its candidates."""
    return rows[np.repeat(np.arange(len(instances)), [len(instance.candidates) for instance in instances])]


def by_instance(scores: FloatArray, instances: Sequence[RankingInstance]) -> list[list[float]]:
    """Divide the scores of all candidates among their instances, with as many digits as are certain."""
    kept = iter(np.round(scores, DIGITS).tolist())
    return [[next(kept) for _candidate in instance.candidates] for instance in instances]
