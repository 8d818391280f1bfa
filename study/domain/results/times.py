"""Times of people: quartiles, where a deadline may have cut a time short, and classes of places in a survey."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import FloatArray

QUARTERS = (0.25, 0.5, 0.75)
CLOSE = 1e-9  # products of shares differ from a half by rounding
A_CLASS = 10  # positions in a class


class Quartiles(NamedTuple):
    """Quartiles of times; None for one that lies beyond what the deadline let be seen."""

    lower: float | None
    median: float | None
    upper: float | None


def quartiles(times: FloatArray, is_cut: NDArray[np.bool_]) -> Quartiles:
    """Return the quartiles of times, shape (n,), of which some are cut short: the true ones are longer.

    From the product-limit estimate of the share that lasts longer than t (Kaplan and Meier 1958). A quartile is the
    time at which that share falls below it, or the middle of the span on which it is equal (Brookmeyer and Crowley
    1982): where no time is cut, the median is the usual one.
    """
    ends, counts = np.unique(times[~is_cut], return_counts=True)
    at_risk = len(times) - np.searchsorted(np.sort(times), ends)
    lasting = np.cumprod(1 - counts / at_risk, dtype=np.float64)
    return Quartiles(*(_falls_to(1 - quarter, ends, lasting) for quarter in QUARTERS))


def _falls_to(share: float, ends: FloatArray, lasting: FloatArray) -> float | None:
    reached = np.flatnonzero(lasting <= share + CLOSE)
    if not len(reached):
        return None
    first = int(reached[0])
    is_equal = abs(lasting[first] - share) < CLOSE
    last = min(first + 1, len(ends) - 1) if is_equal else first
    return float(ends[first] + ends[last]) / 2


def position_class(position: int) -> str:
    """Return the ten places in a survey to which a place, from 1, belongs.

    >>> position_class(10), position_class(11)
    ('1–10', '11–20')
    """
    before = (position - 1) // A_CLASS * A_CLASS
    return f"{before + 1}–{before + A_CLASS}"
