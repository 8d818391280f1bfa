"""Drift of a person's grades over time. Pairs come in a drawn order, so early and late ones are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

LEAST = 30  # grades; ten in a third
Z = 1.959964  # of a 95 % interval


class Trend(StrEnum):
    """Directions in which late grades may differ from early ones."""

    STEADY = "steady"
    STRICTER = "stricter"
    MILDER = "milder"


@dataclass(frozen=True)
class Drift:
    """The first third of a person's grades beside the last third, `n` grades each.

    `early` and `late` are the shares of each grade of the scale; `difference` is the late mean minus the early one,
    `ends` its 95 % interval.
    """

    n: int
    early_mean: float
    late_mean: float
    early: tuple[float, ...]
    late: tuple[float, ...]
    ends: tuple[float, float]

    @property
    def difference(self) -> float:
        """The late mean minus the early mean."""
        return self.late_mean - self.early_mean

    @property
    def trend(self) -> Trend:
        """Steady where the interval of the difference includes zero."""
        low, high = self.ends
        if low <= 0 <= high:
            return Trend.STEADY
        return Trend.MILDER if low > 0 else Trend.STRICTER

    @property
    def most_moved(self) -> int:
        """Position in the scale of the grade whose share changed most."""
        return int(np.argmax(np.abs(np.subtract(self.late, self.early))))


def drift(grades: ArrayLike, scale: Sequence[int]) -> Drift | None:
    """Return the drift of one person's grades (n,), in the order given; None for fewer than thirty.

    The interval of the difference of means is Welch's, with the normal quantile.
    """
    given = np.asarray(grades, dtype=float)
    n = len(given) // 3
    if len(given) < LEAST:
        return None
    early, late = given[:n], given[-n:]
    error = float(np.sqrt((early.var(ddof=1) + late.var(ddof=1)) / n))
    difference = float(late.mean() - early.mean())
    return Drift(
        n=n,
        early_mean=float(early.mean()),
        late_mean=float(late.mean()),
        early=_shares(early, scale),
        late=_shares(late, scale),
        ends=(difference - Z * error, difference + Z * error),
    )


def _shares(given: ArrayLike, scale: Sequence[int]) -> tuple[float, ...]:
    return tuple(float(np.mean(np.asarray(given) == grade)) for grade in scale)
