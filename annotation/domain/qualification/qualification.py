"""Qualification: who may rate, by how they graded pairs whose grade is known; who may write, by drafts for practice."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from annotation.domain.agreement import grade_patterns, pairs_of_raters
from annotation.domain.qualification.gold import GoldSettings
from annotation.domain.rewriting.rewriting import RewritingSettings
from annotation.domain.workflow import AnnotatorState, AttemptState


class PracticeSettings(Protocol):
    """What both kinds of projects choose: how much an attempt has (0: nobody has to practise), how many there are."""

    @property
    def practice(self) -> int: ...
    @property
    def attempts(self) -> int: ...
    @property
    def items_of_attempt(self) -> int: ...


class QualificationStatus(StrEnum):
    """Whether somebody may rate or write, and if not, what comes next."""

    FREE = "free"
    PAUSED = "paused"  # too many gold pairs missed: an inspector decides
    WAITING = "waiting"  # there are fewer gold pairs or practice items than an attempt takes
    NEW = "new"  # no attempt begun
    UNDER_WAY = "under_way"
    AGAIN = "again"  # the last attempt failed, another one may be begun
    FAILED = "failed"  # no attempt left


def qualification_status(
    settings: PracticeSettings, state: AnnotatorState, attempts: Sequence[AttemptState], items: int
) -> QualificationStatus:
    """Where a person stands with these attempts, the oldest first, in a project with so many ``items`` to practise on:
    gold pairs, or practice items.
    """
    if state == AnnotatorState.PAUSED:
        return QualificationStatus.PAUSED
    if not settings.practice or AttemptState.PASSED in attempts:
        return QualificationStatus.FREE
    if AttemptState.OPEN in attempts:
        return QualificationStatus.UNDER_WAY
    if len(used_of(attempts)) >= settings.attempts:
        return QualificationStatus.FAILED
    if items < settings.items_of_attempt:
        return QualificationStatus.WAITING
    return QualificationStatus.AGAIN if attempts else QualificationStatus.NEW


def used_of(attempts: Sequence[AttemptState]) -> list[AttemptState]:
    """Those that count against the number a person has."""
    return [state for state in attempts if state != AttemptState.EXCUSED]


@dataclass(frozen=True)
class Score:
    """What an attempt came to: grades equal to the known ones, and the quadratically weighted kappa of the two.

    Kappa is None where all known and all given grades are the same one, so that nothing could have been mistaken.
    """

    pairs: int
    right: int
    kappa: float | None

    def passes(self, settings: GoldSettings) -> bool:
        """Whether enough grades were right and the kappa, if there is one, is high enough."""
        is_close = self.kappa is None or round(self.kappa, 9) >= settings.least_kappa
        return self.right * 100 >= settings.practice_accuracy * self.pairs and is_close


def score(known: Sequence[int], given: Sequence[int], scale: Sequence[int]) -> Score:
    """The score of grades ``given`` to pairs whose grades are ``known``, at least one, in the same order."""
    pairs = len(known)
    items = [*range(pairs), *range(pairs)]
    raters = [0] * pairs + [1] * pairs
    [compared] = pairs_of_raters(grade_patterns(items, raters, [*known, *given], scale))
    right = sum(one == other for one, other in zip(known, given, strict=True))
    return Score(pairs, right, compared.kappa_quadratic.value)


def window(accepted: Sequence[bool], drafts: int, settings: RewritingSettings) -> tuple[int, int, int]:
    """Of the last graded drafts of an attempt of ``drafts``: how many look back, how many are graded, how many of these
    are accepted. ``accepted`` says it of each graded draft, in the order in which they were handed in.
    """
    size = min(settings.practice_window, drafts)  # an attempt begun under other settings may have fewer
    last = accepted[-size:]
    return size, len(last), sum(last)


def outcome(accepted: Sequence[bool], drafts: int, settings: RewritingSettings) -> AttemptState:
    """What an attempt of so many ``drafts`` has come to, once those are graded that ``accepted`` tells of."""
    size, graded, good = window(accepted, drafts, settings)
    if graded == size and good * 100 >= settings.practice_threshold * size:
        return AttemptState.PASSED
    return AttemptState.FAILED if len(accepted) >= drafts else AttemptState.OPEN
