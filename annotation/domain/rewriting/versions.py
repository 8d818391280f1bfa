"""Versions of a draft: which ones are kept for restoring, and how two texts differ.

A draft is saved a second after the author stops typing, far too often to find the text of an hour ago. The state before
a save is kept where a person would look for it: it had not changed for a while, much of it was about to be lost, or the
author had typed for long without either. At most a few minutes of steady writing are lost, and everything that was
deleted at once is kept.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from annotation.domain.rewriting.overlap import tokens_of
from core.domain.words import words_of

MOST_VERSIONS = 20  # per rewrite, the first and the newest: no one would read through more
REST = timedelta(minutes=1)
STRETCH = timedelta(minutes=5)  # of the clock, the same for all drafts
FEWEST_WORDS = 3  # one or two words are quickly typed again, and are often a typing mistake
MOST_COMPARED = 200_000  # words of one text times words of the other: takes a tenth of a second


class DraftState(NamedTuple):
    """The cut and the four candidates, with their revision and the time it was saved."""

    cut: int
    candidates: Sequence[str]
    revision: int
    saved_at: datetime


def is_worth_keeping(before: DraftState, after: DraftState) -> bool:
    """Return whether the state before a save is kept as a version: always a returned text, never an empty page."""
    if not any(before.candidates):
        return False
    returned_items = before.revision == 0
    has_rested = after.saved_at - before.saved_at >= REST
    return returned_items or has_rested or _stretch(before) != _stretch(after) or takes_much_away(before, after)


def _stretch(draft: DraftState) -> int:
    """Return the stretch of the clock, equal for all drafts, so that none must store when it last kept a version."""
    return int(draft.saved_at.timestamp() // STRETCH.total_seconds())


def takes_much_away(before: DraftState, after: DraftState) -> bool:
    """Return whether the cut moves, or a candidate is emptied or loses more than half of its words."""
    texts = zip(before.candidates, after.candidates, strict=True)
    return before.cut != after.cut or any(_loses_much(*pair) for pair in texts)


def _loses_much(before: str, after: str) -> bool:
    if not after:
        return bool(before)
    words = words_of(before)
    lost = Counter(words) - Counter(words_of(after))
    return len(words) >= FEWEST_WORDS and 2 * lost.total() > len(words)


class Change(StrEnum):
    """The kinds of pieces in a difference."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Piece(NamedTuple):
    """A part of a difference: text of both versions, only of the one before, or only of the one after."""

    change: Change
    text: str


def difference(before: str, after: str) -> list[Piece]:
    """Return the difference of two texts, word by word.

    Without the added pieces it is `before`, without the removed ones `after`. Two long texts with little in common
    count as removed and added whole.
    """
    old, new = tokens_of(before), tokens_of(after)
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    head, tail = old[:first], old[len(old) - last :]
    pieces = [
        (Change.SAME, head),
        *_changes(old[first : len(old) - last], new[first : len(new) - last]),
        (Change.SAME, tail),
    ]
    return [Piece(change, "".join(tokens)) for change, tokens in pieces if tokens]


def _shared(old: Sequence[str], new: Sequence[str]) -> int:
    """Count the tokens that both begin with."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Change, Sequence[str]]]:
    """Yield changes, joining words that change side by side: the space between them does not separate them."""
    removed: list[str] = []
    added: list[str] = []
    for is_same, was, becomes in _blocks(old, new):
        if is_same and any(not token.isspace() for token in was):
            yield from ((Change.REMOVED, removed), (Change.ADDED, added), (Change.SAME, was))
            removed, added = [], []
        else:
            removed, added = [*removed, *was], [*added, *becomes]
    yield from ((Change.REMOVED, removed), (Change.ADDED, added))


def _blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[bool, Sequence[str], Sequence[str]]]:
    """Yield blocks: whether both texts are the same there, and the tokens of each."""
    if len(old) * len(new) > MOST_COMPARED:
        yield False, old, new
        return
    for what, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield what == "equal", old[start:end], new[new_start:new_end]
