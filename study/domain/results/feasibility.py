"""Which figures can be: with n candidates and one true response, R@1 and R@2 bound the mean reciprocal rank."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Feasibility:
    """The interval in which MRR lies for this R@1 and R@2, and whether it can, allowing for how figures are rounded."""

    low: float
    high: float
    is_possible: bool


def feasibility(r1: str, r2: str, mrr: str, candidates: int) -> Feasibility:
    """Judge figures as they are printed, shares such as ".260": what is not in the first two ranks stands third at
    best and last at worst. Each of them may be off by half a unit in its last digit. ValueError for what is no share.
    """
    if candidates < 2:
        raise ValueError("There are at least two candidates.")
    (first, first_off), (second, second_off), (mean, mean_off) = (_printed(text) for text in (r1, r2, mrr))
    low, high = _bounds(first, second, candidates)
    lowest, _ = _bounds(first - first_off, second - second_off, candidates)
    _, highest = _bounds(first + first_off, min(1.0, second + second_off), candidates)
    is_ordered = first - first_off <= second + second_off
    return Feasibility(low, high, is_ordered and lowest <= mean + mean_off and mean - mean_off <= highest)


def _printed(text: str) -> tuple[float, float]:
    """A printed share and half a unit in its last digit."""
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or not 0 <= number <= 1:
        raise ValueError(f"{text} is no share.")
    return float(number), 0.5 * 10.0**exponent * (1 + 1e-9)


def _bounds(r1: float, r2: float, candidates: int) -> tuple[float, float]:
    """Both ends for exact figures. With two candidates nothing stands third."""
    sure = r1 + (r2 - r1) / 2
    return sure + (1 - r2) / candidates, sure + (1 - r2) / min(3, candidates)
