"""Rewriting: the candidates that an author writes for a dialogue, and the rules for them (MuTual, 3.2)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import IntEnum, StrEnum

from annotation.domain.corpora.dialogue import Turn, next_speaker, parse_turn
from annotation.domain.languages import BOTH, LANGUAGES
from core.domain.draws import uniforms
from core.domain.settings import Settings
from core.domain.text import fold
from core.domain.wording import ChoiceError, gettext_noop


@dataclass(frozen=True)
class RewritingSettings(Settings):
    """The settings of a rewriting project.

    ``inspectors`` judge each instance blind; after ``rounds`` of revising it is accepted or discarded; an assignment is
    held for ``lease_minutes``; ``per_day`` is the number of instances a person is asked for in a day. After an author's
    ``first_in_full`` submissions, ``inspected_percent`` of the others are inspected; the rest are accepted without
    inspection.

    Before real work, an author submits at most ``practice`` drafts an attempt (0: no practice), and passes when
    ``practice_threshold`` percent of the last ``practice_window`` graded ones are accepted; each author has
    ``practice_attempts`` attempts. The guideline is in ``language``.
    """

    LIMITS = {
        "inspectors": range(1, 3),
        "rounds": range(1, 11),
        "lease_minutes": range(1, 10_081),
        "per_day": range(1, 1001),
        "inspected_percent": range(1, 101),
        "first_in_full": range(1001),
        "practice": range(1001),
        "practice_window": range(1, 1001),
        "practice_threshold": range(1, 101),
        "practice_attempts": range(1, 101),
    }
    CHOICES = {"language": LANGUAGES}
    UNKNOWN = gettext_noop("“%(setting)s” is not a setting of a rewriting project. Known: %(known)s.")

    inspectors: int = 1
    rounds: int = 3
    lease_minutes: int = 240
    per_day: int = 30
    inspected_percent: int = 100
    first_in_full: int = 20
    practice: int = 0
    practice_window: int = 20
    practice_threshold: int = 80
    practice_attempts: int = 3
    language: str = BOTH

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.practice and self.practice_window > self.practice:
            raise ChoiceError(
                gettext_noop(
                    "An attempt has only %(practice)d drafts, so %(window)d can never be graded: choose fewer, or "
                    "more drafts."
                ),
                practice=self.practice,
                window=self.practice_window,
            )

    @property
    def attempts(self) -> int:
        """Number of attempts that each author has."""
        return self.practice_attempts

    @property
    def items_of_attempt(self) -> int:
        """Number of practice items that must exist before an attempt: one, because items are repeated."""
        return 1


class CandidateRole(IntEnum):
    """The roles of the four candidates, in the author's order."""

    RIGHT = 0
    WRONG_FROM_FIRST = 1  # of the wrong choices of the source item
    WRONG_FROM_SECOND = 2
    NEGATED = 3  # wrong, made from the right choice


LETTERS = "ABCD"  # the author's own; inspectors see another order


def three_choices(choices: Sequence[str], answer: int, seed: int, item: str) -> tuple[list[str], int]:
    """Return the right choice and two drawn wrong ones in their order, and the number of the right one."""
    wrong = [number for number in range(len(choices)) if number != answer]
    drawn = sorted(wrong, key=lambda number: uniforms(seed, "drop", item, choices[number]))
    kept = sorted([answer, *drawn[:2]])
    return [choices[number] for number in kept], kept.index(answer)


class InspectionVerdict(StrEnum):
    """Verdicts of an inspector on a rewrite."""

    ACCEPT = "accept"
    RETURN = "return"
    DISCARD = "discard"


CUT, CONTEXT = "cut", "context"
CANDIDATES = tuple(str(int(part)) for part in CandidateRole)
FIELDS = (CUT, CONTEXT, *CANDIDATES)  # what an inspector may comment on
WHOLE = "whole"  # the field of a comment that returns an accepted text
LONGEST_CANDIDATE = 1_000  # characters
GENERIC = {"m", "w", "f", "man", "woman", "male", "female"}  # labels that are never words


@dataclass(frozen=True)
class Flaw:
    """A reason why a submission is refused. ``field`` is ``cut`` or a candidate's number.

    ``sentence`` is marked for the message catalogue; ``str()`` is English.
    """

    field: str
    code: str
    sentence: str
    params: Mapping[str, str | int] = dataclass_field(default_factory=dict)

    def __str__(self) -> str:
        return self.sentence % self.params


