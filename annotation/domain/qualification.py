"""Qualification: who may rate, by how they graded pairs whose grade is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotation.domain.agreement import grade_patterns, pairs_of_raters
from annotation.domain.gold import GoldSettings
from annotation.domain.workflow import AttemptState, RaterState


class Standing(StrEnum):
    """Whether somebody may rate, and if not, what comes next."""

    FREE = "free"
    PAUSED = "paused"  # too many gold pairs missed: an inspector decides
    WAITING = "waiting"  # there are fewer gold pairs than an attempt takes
    NEW = "new"  # no attempt begun
    UNDER_WAY = "under_way"
    AGAIN = "again"  # the last attempt failed, another one may be begun
    FAILED = "failed"  # no attempt left


def standing(settings: GoldSettings, state: RaterState, attempts: Sequence[AttemptState], gold: int) -> Standing:
    """Where a person stands with these attempts, the oldest first, in a project with that many ``gold`` pairs."""
    if state == RaterState.PAUSED:
        return Standing.PAUSED
    if not settings.practice or AttemptState.PASSED in attempts:
        return Standing.FREE
    if AttemptState.OPEN in attempts:
        return Standing.UNDER_WAY
    if len(used_of(attempts)) >= settings.attempts:
        return Standing.FAILED
    if gold < settings.practice:
        return Standing.WAITING
    return Standing.AGAIN if attempts else Standing.NEW


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
