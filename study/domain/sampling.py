"""Questions drawn from dialogues: the length of the context, the distractors, the position of the true response.

Every draw is keyed by the seed and by names (core.domain.draws), so the order of rows in a database changes nothing.
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
TRIES = 64  # times four draws before a small pool is searched completely
SMALL = 5_000  # utterances of a small pool


@dataclass(frozen=True)
class SamplingSettings(Settings):
    """Settings of a draw: ``count`` questions, ``distractors`` for each and at most ``max_turns`` turns of context.

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
    """Facts kept of every dialogue of a source: its index for `fetch`, and why it makes no question, if so."""

    id: str
    split: str
    group: str
    turns: int
    position: int
    left_out: str = ""


Fetch = Callable[[int], SourceDialogue]


@dataclass(frozen=True)
class DrawnQuestion:
    """One question; ``answer`` is the index of the true response among the candidates.

    ``is_own``: the dialogue brought its candidates.
    """

    source: str
    id: str
    context: Sequence[Turn]
    candidates: list[str]
    answer: int = 0
    is_own: bool = False


class TooFew(Exception):
    """A source gives ``there`` questions instead of the ``wanted``; ``left_out`` counts the rest by reason."""

    def __init__(self, source: str, wanted: int, there: int, left_out: Mapping[str, int]) -> None:
        super().__init__(source, wanted, there)
        self.source, self.wanted, self.there, self.left_out = source, wanted, there, left_out


def entry_of(dialogue: SourceDialogue, index: int) -> SourceEntry:
    """Return what is kept of a dialogue that can be fetched again from `index`."""
    return SourceEntry(dialogue.id, dialogue.split, dialogue.group, len(dialogue.turns), index, why_left_out(dialogue))


def why_left_out(dialogue: SourceDialogue) -> str:
    """Return why a dialogue makes no question; "" where it makes one."""
    if dialogue.candidates is None:
        return "short" if len(dialogue.turns) < SHORTEST else ""
    if dialogue.answer is None:
        return "no_answer"
    return "equal_candidates" if len(set(map(fold, dialogue.candidates))) < len(dialogue.candidates) else ""


def context_length(turns: int, max_turns: int, uniform: float) -> int:
    """Return the number of context turns: c = min(t − 1, ⌊n⌋ − 1, C), n = 10C/η + 2, η from (C/2, 10C).

    ``turns`` is t, from 3; ``max_turns`` is C, from 2; ``uniform`` in [0, 1) gives η. n is between 3 and 22, so c is at
    least 2. C cancels out of n (Lowe et al. 2015, 3.2), hence the cap.
    """
    eta = max_turns / 2 + uniform * (10 * max_turns - max_turns / 2)
    return min(turns - 1, floor(10 * max_turns / eta + 2) - 1, max_turns)


class QuestionDraw:
    """Draw from one source, keyed by ``name`` and the seed; ``entries`` may come in any order."""

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
        """Return the wanted questions, in the order of the draw; ``left_out`` counts the rest. Raises TooFew."""
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
        """Return a dialogue's question, its true response first; None where its split has too few other responses."""
        dialogue = self.fetch(entry.position)
        if dialogue.candidates is not None:
            assert dialogue.answer is not None
            truth = dialogue.candidates[dialogue.answer]
            false = [text for position, text in enumerate(dialogue.candidates) if position != dialogue.answer]
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
        """Draw equally likely turns of other conversations of the split, all different and none the truth."""
        pool, taken, found = self.pools[entry.split], {fold(truth)}, []
        for index in self._indexes(entry, pool):
            other, turn = pool.at(index)
            if entry.group == other.group or entry.id == other.id:
                continue
            text = self.fetch(other.position).turns[turn]["text"]
            if fold(text) not in taken:
                taken.add(fold(text))
                found.append(text)
            if len(found) == self.settings.distractors:
                break
        return found

    def _indexes(self, entry: SourceEntry, pool: "_Pool") -> Iterator[int]:
        """Yield uniform draws from the pool and then, where it is small, all of its indices."""
        for attempt in range(TRIES):
            for uniform in uniforms(self.seed, "distractor", self.name, entry.id, str(attempt)):
                yield int(uniform * pool.size)
        if pool.size <= SMALL:
            yield from sorted(range(pool.size), key=lambda index: self._uniform("rest", entry.id, str(index)))

    def _shuffled(self, id: str, texts: list[str]) -> list[str]:
        order = sorted(range(len(texts)), key=lambda position: self._uniform("false", id, str(position)))
        return [texts[position] for position in order]

    def _uniform(self, *names: str) -> float:
        return uniforms(self.seed, names[0], self.name, *names[1:])[0]


class _Pool:
    """The turns of the dialogues of one split, numbered consecutively."""

    def __init__(self, entries: Sequence[SourceEntry]) -> None:
        self.entries = entries
        self.ends = list(accumulate(entry.turns for entry in entries))
        self.size = self.ends[-1]

    def at(self, index: int) -> tuple[SourceEntry, int]:
        position = bisect_right(self.ends, index)
        return self.entries[position], index - (self.ends[position] - self.entries[position].turns)


def arranged(drawn: Iterable[DrawnQuestion], seed: int) -> list[DrawnQuestion]:
    """Return the questions of all sources in a drawn order, the true response at each position equally often.

    With different numbers of candidates, that holds among the questions with the same number.
    """
    ordered = sorted(drawn, key=lambda each: (uniforms(seed, "order", each.source, each.id), each.source, each.id))
    times: Counter[int] = Counter()
    positions: dict[tuple[str, str], int] = {}
    for each in sorted(ordered, key=lambda each: (uniforms(seed, "place", each.source, each.id), each.source, each.id)):
        size = len(each.candidates)
        positions[each.source, each.id] = times[size] % size
        times[size] += 1
    return [_with_truth_at(each, positions[each.source, each.id]) for each in ordered]


def _with_truth_at(question: DrawnQuestion, position: int) -> DrawnQuestion:
    truth, *false = question.candidates
    candidates = [*false[:position], truth, *false[position:]]
    return replace(question, candidates=candidates, answer=position)


def shares(count: int, sources: int) -> list[int]:
    """Return how many questions each source gives: equal shares, the first ones one more."""
    return [count // sources + (index < count % sources) for index in range(sources)]
