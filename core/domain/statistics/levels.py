"""Level of every interval, the quantiles that belong to it, and the numbers of bootstrap draws."""

from statistics import NormalDist

import numpy as np
import scipy
from numpy.typing import NDArray

Interval = tuple[float, float]
FloatArray = NDArray[np.float64]

LEVEL = 0.95
DRAWS = 2_000  # of people and questions, or of the instances of a model's run
DRAWS_OF_ITEMS = 1_000  # of rated items: chance-corrected figures take longer
FEWEST_DRAWS = round(2 / (1 - LEVEL))  # 40: with fewer draws none lies beyond an end of the interval


def tail(level: float = LEVEL) -> float:
    """Return the share beyond each end of an interval. Raises ValueError for a level that is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"A level lies between 0 and 1, not {level}.")
    return (1 - level) / 2


def normal_quantile(level: float = LEVEL) -> float:
    """Return the number of standard errors on each side of an estimate: 1.96 for 95 %."""
    return NormalDist().inv_cdf(1 - tail(level))


def student_quantile(degrees: float, level: float = LEVEL) -> float:
    """Return the number of standard errors on each side of an estimate, by Student's t with so many degrees."""
    return float(scipy.special.stdtrit(degrees, 1 - tail(level)))


def student_p(t: float, degrees: float) -> float:
    """Return the two-sided p of a t with so many degrees of freedom."""
    return float(2 * scipy.special.stdtr(degrees, -abs(t)))


def percentiles(drawn: FloatArray, level: float = LEVEL) -> Interval | None:
    """Return the interval between two quantiles of the draws, without NaN.

    None without draws, and where more than half are NaN.
    """
    known = drawn[~np.isnan(drawn)]
    if not len(known) or 2 * len(known) < len(drawn):
        return None
    low, high = np.quantile(known, [tail(level), 1 - tail(level)])
    return float(low), float(high)
