"""Words of the texts that models read, numbered, and how often each occurs in the training material."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.domain.statistics import FloatArray
from core.domain.words import segmented
from study.baselines.base import LearningProgress, NothingToLearn, RankingInstance

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
WORD = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
HAN = re.compile(rf"[{_HAN}]")
LETTER = re.compile(r"[^\W\d_]")
CHINESE = "zh"
DIGITS = 12  # kept of a score: proportional vectors differ in the last bits, and equal ones must stay tied

Words = Callable[[str], list[str]]


def words(text: str) -> list[str]:
    """Split a text into case-folded runs of letters and digits; each Chinese character is a word of its own."""
    return WORD.findall(text.casefold())


def chinese_words(text: str) -> list[str]:
    """Split a text into the case-folded words that jieba finds, without punctuation."""
    return [word for word in segmented(text.casefold()) if WORD.search(word)]


WORDS_OF: dict[str, Words] = {CHINESE: chinese_words, "": words}


def language_of(texts: Iterable[str]) -> str:
    """Return "zh" where at least half of the letters are Chinese characters, else ""."""
    joined = "".join(texts)
    characters = len(HAN.findall(joined))
    return CHINESE if characters and 2 * characters >= len(LETTER.findall(joined)) else ""


def main_language(instances: Sequence[RankingInstance]) -> str:
    """Return the language of most instances: a model tells the words of all texts apart as in its training."""
    return Counter(instance.language for instance in instances).most_common(1)[0][0] if instances else ""


class WordCounts:
    """The words of some texts, numbered, with the number of `texts` and of those that hold each word (`holders`)."""

    def __init__(self, language: str, vocabulary: Sequence[str], holders: NDArray[np.int64], texts: int) -> None:
        self.language, self.vocabulary, self.holders, self.texts = language, vocabulary, holders, texts
        self._numbers = {word: number for number, word in enumerate(vocabulary)}
        self._words = WORDS_OF[language]

    @classmethod
    def of(cls, texts: Iterable[str], language: str) -> "WordCounts":
        """Count the words of texts. Raises NothingToLearn where there are none."""
        counts: Counter[str] = Counter()
        number = 0
        for text in texts:
            number += 1
            counts.update(set(WORDS_OF[language](text)))
        if not counts:
            raise NothingToLearn
        vocabulary = sorted(counts)
        return cls(language, vocabulary, np.array([counts[word] for word in vocabulary]), number)

    def in_texts(self, texts: Iterable[str]) -> sparse.csr_array:
        """Return how often each text has each word, shape (texts, words + 1); the last column is unknown words."""
        unknown, ends, numbers = len(self.vocabulary), [0], list[int]()
        for text in texts:
            numbers.extend(self._numbers.get(word, unknown) for word in self._words(text))
            ends.append(len(numbers))
        counts = sparse.csr_array((np.ones(len(numbers)), numbers, ends), shape=(len(ends) - 1, unknown + 1))
        counts.sum_duplicates()
        return counts

    def save(self, folder: Path) -> None:
        about = {"language": self.language, "texts": self.texts, "holders": self.holders.tolist()}
        text = json.dumps({**about, "vocabulary": self.vocabulary}, ensure_ascii=False)
        (folder / "words.json").write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "WordCounts":
        read = json.loads((folder / "words.json").read_text(encoding="utf-8"))
        return cls(read["language"], read["vocabulary"], np.array(read["holders"]), read["texts"])


def told(instances: Sequence[RankingInstance], report: LearningProgress) -> Iterable[RankingInstance]:
    """Yield the instances, and report each as done."""
    for done, instance in enumerate(instances):
        report(done, len(instances))
        yield instance
    report(len(instances), len(instances))


def repeated(rows: Any, instances: Sequence[RankingInstance]) -> Any:
    """Repeat the row of each instance's context for each of its candidates."""
    return rows[np.repeat(np.arange(len(instances)), [len(instance.candidates) for instance in instances])]


def contexts(instances: Iterable[RankingInstance]) -> list[str]:
    return [" ".join(instance.context) for instance in instances]


def candidates(instances: Iterable[RankingInstance]) -> list[str]:
    return list(chain.from_iterable(instance.candidates for instance in instances))


def by_instance(scores: FloatArray, instances: Sequence[RankingInstance]) -> list[list[float]]:
    """Divide the scores of all candidates among their instances, with as many digits as are certain."""
    kept = iter(np.round(scores, DIGITS).tolist())
    return [[next(kept) for _candidate in instance.candidates] for instance in instances]
