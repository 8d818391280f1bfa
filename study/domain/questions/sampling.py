"""Questions drawn from dialogues: the length of the context, the distractors, the position of the true response.

Every draw is keyed by the seed and by names (core.domain.draws), so the order of rows in a database changes nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import floor
from typing import NamedTuple, TypeVar

from core.domain.draws import uniforms
from core.domain.settings import Settings
from core.domain.text import fold
from core.domain.wording import ChoiceError, gettext_noop
from study.domain.questions.dialogues import FLAGGED, Fetch, SourceDialogue, SourceEntry, Turn
from study.domain.questions.picks import PICKS, OpenQuestion, Pick, TurnPool, UniformPick

T = TypeVar("T")

OWN = "own"  # how the false responses of an instance were picked
EDITED = "edited"  # beside the origin of a candidate whose text was edited, and the pick of its question
BLOCK, READ = 500, 10_000  # questions whose false responses are read together, and dialogues that these read at first


@dataclass(frozen=True)
class SamplingSettings(Settings):
    """Settings of a draw: ``count`` questions, ``distractors`` for each and at most ``max_turns`` turns of context.

    ``pick`` names a way of picking the distractors. Instances that bring their candidates keep them and their whole
    context.
    """

    LIMITS = {"count": range(1, 100_001), "distractors": range(1, 100), "max_turns": range(2, 101)}
    UNKNOWN = gettext_noop("“%(setting)s” is not a setting of questions. Known: %(known)s.")

    count: int = 100
    distractors: int = 4
    max_turns: int = 6
    pick: str = UniformPick.name

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pick not in PICKS:
            raise ChoiceError(
                gettext_noop("Distractors are picked %(known)s, not “%(value)s”."),
                known=", ".join(PICKS),
                value=self.pick,
            )


class CandidateOrigin(NamedTuple):
    """Where a candidate comes from: a turn of a dialogue, from 0; None where the dialogue brought the candidate."""

    dialogue: str
    turn: int | None


def has_own_candidates(pick: str, origins: Sequence[Sequence[str | int | None]]) -> bool:
    """Tell whether a question was brought with its candidates, whichever of them were edited since."""
    return pick == OWN or (pick == EDITED and any(turn is None for _dialogue, turn, *_edited in origins))


@dataclass(frozen=True)
class DrawnQuestion:
    """One question; ``answer`` is the index of the true response among the candidates, ``origins`` parallel to them.

    ``group`` is the conversation of its dialogue, ``pick`` how its false responses were picked, ``condition`` what was
    done to its context ("": nothing).
    """

    source: str
    id: str
    group: str
    context: Sequence[Turn]
    candidates: Sequence[str]
    origins: Sequence[CandidateOrigin]
    pick: str
    reasoning: Sequence[str] = ()
    answer: int = 0
    condition: str = ""


class TooFew(Exception):
    """A source gives ``there`` questions instead of the ``wanted``; ``left_out`` counts the rest by reason."""

    def __init__(self, source: str, wanted: int, there: int, left_out: Mapping[str, int]) -> None:
        super().__init__(source, wanted, there)
        self.source, self.wanted, self.there, self.left_out = source, wanted, there, left_out


def context_length(turns: int, max_turns: int, uniform: float) -> int:
    """Return the number of context turns: c = min(t − 1, ⌊n⌋ − 1, C), n = 10C/η + 2, η from (C/2, 10C).

    ``turns`` is t, from 3; ``max_turns`` is C, from 2; ``uniform`` in [0, 1) gives η. n is between 3 and 22, so c is at
    least 2. C cancels out of n (Lowe et al. 2015, 3.2), hence the cap.
    """
    eta = max_turns / 2 + uniform * (10 * max_turns - max_turns / 2)
    return min(turns - 1, floor(10 * max_turns / eta + 2) - 1, max_turns)


@dataclass
class _Draft:
    """A question on the way: its false responses so far, with their origins, and the turns still to try."""

    question: OpenQuestion
    pick: Pick
    turns: Iterator[int]
    taken: set[str]
    rounds: int = 0
    found: list[tuple[str, CandidateOrigin]] = field(default_factory=list)
    is_exhausted: bool = False

    def next_turns(self, wanted: int) -> list[tuple[SourceEntry, int]]:
        """Return the next turns to try that are of other conversations: as many as are missing, then twice, and so on.

        How many are tried together changes nothing about which are taken.
        """
        ahead = (wanted - len(self.found)) << self.rounds
        numbers = list(islice(self.turns, ahead))
        self.is_exhausted = len(numbers) < ahead
        self.rounds += 1
        own = self.question.entry
        tried = (self.pick.pool.at(number) for number in dict.fromkeys(numbers))
        return [(other, turn) for other, turn in tried if other.group != own.group and other.id != own.id]

    def take(self, text: str, origin: CandidateOrigin, wanted: int) -> None:
        """Take a text as a false response if one is wanted, none is equal to it, and it suits."""
        key = fold(text)
        if len(self.found) < wanted and key not in self.taken and self.pick.suits(self.question, text):
            self.taken.add(key)
            self.found.append((text, origin))


class QuestionDraw:
    """Draw from one source, keyed by ``name`` and the seed; ``entries`` may come in any order.

    A flagged dialogue gives neither a question nor a false response.
    """

    def __init__(
        self, name: str, entries: Iterable[SourceEntry], fetch: Fetch, settings: SamplingSettings, seed: int
    ) -> None:
        self.name, self.fetch, self.settings, self.seed = name, fetch, settings, seed
        self.entries = sorted(entries, key=lambda entry: entry.id)
        by_split = defaultdict(list)
        for entry in self.entries:
            if entry.left_out != FLAGGED:
                by_split[entry.split].append(entry)
        pick = PICKS[settings.pick]
        self.picks = {split: pick(name, TurnPool(entries, fetch), seed) for split, entries in by_split.items()}
        self.left_out = Counter(entry.left_out for entry in self.entries if entry.left_out)

    def usable(self) -> list[SourceEntry]:
        """Return the dialogues that make a question, in the order of the draw."""
        usable = [entry for entry in self.entries if not entry.left_out]
        return sorted(usable, key=lambda each: (self._uniform("dialogue", each.id), each.id))

    def questions(self, wanted: int, report: Callable[[int], None]) -> list[DrawnQuestion]:
        """Return the wanted questions, in the order of the draw; ``left_out`` counts the rest. Raises TooFew."""
        made: list[DrawnQuestion] = []
        usable, tried = self.usable(), 0
        at_once = min(BLOCK, READ // self.settings.distractors)
        while tried < len(usable) and len(made) < wanted:
            block = usable[tried : tried + min(at_once, wanted - len(made))]
            made += self._questions(block)
            tried += len(block)
            report(len(made))
        self.left_out += Counter(no_distractors=tried - len(made), not_drawn=len(usable) - tried)
        if len(made) < wanted:
            raise TooFew(self.name, wanted, len(made), self.left_out)
        return made

    def of_dialogue(self, entry: SourceEntry) -> DrawnQuestion | None:
        """Return the question of one dialogue, which makes one; None where there are too few other responses."""
        return next(self._questions([entry]), None)

    def turns_of_context(self, entry: SourceEntry) -> int:
        """Return how many turns the context of a dialogue's question has."""
        return context_length(entry.turns, self.settings.max_turns, self._uniform("context", entry.id))

    def _questions(self, entries: Sequence[SourceEntry]) -> Iterator[DrawnQuestion]:
        """Yield the questions of some dialogues; none where its split has too few other responses."""
        dialogues = self.fetch([entry.position for entry in entries])
        own = {entry.id: dialogues[entry.position] for entry in entries}
        drafts = {entry.id: self._draft(entry, own[entry.id]) for entry in entries if own[entry.id].candidates is None}
        self._fill(list(drafts.values()))
        for entry in entries:
            if entry.id not in drafts:
                yield self._with_own_candidates(own[entry.id])
            elif len(drafts[entry.id].found) == self.settings.distractors:
                yield self._with_picked_candidates(drafts[entry.id])

    def _draft(self, entry: SourceEntry, dialogue: SourceDialogue) -> _Draft:
        length = self.turns_of_context(entry)
        truth = dialogue.turns[length]["text"]
        question = OpenQuestion(entry, dialogue.turns[:length], truth)
        pick = self.picks[entry.split]
        return _Draft(question, pick, pick.turns_for(question), {fold(truth)})

    def _fill(self, drafts: list[_Draft]) -> None:
        """Find false responses for questions, reading what all of them try next together."""
        while drafts:
            tried = [(draft, draft.next_turns(self.settings.distractors)) for draft in drafts]
            positions = {other.position for _draft, turns in tried for other, _turn in turns}
            dialogues = self.fetch(sorted(positions))
            for draft, turns in tried:
                for other, turn in turns:
                    text = dialogues[other.position].turns[turn]["text"]
                    draft.take(text, CandidateOrigin(other.id, turn), self.settings.distractors)
            drafts = [
                draft for draft in drafts if len(draft.found) < self.settings.distractors and not draft.is_exhausted
            ]

    def _with_picked_candidates(self, draft: _Draft) -> DrawnQuestion:
        question = draft.question
        truth = question.truth, CandidateOrigin(question.entry.id, len(question.context))
        texts, origins = zip(truth, *draft.found, strict=True)
        return DrawnQuestion(
            self.name, question.entry.id, question.entry.group, question.context, texts, origins, draft.pick.name
        )

    def _with_own_candidates(self, dialogue: SourceDialogue) -> DrawnQuestion:
        assert dialogue.candidates is not None and dialogue.answer is not None
        truth = dialogue.candidates[dialogue.answer]
        false = [text for position, text in enumerate(dialogue.candidates) if position != dialogue.answer]
        texts = [truth, *self._shuffled(dialogue.id, false)]
        origins = [CandidateOrigin(dialogue.id, None)] * len(texts)
        return DrawnQuestion(
            self.name, dialogue.id, dialogue.group, dialogue.turns, texts, origins, OWN, dialogue.reasoning
        )

    def _shuffled(self, id: str, texts: list[str]) -> list[str]:
        order = sorted(range(len(texts)), key=lambda position: self._uniform("false", id, str(position)))
        return [texts[position] for position in order]

    def _uniform(self, *names: str) -> float:
        return uniforms(self.seed, names[0], self.name, *names[1:])[0]


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
    candidates, origins = _moved(question.candidates, position), _moved(question.origins, position)
    return replace(question, candidates=candidates, origins=origins, answer=position)


def _moved(first_is_true: Sequence[T], position: int) -> list[T]:
    true, *false = first_is_true
    return [*false[:position], true, *false[position:]]


def shares(count: int, sources: int) -> list[int]:
    """Return how many questions each source gives: equal shares, the first ones one more."""
    return [count // sources + (index < count % sources) for index in range(sources)]
