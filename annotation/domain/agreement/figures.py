"""A figure with its intervals, or the reason why there is none."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import NormalDist
from typing import Any

import numpy as np

from annotation.domain.agreement.patterns import FloatArray, IntArray

Interval = tuple[float, float]
Statistic = Callable[[FloatArray], dict[str, FloatArray]]

CONFIDENCE = 0.95
CELLS_AT_ONCE = 2**18  # most numbers in a chunk of draws or of derivatives: bounds the memory
STEP = 1e-20
LOWEST = {"percent": 0.0, "gap_le_1": 0.0, "ac2": -np.inf}  # AC2 can be -1.3 on five grades; others are at least -1


class MissingFigure(StrEnum):
    """Reasons why a value or an interval is missing."""

    NO_OVERLAP = "no_overlap"  # no item has two grades
    ONE_CATEGORY = "one_category"  # all grades are the same: agreement by chance is certain
    ONE_ITEM = "one_item"  # nothing to resample
    TOO_FEW_DRAWS = "too_few_draws"  # undefined in more than half of the bootstrap's draws, or none were asked for


@dataclass(frozen=True)
class Figure:
    """A value with 95 % intervals over items; `why` gives the reason where `value` is None.

    `bootstrap` is the percentile interval; where there is a value but no such interval, `bootstrap_why` gives the
    reason. `undefined_draws` were left out of it. `standard_error` is the asymptotic one; no value is below `lowest`.
    """

    value: float | None
    why: MissingFigure | None = None
    standard_error: float | None = None
    bootstrap: Interval | None = None
    bootstrap_why: MissingFigure | None = None
    undefined_draws: int = 0
    lowest: float = -1.0

    @classmethod
    def of(cls, name: str, value: float, standard_error: float, items: int) -> "Figure":
        """Return the figure with this name over `items` with two grades or more; NaN means undefined."""
        if items == 0:
            return cls(None, why=MissingFigure.NO_OVERLAP)
        if np.isnan(value):
            return cls(None, why=MissingFigure.ONE_CATEGORY)
        error = float(standard_error) if items > 1 else None
        return cls(float(value), standard_error=error, lowest=LOWEST.get(name, -1.0))

    @property
    def asymptotic(self) -> Interval | None:
        """Value plus and minus 1.96 standard errors, cut off at the figure's range: at most 1, at least `lowest`."""
        if self.value is None or self.standard_error is None:
            return None
        half_width = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.standard_error
        return max(self.lowest, self.value - half_width), min(1.0, self.value + half_width)


@dataclass(frozen=True)
class ItemSums:
    """Contributions of items to the sums: a row for each pattern, shape (patterns, columns), dense or sparse.

    `multiplicity` (patterns,) counts the items of each pattern, `paired` all items with two grades or more.
    """

    rows: Any
    multiplicity: IntArray
    paired: int

    def sums(self) -> FloatArray:
        """Return the sums over all items, shape (columns,)."""
        total: FloatArray = self.multiplicity @ self.rows
        return total

    def resampled_sums(self, draws: int, generator: np.random.Generator) -> Iterator[FloatArray]:
        """Yield the sums over items drawn with replacement, `draws` rows in chunks of bounded size."""
        items = self.multiplicity.sum()
        chunk = max(1, CELLS_AT_ONCE // max(self.rows.shape))
        for start in range(0, draws, chunk):
            size = min(chunk, draws - start)
            yield generator.multinomial(items, self.multiplicity / items, size=size) @ self.rows


def estimate(
    statistic: Statistic, sample: ItemSums, errors: dict[str, float], draws: int, generator: np.random.Generator
) -> dict[str, Figure]:
    """Return each figure of `statistic`, which maps sums (..., columns) to values (...), with its intervals."""
    values = statistic(sample.sums())
    chunks = [statistic(sums) for sums in sample.resampled_sums(draws, generator)]
    drawn = {name: np.concatenate([np.empty(0), *(chunk[name] for chunk in chunks)]) for name in values}
    figures = {name: Figure.of(name, float(values[name]), errors[name], sample.paired) for name in values}
    return {name: _bootstrapped(figure, drawn[name], sample.paired) for name, figure in figures.items()}


def standard_errors(statistic: Statistic, sample: ItemSums) -> dict[str, float]:
    """Return asymptotic standard errors over items, by linearisation (the delta method for the multinomial).

    For Cohen's kappa this is Fleiss, Cohen and Everitt (1969, Psychological Bulletin 72). Where every item has two
    grades or more it is, with n for n - 1, Gwet's for AC1 (2008, British Journal of Mathematical and Statistical
    Psychology 61) and for Fleiss's kappa (2021, Educational and Psychological Measurement 81).
    """
    influence = {name: sample.rows @ slope for name, slope in gradients(statistic, sample.sums()).items()}
    return {name: standard_error(effect, sample.multiplicity) for name, effect in influence.items()}


def gradients(statistic: Statistic, sums: FloatArray) -> dict[str, FloatArray]:
    """Return the derivative of each figure by each column of `sums` (..., columns), in the same shape.

    Uses a complex step (Squire and Trapp 1998, SIAM Review 40): exact to rounding, because nothing is subtracted.
    """
    columns = sums.shape[-1]
    chunk = max(1, CELLS_AT_ONCE // sums.size)
    steps = (1j * STEP * np.eye(min(chunk, columns - start), columns, start) for start in range(0, columns, chunk))
    changed = [statistic(sums + np.expand_dims(step, tuple(range(1, sums.ndim)))) for step in steps]
    return {
        name: np.moveaxis(np.concatenate([part[name].imag for part in changed]), 0, -1) / STEP for name in changed[0]
    }


def standard_error(influence: FloatArray, multiplicity: IntArray) -> float:
    """Return the standard error of a figure, given the `influence` of one item of each pattern; both (patterns,)."""
    mean = np.average(influence, weights=multiplicity)
    return float(np.sqrt(multiplicity @ (influence - mean) ** 2))


def _bootstrapped(figure: Figure, drawn: FloatArray, items: int) -> Figure:
    if figure.value is None:
        return figure
    if items < 2:
        return replace(figure, bootstrap_why=MissingFigure.ONE_ITEM)
    defined = drawn[~np.isnan(drawn)]
    undefined = len(drawn) - len(defined)
    if len(defined) == 0 or undefined > len(defined):
        return replace(figure, bootstrap_why=MissingFigure.TOO_FEW_DRAWS, undefined_draws=undefined)
    low, high = np.quantile(defined, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]).tolist()
    return replace(figure, bootstrap=(low, high), undefined_draws=undefined)
