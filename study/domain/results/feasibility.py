"""Bounds of the mean reciprocal rank, given R@1 and R@2, n candidates and one true response."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Feasibility:
    """Interval of MRR for this R@1 and R@2, and whether the printed MRR is possible, allowing for rounding."""

    low: float
    high: float
    is_possible: bool


def feasibility(r1: str, r2: str, mrr: str, candidates: int) -> Feasibility:
    """Check figures as printed, shares such as ".260"; each may be off by half a unit in its last digit.

    A response not in the first two ranks is third at best and last at worst. Raises ValueError for what is no share.
    """
    if candidates < 2:
        raise ValueError("There are at least two candidates.")
    (first, first_off), (second, second_off), (mean, mean_off) = (as_printed(text) for text in (r1, r2, mrr))
    low, high = _bounds(first, second, candidates)
    lowest, _ = _bounds(first - first_off, second - second_off, candidates)
    _, highest = _bounds(first + first_off, min(1.0, second + second_off), candidates)
    return Feasibility(low, high, is_in_order(r1, r2) and lowest <= mean + mean_off and mean - mean_off <= highest)


def is_in_order(r1: str, r2: str) -> bool:
    """Return whether R@1 is at most R@2, allowing for the rounding of both. Raises ValueError for what is no share."""
    (first, first_off), (second, second_off) = as_printed(r1), as_printed(r2)
    return first - first_off <= second + second_off


def as_printed(text: str) -> tuple[float, float]:
    """Return a printed share, and half a unit in its last digit. Raises ValueError for what is no share."""
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or not 0 <= number <= 1:
        raise ValueError(f"{text} is no share.")
    return float(number), 0.5 * 10.0**exponent * (1 + 1e-9)


def _bounds(r1: float, r2: float, candidates: int) -> tuple[float, float]:
    """Return both ends for exact figures. With two candidates there is no third rank."""
    sure = r1 + (r2 - r1) / 2
    return sure + (1 - r2) / candidates, sure + (1 - r2) / min(3, candidates)
