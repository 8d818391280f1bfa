"""Word overlap: the part of a candidate's words that its context already has."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from core.domain.words import WORD, words_of

_TOKEN = re.compile(rf"{WORD.pattern}|\s+|.", re.DOTALL)


class Overlap(NamedTuple):
    """``shared`` of ``words`` word tokens are in the context."""

    shared: int
    words: int

    @property
    def share(self) -> float | None:
        """The share from 0 to 1; None without words."""
        return self.shared / self.words if self.words else None


def tokens_of(text: str) -> list[str]:
    """Return the words and everything between them, as written: joined they are the text."""
    return _TOKEN.findall(text)


def overlap(candidate: str, context: Iterable[str]) -> Overlap:
    """Count the candidate's word tokens that occur in the texts of the context (speakers' names are left out)."""
    known = {word for text in context for word in words_of(text)}
    words = words_of(candidate)
    return Overlap(sum(word in known for word in words), len(words))
