"""Raters whose work needs a look: too fast to have read the pairs, or agreeing far less than the others do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TypeVar

LEAST_TIMED = 20  # pairs whose time was measured
FASTEST = 1.0  # seconds; a median below it is no reading
LEAST_SHARED = 30  # items graded together: of fewer a kappa says little
LOW_KAPPA = 0.2  # up to here agreement is slight (Landis and Koch 1977, Biometrics 33)
OTHERS_KAPPA = 0.5  # from here on the pairs are not the reason for a low one

Rater = TypeVar("Rater")


class Alert(StrEnum):
    """The reasons to look at a rater's work."""

    TOO_FAST = "too_fast"
    APART = "apart"


@dataclass(frozen=True)
class RaterFacts:
    """The median seconds over `timed` pairs, and the quadratic kappa with all partners on `shared` items."""

    timed: int
    median_seconds: float | None
    shared: int
    kappa: float | None


@dataclass(frozen=True)
class SharedItems:
    """The `n` items that two raters both graded, and their quadratic kappa."""

    raters: tuple[object, object]
    n: int
    kappa: float | None


def others_kappa(rater: object, pairs: Sequence[SharedItems]) -> float | None:
    """Return the median kappa of the pairs of raters without this one; None where no such pair shares enough items.

    A rater's own kappa must not count: with three raters it would pull down that of each of the others.
    """
    found = [each.kappa for each in pairs if rater not in each.raters and each.n >= LEAST_SHARED]
    return median(known) if (known := [kappa for kappa in found if kappa is not None]) else None


def alerts_of(raters: Mapping[Rater, RaterFacts], pairs: Sequence[SharedItems]) -> dict[Rater, list[Alert]]:
    """Return the alerts about each rater who has any.

    Too fast is a median below one second, over twenty pairs or more. Apart is a kappa with all partners below .2, over
    thirty items or more, while that of the others among themselves is above .5.
    """
    found = {
        rater: [
            alert
            for alert, is_raised in (
                (Alert.TOO_FAST, _is_too_fast(facts)),
                (Alert.APART, _is_apart(facts, others_kappa(rater, pairs))),
            )
            if is_raised
        ]
        for rater, facts in raters.items()
    }
    return {rater: alerts for rater, alerts in found.items() if alerts}


def _is_too_fast(facts: RaterFacts) -> bool:
    return facts.timed >= LEAST_TIMED and facts.median_seconds is not None and facts.median_seconds < FASTEST


def _is_apart(facts: RaterFacts, others: float | None) -> bool:
    is_low = facts.shared >= LEAST_SHARED and facts.kappa is not None and facts.kappa < LOW_KAPPA
    return is_low and others is not None and others > OTHERS_KAPPA
