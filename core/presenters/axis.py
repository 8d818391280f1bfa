"""Axis on which estimates and their intervals are drawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor
from typing import Self


@dataclass(frozen=True)
class Axis:
    low: float
    high: float

    @classmethod
    def around(cls, numbers: Iterable[float | None]) -> Self:
        """Return the axis from the tenth below the lowest to the tenth above the highest number; at least 0.1 long."""
        known = [number for number in numbers if number is not None]
        low, high = floor(min(known, default=0) * 10 + 1e-9) / 10, ceil(max(known, default=1) * 10 - 1e-9) / 10
        return cls(min(low, high - 0.1), high)

    def percent(self, value: float) -> str:
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}"

    def within(self, value: float) -> str:
        """Return the place of a value in per cent, at an end of the axis for one beyond it."""
        return self.percent(max(self.low, min(self.high, value)))