def flaws(turns: Sequence[Turn], cut: int, candidates: Sequence[str]) -> list[Flaw]:
    """Return every reason against submitting a rewrite, in the order of the page; empty where it may be submitted."""
    found = [*_flaws_of_cut(turns, cut)]
    for part, text in enumerate(candidates):
        found += _flaws_of_text(str(part), text, turns, next_speaker(turns, cut))
    found += [*_copies(turns, cut, candidates), *_equal(candidates)]
    return sorted(found, key=lambda flaw: FIELDS.index(flaw.field))


def _flaws_of_cut(turns: Sequence[Turn], cut: int) -> Iterator[Flaw]:
    if not 0 < cut < len(turns):
        yield Flaw(
            CUT,
            "cut_outside",
            gettext_noop("Cut between two turns: at least one turn before it, and one after."),
        )


def _flaws_of_text(field: str, text: str, turns: Sequence[Turn], speaker: str) -> Iterator[Flaw]:
    if not text.strip():
        yield Flaw(field, "empty", gettext_noop("Nothing is written here yet."))
    if len(text) > LONGEST_CANDIDATE:
        yield Flaw(
            field,
            "too_long",
            gettext_noop("%(length)s characters; at most %(limit)s are allowed."),
            {"length": len(text), "limit": LONGEST_CANDIDATE},
        )
    label = label_of(text, turns)
    if label and fold(label) == fold(speaker):
        yield Flaw(
            field,
            "speaker_in_front",
            gettext_noop("Leave out “%(label)s:”. The speaker is added in front automatically."),
            {"label": label},
        )
    elif label:
        yield Flaw(
            field,
            "wrong_speaker",
            gettext_noop("The text starts with “%(label)s:”, but %(speaker)s speaks here."),
            {"label": label, "speaker": speaker or "?"},
        )


def label_of(text: str, turns: Sequence[Turn]) -> str:
    """Return the speaker's label written in front of a candidate; empty where it only begins with a word."""
    turn = parse_turn(text)
    known = GENERIC | {fold(each["speaker"]) for each in turns}
    return turn["speaker"] if turn and fold(turn["speaker"]) in known else ""


def _copies(turns: Sequence[Turn], cut: int, candidates: Sequence[str]) -> Iterator[Flaw]:
    """Refuse a candidate equal to the next turn: a reader who knows the source would need no reasoning."""
    if not 0 < cut < len(turns):
        return
    after = fold(turns[cut]["text"])
    for part, text in enumerate(candidates):
        if text.strip() and fold(text) == after:
            sentence = gettext_noop("These words follow the cut in the original dialogue: write something else.")
            yield Flaw(str(part), "copies_next", sentence)


def _equal(candidates: Sequence[str]) -> Iterator[Flaw]:
    first: dict[str, int] = {}
    for part, text in enumerate(candidates):
        if not text.strip():
            continue
        earlier = first.setdefault(fold(text), part)
        if earlier != part:
            yield Flaw(
                str(part),
                "equal",
                gettext_noop("The same as %(letter)s, except for case, spaces or punctuation."),
                {"letter": LETTERS[earlier]},
            )


def verdict(*, is_correct: bool, is_unique: bool, is_revisable: bool | None) -> InspectionVerdict:
    """Return accept if correct and unique, else return for revision if revisable, else discard (MuTual, 3.2).

    Raises ValueError where `is_revisable` is needed and missing.
    """
    if is_correct and is_unique:
        return InspectionVerdict.ACCEPT
    if is_revisable is None:
        raise ValueError("Whether it can be revised is asked where one of the two is doubted.")
    return InspectionVerdict.RETURN if is_revisable else InspectionVerdict.DISCARD


def combined_verdict(verdicts: Collection[InspectionVerdict]) -> InspectionVerdict:
    """Return the severest of several inspectors' verdicts. Raises ValueError without any."""
    return max(verdicts, key=(InspectionVerdict.ACCEPT, InspectionVerdict.RETURN, InspectionVerdict.DISCARD).index)


def may_be_returned(round: int, settings: RewritingSettings) -> bool:
    """Return whether a text written in this round (from 1) may be revised once more."""
    return round <= settings.rounds


def is_to_be_inspected(
    settings: RewritingSettings, seed: int, secret: str, item: str, author: str, *, earlier: int, round: int
) -> bool:
    """Return whether to inspect a submission: all revisions, an author's first ones, a drawn share of the rest.

    `earlier` is the number of the author's submissions before it. The draw depends on the secret, item and
    author, not on the time.
    """
    if round > 1 or earlier < settings.first_in_full:
        return True
    return 100 * uniforms(seed, "inspected", secret, item, author)[0] < settings.inspected_percent


def shown_order(seed: int, *names: str) -> list[int]:
    """Return the candidates' numbers in a drawn display order, the same for the same names."""
    return sorted(range(len(CandidateRole)), key=lambda part: uniforms(seed, *names, str(part)))
