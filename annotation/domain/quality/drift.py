"""Drift of a person's grades over time, beside what others gave the same items.

Only for items in a drawn order, so that early and late ones are alike; the order of an imported file is not drawn.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from core.domain.statistics import LEVEL, Interval, holm, student_p, student_quantile

LEAST = 30  # grades; ten in a third
LEAST_ERROR = 1e-9  # a smaller standard error is rounding: nothing varies

Person = TypeVar("Person")


class Trend(StrEnum):
    """Directions in which late grades may differ from early ones."""

    STEADY = "steady"
    STRICTER = "stricter"
    MILDER = "milder"


@dataclass(frozen=True)
class Drift:
    """The first third of a person's grades beside the last third, `n` grades each.

    `early_mean` and `late_mean` are means of a grade minus the mean of what others gave the same item; `ends` is the
    95 % interval of their difference, None where nothing varies. `p` is its p-value, `p_adjusted` that among all
    people shown.
    """

    n: int
    early_mean: float
    late_mean: float
    ends: Interval | None
    p: float
    p_adjusted: float

    @property
    def difference(self) -> float:
        """The late mean minus the early mean."""
        return self.late_mean - self.early_mean

    @property
    def trend(self) -> Trend:
        """Steady unless the adjusted p-value is below 5 %."""
        if self.p_adjusted >= 1 - LEVEL:
            return Trend.STEADY
        return Trend.MILDER if self.difference > 0 else Trend.STRICTER


def drifts(beside_others: Mapping[Person, ArrayLike]) -> dict[Person, Drift]:
    """Return the drift of each person with thirty grades or more, with p-values adjusted by Holm for their number.

    `beside_others` are each person's grades (n,) in the order given, minus the mean of others' grades of the item.
    """
    found = {person: each for person, own in beside_others.items() if (each := drift(own))}
    adjusted = holm([each.p for each in found.values()])
    return {person: replace(each, p_adjusted=p) for (person, each), p in zip(found.items(), adjusted, strict=True)}


def drift(beside_others: ArrayLike) -> Drift | None:
    """Return the drift of one person by Welch's t test (1947, Biometrika 34); None for fewer than thirty grades."""
    given = np.asarray(beside_others, dtype=float)
    n = len(given) // 3
    if len(given) < LEAST:
        return None
    early, late = given[:n], given[-n:]
    parts = np.array([early.var(ddof=1), late.var(ddof=1)]) / n
    error, difference = float(np.sqrt(parts.sum())), float(late.mean() - early.mean())
    p, ends = float(abs(difference) < LEAST_ERROR), None
    if error > LEAST_ERROR:
        degrees = float(parts.sum() ** 2 / (parts**2 / (n - 1)).sum())
        half_width = student_quantile(degrees) * error
        p, ends = student_p(difference / error, degrees), (difference - half_width, difference + half_width)
    return Drift(n, float(early.mean()), float(late.mean()), ends, p, p)
