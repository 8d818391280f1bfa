"""Questions drawn from dialogues: how long the context is, which turns stand as false responses, where the true one is.

Every draw is keyed by the seed and by names (core.domain.draws), so that the order in which a database gives rows
changes nothing.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import floor
from typing import NamedTuple

from core.domain.draws import uniforms
from core.domain.settings import Settings
from core.domain.text import fold
from core.domain.wording import gettext_noop

Turn = dict[str, str]  # {"speaker", "text"}

SHORTEST = 3  # turns: two of context, one to find
TRIES = 64  # times four draws before a small pool is gone through
SMALL = 5_000  # utterances of such a pool


@dataclass(frozen=True)
class SamplingSettings(Settings):
    """``count`` questions with ``distractors`` false responses each and at most ``max_turns`` turns of context.

    Instances that bring their candidates keep them and their whole context.
    """

    LIMITS = {"count": range(1, 100_001), "distractors": range(1, 100), "max_turns": range(2, 101)}
    UNKNOWN = gettext_noop("“%(setting)s” is not a setting of questions. Known: %(known)s.")

    count: int = 100
    distractors: int = 4
    max_turns: int = 6


@dataclass(frozen=True)
class SourceDialogue:
    """A dialogue, or an instance: then ``candidates`` are its own and ``turns`` its context.

    Dialogues of one ``group`` are one conversation.
    """

    id: str
    split: str
    group: str
    turns: Sequence[Turn]
    candidates: Sequence[str] | None = None
    answer: int | None = None


class SourceEntry(NamedTuple):
    """What is kept of every dialogue of a source: where to fetch it from, and why it makes no question, if so."""

    id: str
    split: str
    group: str
    turns: int
    index: int
    left_out: str = ""


Fetch = Callable[[int], SourceDialogue]


@dataclass(frozen=True)
class DrawnQuestion:
    """One question; ``answer`` is the number of the true response among the candidates, ``is_own`` whether the dialogue
    brought them.
    """

    source: str
    id: str
    context: Sequence[Turn]
    candidates: list[str]
    answer: int = 0
    is_own: bool = False


class TooFew(Exception):
    """A source gives ``there`` questions and not as many as are ``wanted``; ``left_out`` counts the rest by reason."""

    def __init__(self, source: str, wanted: int, there: int, left_out: Mapping[str, int]) -> None:
        super().__init__(source, wanted, there)
        self.source, self.wanted, self.there, self.left_out = source, wanted, there, left_out


def entry_of(dialogue: SourceDialogue, index: int) -> SourceEntry:
    """What is kept of a dialogue that is fetched again from `index`."""
    return SourceEntry(dialogue.id, dialogue.split, dialogue.group, len(dialogue.turns), index, why_left_out(dialogue))


def why_left_out(dialogue: SourceDialogue) -> str:
    """Why a dialogue makes no question; empty where it makes one."""
    if dialogue.candidates is None:
        return "short" if len(dialogue.turns) < SHORTEST else ""
    if dialogue.answer is None:
        return "no_answer"
    return "equal_candidates" if len(set(map(fold, dialogue.candidates))) < len(dialogue.candidates) else ""


def context_length(turns: int, max_turns: int, uniform: float) -> int:
    """How many turns of a dialogue stand as context: c = min(t − 1, ⌊n⌋ − 1, C), n = 10C/η + 2, η from (C/2, 10C).

    ``turns`` is t, from 3; ``max_turns`` is C, from 2; ``uniform`` in [0, 1) makes η. n lies between 3 and 22, so that
    c is at least 2. C cancels out of n (Lowe et al. 2015, 3.2), hence the cap.
    """
    eta = max_turns / 2 + uniform * (10 * max_turns - max_turns / 2)
    return min(turns - 1, floor(10 * max_turns / eta + 2) - 1, max_turns)


class QuestionDraw:
    """The draw from one source: ``name`` and the seed key it, ``entries`` may come in any order."""

    def __init__(
        self, name: str, entries: Iterable[SourceEntry], fetch: Fetch, settings: SamplingSettings, seed: int
    ) -> None:
        self.name, self.fetch, self.settings, self.seed = name, fetch, settings, seed
        self.entries = sorted(entries, key=lambda entry: entry.id)
        by_split = defaultdict(list)
        for entry in self.entries:
            by_split[entry.split].append(entry)
        self.pools = {split: _Pool(entries) for split, entries in by_split.items()}
        self.left_out = Counter(entry.left_out for entry in self.entries if entry.left_out)

    def questions(self, wanted: int, report: Callable[[int], None]) -> list[DrawnQuestion]:
        """As many as are wanted, in the order of the draw; ``left_out`` counts the others. Raises TooFew."""
        made: list[DrawnQuestion] = []
        usable = [entry for entry in self.entries if not entry.left_out]
        for tried, entry in enumerate(sorted(usable, key=lambda each: (self._uniform("dialogue", each.id), each.id))):
            if len(made) == wanted:
                self.left_out["not_drawn"] += len(usable) - tried
                break
            if question := self._question(entry):
                made.append(question)
                report(len(made))
            else:
                self.left_out["no_distractors"] += 1
        if len(made) < wanted:
            raise TooFew(self.name, wanted, len(made), self.left_out)
        return made

    def _question(self, entry: SourceEntry) -> DrawnQuestion | None:
        """The question of a dialogue, its true response first; None where its split has too few other responses."""
        dialogue = self.fetch(entry.index)
        if dialogue.candidates is not None:
            assert dialogue.answer is not None
            truth = dialogue.candidates[dialogue.answer]
            false = [text for index, text in enumerate(dialogue.candidates) if index != dialogue.answer]
            return DrawnQuestion(
                self.name, entry.id, dialogue.turns, [truth, *self._shuffled(entry.id, false)], is_own=True
            )
        length = context_length(entry.turns, self.settings.max_turns, self._uniform("context", entry.id))
        truth = dialogue.turns[length]["text"]
        false = self._distractors(entry, truth)
        if len(false) < self.settings.distractors:
            return None
        return DrawnQuestion(self.name, entry.id, dialogue.turns[:length], [truth, *false])

    def _distractors(self, entry: SourceEntry, truth: str) -> list[str]:
        """Turns of other conversations of the split, each equally likely, no two of them and the truth the same."""
        pool, taken, found = self.pools[entry.split], {fold(truth)}, []
        for index in self._indexes(entry, pool):
            other, turn = pool.at(index)
            if entry.group == other.group or entry.id == other.id:
                continue
            text = self.fetch(other.index).turns[turn]["text"]
            if fold(text) not in taken:
                taken.add(fold(text))
                found.append(text)
            if len(found) == self.settings.distractors:
                break
        return found

    def _indexes(self, entry: SourceEntry, pool: "_Pool") -> Iterator[int]:
        """Uniform draws from the pool, and then, where it is small, every one of it."""
        for attempt in range(TRIES):
            for uniform in uniforms(self.seed, "distractor", self.name, entry.id, str(attempt)):
                yield int(uniform * pool.size)
        if pool.size <= SMALL:
            yield from sorted(range(pool.size), key=lambda index: self._uniform("rest", entry.id, str(index)))

    def _shuffled(self, id: str, texts: list[str]) -> list[str]:
        order = sorted(range(len(texts)), key=lambda index: self._uniform("false", id, str(index)))
        return [texts[index] for index in order]

    def _uniform(self, *names: str) -> float:
        return uniforms(self.seed, names[0], self.name, *names[1:])[0]


class _Pool:
    """The turns of the dialogues of one split, numbered through."""

    def __init__(self, entries: Sequence[SourceEntry]) -> None:
        self.entries = entries
        self.ends = list(accumulate(entry.turns for entry in entries))
        self.size = self.ends[-1]

    def at(self, number: int) -> tuple[SourceEntry, int]:
        index = bisect_right(self.ends, number)
        return self.entries[index], number - (self.ends[index] - self.entries[index].turns)


def arranged(drawn: Iterable[DrawnQuestion], seed: int) -> list[DrawnQuestion]:
    """The questions of all sources in one drawn order, the true response at each position equally often.

    With candidates of different numbers that holds among the questions with as many.
    """
    ordered = sorted(drawn, key=lambda each: (uniforms(seed, "order", each.source, each.id), each.source, each.id))
    times: Counter[int] = Counter()
    indices: dict[tuple[str, str], int] = {}
    for each in sorted(ordered, key=lambda each: (uniforms(seed, "place", each.source, each.id), each.source, each.id)):
        size = len(each.candidates)
        indices[each.source, each.id] = times[size] % size
        times[size] += 1
    return [_with_truth_at(each, indices[each.source, each.id]) for each in ordered]


def _with_truth_at(question: DrawnQuestion, index: int) -> DrawnQuestion:
    truth, *false = question.candidates
    candidates = [*false[:index], truth, *false[index:]]
    return replace(question, candidates=candidates, answer=index)


def shares(count: int, sources: int) -> list[int]:
    """How many questions each source gives: as even as can be, the first ones one more."""
    return [count // sources + (index < count % sources) for index in range(sources)]
