"""Words of the training material, numbered for networks that learn a vector for each."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from study.baselines.base import NothingToLearn
from study.baselines.words import WORDS_OF

NOTHING, UNKNOWN, TURN = range(3)  # what fills up a row, a word that was not in the training, the end of a turn
FIRST = 3  # number of the first word
FILE = "vocabulary.json"
KEPT = 2**17  # texts whose words are remembered: each is read in every epoch


class Vocabulary:
    """Words from the commonest to the rarest, and how they are told apart."""

    def __init__(self, language: str, words: Sequence[str]) -> None:
        self.language, self.words = language, words
        self._numbers = {word: number for number, word in enumerate(words, FIRST)}
        self.numbers = lru_cache(KEPT)(self._numbers_of)

    @classmethod
    def of(cls, texts: Iterable[str], language: str, *, most: int) -> "Vocabulary":
        """Number the words of texts, the `most` commonest. Raises NothingToLearn where there are none."""
        counts = Counter(word for text in texts for word in WORDS_OF[language](text))
        if not counts:
            raise NothingToLearn
        return cls(language, sorted(counts, key=lambda word: (-counts[word], word))[:most])

    def __len__(self) -> int:
        return FIRST + len(self.words)

    def joined(self, turns: Iterable[str]) -> list[int]:
        """Return the numbers of the words of all turns, with a mark after each turn."""
        return [number for turn in turns for number in (*self.numbers(turn), TURN)] or [UNKNOWN]

    def _numbers_of(self, text: str) -> tuple[int, ...]:
        """Return the numbers of the text's words; a text without words is one unknown word."""
        return tuple(self._numbers.get(word, UNKNOWN) for word in WORDS_OF[self.language](text)) or (UNKNOWN,)

    def save(self, folder: Path) -> None:
        state = {"language": self.language, "words": self.words}
        (folder / FILE).write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Vocabulary":
        return cls(**json.loads((folder / FILE).read_text(encoding="utf-8")))
