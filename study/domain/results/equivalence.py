"""Whether two figures are similar: the difference lies within a margin that was fixed beforehand.

Two one-sided tests at 5 % each (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15): the same as the
90 % interval being inside the margin. A p above .05 of a test for a difference is no evidence of similarity.
"""

from dataclasses import dataclass
from typing import ClassVar

from core.domain.statistics import LEVEL, Interval


@dataclass(frozen=True)
class Equivalence:
    """Result of the two one-sided tests: the larger p of the two, and the 90 % interval. `margin` is a share."""

    LEVEL: ClassVar[float] = 2 * LEVEL - 1

    margin: float
    p: float
    interval: Interval
    is_similar: bool


def is_within(interval: Interval, margin: float) -> bool:
    return -margin < interval[0] and interval[1] < margin
