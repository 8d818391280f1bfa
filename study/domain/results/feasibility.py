"""Whether printed figures can be together: R@1, R@2 and the mean reciprocal rank, with one true response."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

Ends = tuple[float, float]


class Impossible(StrEnum):
    """Why no ranking gives these figures."""

    ORDER = "order"  # R@1 is above R@2, which counts all that R@1 counts
    TWO = "two"  # R@2 is not 1: of two candidates the true one is always among the first two
    MRR = "mrr"  # it lies outside what the other figures leave


@dataclass(frozen=True)
class Feasibility:
    """Why the figures are impossible, rounding allowed for; `why` is None where they are possible.

    With the others exactly as printed MRR lies `between` these ends, and with them rounded where only rounding makes
    the figures possible; None where the others alone are impossible.
    """

    between: Ends | None
    why: Impossible | None = None

    @property
    def is_possible(self) -> bool:
        return self.why is None


def feasibility(r1: str, r2: str, mrr: str, candidates: int | None) -> Feasibility:
    """Check figures as printed, shares such as ".260"; each may be off by half a unit in its last digit.

    A figure that is not printed is "" and may be any; `candidates` is None where there may be any number. A response
    not in the first two ranks is third at best and last at worst. Raises ValueError for what is no share.
    """
    if candidates is not None and candidates < 2:
        raise ValueError("There are at least two candidates.")
    first, second, mean = (_ends(text, is_rounded=True) for text in (r1, r2, mrr))
    if first[0] > second[1] or _is_printed_below(r2, r1):
        return Feasibility(None, Impossible.ORDER)
    if candidates == 2 and second[1] < 1:
        return Feasibility(None, Impossible.TWO)
    rounded = low, high = _bounds(first, second, candidates)
    exact = _bounds(_ends(r1, is_rounded=False), _ends(r2, is_rounded=False), candidates)
    if mean[1] < low or high < mean[0]:
        return Feasibility(exact if exact[0] <= exact[1] else rounded, Impossible.MRR)
    printed = _ends(mrr, is_rounded=False)
    is_exact = exact[0] <= exact[1] and printed[0] <= exact[1] and exact[0] <= printed[1]
    return Feasibility(exact if is_exact else rounded)


def _is_printed_below(r2: str, r1: str) -> bool:
    """Return whether R@2 is below R@1 with as many digits: rounding never puts two figures in another order."""
    if not (r1 and r2):
        return False
    (first, of_first), (second, of_second) = as_printed(r1), as_printed(r2)
    return second < first and of_first == of_second


def as_printed(text: str) -> tuple[float, float]:
    """Return a printed share, and half a unit in its last digit. Raises ValueError for what is no share."""
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or not 0 <= number <= 1:
        raise ValueError(f"{text} is no share.")
    return float(number), 0.5 * 10.0**exponent * (1 + 1e-9)


def _ends(text: str, *, is_rounded: bool) -> Ends:
    """Return between what a printed figure lies."""
    if not text:
        return 0.0, 1.0
    value, off = as_printed(text)
    return (max(0.0, value - off), min(1.0, value + off)) if is_rounded else (value, value)


def _bounds(first: Ends, second: Ends, candidates: int | None) -> Ends:
    """Return between what MRR lies where R@1 and R@2 lie between these ends: it grows with both."""
    least = first[0], max(first[0], second[0])
    most = min(first[1], second[1]), second[1]
    return _mrr(*least, 1 / candidates if candidates else 0.0), _mrr(*most, 1 / min(3, candidates or 3))


def _mrr(r1: float, r2: float, beyond: float) -> float:
    """Return the mean reciprocal rank where that of responses beyond the second rank is `beyond`."""
    return r1 + (r2 - r1) / 2 + (1 - r2) * beyond
