"""Qualification: people may rate after grading pairs with known grades, and write after drafts for practice."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Protocol

from annotation.domain.agreement import grade_patterns, pairs_of_raters
from annotation.domain.qualification.gold import GoldSettings
from annotation.domain.rewriting.rewriting import RewritingSettings
from annotation.domain.workflow import AnnotatorState, AttemptState


class PracticeSettings(Protocol):
    """The settings for practice of both kinds of projects: size of an attempt (0: no practice), number of attempts."""

    @property
    def practice(self) -> int: ...
    @property
    def attempts(self) -> int: ...
    @property
    def items_of_attempt(self) -> int: ...


class QualificationStatus(StrEnum):
    """Permission to rate or write, or the step that comes before it."""

    FREE = "free"
    PAUSED = "paused"  # missed too many gold pairs: an inspector decides
    WAITING = "waiting"  # there are fewer gold pairs or practice items than an attempt takes
    NEW = "new"  # no attempt begun, or none since all were asked to pass again
    UNDER_WAY = "under_way"
    AGAIN = "again"  # the last attempt failed, another may begin
    FAILED = "failed"  # no attempt left


def qualification_status(
    settings: PracticeSettings, state: AnnotatorState, attempts: Sequence[AttemptState], items: int
) -> QualificationStatus:
    """Return the status of a person with these attempts, the oldest first.

    ``items`` is the number of gold pairs or practice items in the project.
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
    return QualificationStatus.AGAIN if since_asked(attempts) else QualificationStatus.NEW


def used_of(attempts: Sequence[AttemptState]) -> list[AttemptState]:
    """Return the attempts that count against a person's limit: all but the excused ones, since they were last asked."""
    return [state for state in since_asked(attempts) if state != AttemptState.EXCUSED]


def since_asked(attempts: Sequence[AttemptState]) -> list[AttemptState]:
    """Return the attempts since the person was last asked to pass again; all of them if they never were."""
    return list(reversed(list(takewhile(lambda state: state != AttemptState.OUTDATED, reversed(attempts)))))


@dataclass(frozen=True)
class Score:
    """Result of an attempt: number of grades equal to the known ones, and the quadratic kappa with them.

    Kappa is None where all known and all given grades are the same one, so that no mistake was possible.
    """

    pairs: int
    right: int
    kappa: float | None

    def passes(self, settings: GoldSettings) -> bool:
        """Return whether enough grades were right and the kappa, if there is one, is high enough."""
        is_close = self.kappa is None or round(self.kappa, 9) >= settings.least_kappa
        return self.right * 100 >= settings.practice_accuracy * self.pairs and is_close


def score(known: Sequence[int], given: Sequence[int], scale: Sequence[int]) -> Score:
    """Return the score of grades ``given`` to pairs with ``known`` grades, at least one, in the same order."""
    pairs = len(known)
    items = [*range(pairs), *range(pairs)]
    raters = [0] * pairs + [1] * pairs
    [compared] = pairs_of_raters(grade_patterns(items, raters, [*known, *given], scale))
    right = sum(one == other for one, other in zip(known, given, strict=True))
    return Score(pairs, right, compared.kappa_quadratic.value)


def window(accepted: Sequence[bool], drafts: int, settings: RewritingSettings) -> tuple[int, int, int]:
    """Return the window's size, the number of graded drafts in it, and the number of accepted ones.

    The window is the last graded drafts of an attempt of ``drafts``; ``accepted`` has a value for each graded draft, in
    the order of submission.
    """
    size = min(settings.practice_window, drafts)  # an attempt begun under other settings may have fewer
    last = accepted[-size:]
    return size, len(last), sum(last)


def outcome(accepted: Sequence[bool], drafts: int, settings: RewritingSettings) -> AttemptState:
    """Return the state of an attempt of ``drafts`` drafts after the graded ones in ``accepted``."""
    size, graded, good = window(accepted, drafts, settings)
    if graded == size and good * 100 >= settings.practice_threshold * size:
        return AttemptState.PASSED
    return AttemptState.FAILED if len(accepted) >= drafts else AttemptState.OPEN
