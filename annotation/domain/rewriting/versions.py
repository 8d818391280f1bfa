"""Versions of what an author writes: which drafts are kept to go back to, and how two texts differ.

A draft is saved a second after each rest of the typing, which is far too often for somebody who looks for what they had
an hour ago. What stood before a save is kept where a person would look for it: they had rested on it, it was about to
be lost, or they have been writing for long without either. So nobody loses more than a few minutes of steady writing,
and whatever is thrown away at one go is there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from annotation.domain.rewriting.overlap import tokens_of, words_of

MOST_VERSIONS = 20  # of a rewrite: its first and the newest; more than that nobody reads through
REST = timedelta(minutes=1)
STRETCH = timedelta(minutes=5)  # of the clock
FEWEST_WORDS = 3  # a text of one or two is soon written again, and is often half a word that was mistyped
MOST_COMPARED = 200_000  # words of one text times words of the other: a tenth of a second


class Draft(NamedTuple):
    """The cut and the four candidates, the revision that they are and when that was saved."""

    cut: int
    candidates: Sequence[str]
    revision: int
    saved_at: datetime


def is_worth_keeping(before: Draft, after: Draft) -> bool:
    """Whether what stood before a save is kept as a version: always what came back from an inspector, never a page on
    which nothing is written.
    """
    if not any(before.candidates):
        return False
    returned_items = before.revision == 0
    has_rested = after.saved_at - before.saved_at >= REST
    return returned_items or has_rested or _stretch(before) != _stretch(after) or takes_much_away(before, after)


def _stretch(draft: Draft) -> int:
    """The stretches of the clock are the same for all drafts, so that no draft is asked when it last kept one."""
    return int(draft.saved_at.timestamp() // STRETCH.total_seconds())


def takes_much_away(before: Draft, after: Draft) -> bool:
    """The cut moves, or a candidate is emptied or loses more than half of its words."""
    texts = zip(before.candidates, after.candidates, strict=True)
    return before.cut != after.cut or any(_loses_much(*pair) for pair in texts)


def _loses_much(before: str, after: str) -> bool:
    if not after:
        return bool(before)
    words = words_of(before)
    lost = Counter(words) - Counter(words_of(after))
    return len(words) >= FEWEST_WORDS and 2 * lost.total() > len(words)


class Change(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Piece(NamedTuple):
    """A part of a difference: what stands in both texts, in the one before only, or in the one after only."""

    change: Change
    text: str


def difference(before: str, after: str) -> list[Piece]:
    """What becomes of one text in the other, word by word: without what was added it is `before`, without what was
    removed `after`. Two long texts that have little in common count as removed and added whole.
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
    """How many tokens both begin with."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Change, Sequence[str]]]:
    """Words that change side by side are one change: the space between them is no reason to tell them apart."""
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
    """Whether they are the same, and the tokens of either text."""
    if len(old) * len(new) > MOST_COMPARED:
        yield False, old, new
        return
    for what, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield what == "equal", old[start:end], new[new_start:new_end]
