"""How false responses are picked: which turns of the split are tried for a question, and in which order."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

import numpy as np

from core.domain.draws import uniforms
from core.domain.words import words_of
from study.domain.questions.dialogues import Fetch, SourceEntry, Turn, read_in_order
from study.domain.questions.likeness import is_near
from study.domain.questions.text_index import TextIndex

TRIES = 64  # times four draws before a small range is searched completely
SMALL = 5_000  # turns in a small range


class TurnPool:
    """The turns of the dialogues of one split, numbered consecutively in the order of the entries."""

    def __init__(self, entries: Sequence[SourceEntry], fetch: Fetch) -> None:
        self.entries, self._fetch = entries, fetch
        self._ends = list(accumulate(entry.turns for entry in entries))
        self.size = self._ends[-1]

    def at(self, number: int) -> tuple[SourceEntry, int]:
        """Return the dialogue of a turn, and which of its turns it is, from 0."""
        position = bisect_right(self._ends, number)
        return self.entries[position], number - (self._ends[position] - self.entries[position].turns)

    def texts(self) -> Iterator[str]:
        """Yield what is said in each turn, by its number."""
        for dialogue in read_in_order(self.entries, self._fetch):
            yield from (turn["text"] for turn in dialogue.turns)


@dataclass(frozen=True)
class OpenQuestion:
    """A context and its true response, for which false ones are to be picked."""

    entry: SourceEntry
    context: Sequence[Turn]
    truth: str


class Pick(ABC):
    """A way of picking false responses from the turns of a split; `source` and the seed key its draws."""

    name: ClassVar[str]

    def __init__(self, source: str, pool: TurnPool, seed: int) -> None:
        self.source, self.pool, self.seed = source, pool, seed

    @abstractmethod
    def turns_for(self, question: OpenQuestion) -> Iterator[int]:
        """Yield the numbers of turns to try, the first choice first; a number may come again."""

    def suits(self, question: OpenQuestion, text: str) -> bool:
        """Tell whether a text that is not equal to the true response may be a false one."""
        return True

    def _draw(self, first: str, rest: str, size: int, *names: str) -> Iterator[int]:
        """Yield numbers below `size` that are equally likely and then, where there are few, all of them."""
        for attempt in range(TRIES):
            for uniform in uniforms(self.seed, first, self.source, *names, str(attempt)):
                yield int(uniform * size)
        if size <= SMALL:
            yield from sorted(
                range(size), key=lambda number: uniforms(self.seed, rest, self.source, *names, str(number))[0]
            )


class UniformPick(Pick):
    """Every turn of the split is equally likely."""

    name = "uniform"

    def turns_for(self, question: OpenQuestion) -> Iterator[int]:
        return self._draw("distractor", "rest", self.pool.size, question.entry.id)


class SimilarPick(Pick):
    """The turns that are most like the context by BM25, but for those that are nearly the true response."""

    name = "similar"

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(self.pool.texts())

    def turns_for(self, question: OpenQuestion) -> Iterator[int]:
        return self._index.best(" ".join(turn["text"] for turn in question.context))

    def suits(self, question: OpenQuestion, text: str) -> bool:
        return not is_near(question.truth, text)


class LengthPick(Pick):
    """The turns nearest in length to the true response, in words; of equally near ones each is equally likely."""

    name = "length"

    @cached_property
    def _lengths(self) -> "np.typing.NDArray[np.int32]":
        return np.fromiter((len(words_of(text)) for text in self.pool.texts()), np.int32, self.pool.size)

    @cached_property
    def _by_length(self) -> dict[int, "np.typing.NDArray[np.int32]"]:
        order = np.argsort(self._lengths, kind="stable").astype(np.int32)
        different, starts = np.unique(self._lengths[order], return_index=True)
        return dict(zip(different.tolist(), np.split(order, starts[1:]), strict=True))

    def turns_for(self, question: OpenQuestion) -> Iterator[int]:
        own = len(words_of(question.truth))
        for distance in sorted({abs(length - own) for length in self._by_length}):
            beside = {own - distance, own + distance} & self._by_length.keys()
            turns = np.concatenate([self._by_length[length] for length in sorted(beside)])
            for number in self._draw("length", "length rest", len(turns), question.entry.id, str(distance)):
                yield int(turns[number])


PICKS: dict[str, type[Pick]] = {pick.name: pick for pick in (UniformPick, SimilarPick, LengthPick)}
