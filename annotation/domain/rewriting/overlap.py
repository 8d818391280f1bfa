"""Word overlap: the part of a candidate's words that its context already has."""

import re
from collections.abc import Iterable
from typing import NamedTuple

# A word is a run of letters with inner apostrophes in a script written with spaces, one character in any other.
_UNSPACED = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_LETTER = rf"[^\W_{_UNSPACED}]"
_WORD = re.compile(rf"[{_UNSPACED}]|{_LETTER}+(?:['’]{_LETTER}+)*")
_TOKEN = re.compile(rf"{_WORD.pattern}|\s+|.", re.DOTALL)


class Overlap(NamedTuple):
    """``shared`` of ``words`` word tokens are in the context."""

    shared: int
    words: int

    @property
    def share(self) -> float | None:
        """The share from 0 to 1; None without words."""
        return self.shared / self.words if self.words else None


def words_of(text: str) -> list[str]:
    """Return the word tokens in order: case folded, without punctuation; a Chinese character is a word."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def tokens_of(text: str) -> list[str]:
    """Return the words and everything between them, as written: joined they are the text."""
    return _TOKEN.findall(text)


def overlap(candidate: str, context: Iterable[str]) -> Overlap:
    """Count the candidate's word tokens that occur in the texts of the context (speakers' names are left out)."""
    known = {word for text in context for word in words_of(text)}
    words = words_of(candidate)
    return Overlap(sum(word in known for word in words), len(words))
