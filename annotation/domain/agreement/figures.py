"""A figure with its intervals, or the reason why there is none."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotation.domain.agreement.patterns import FloatArray, IntArray
from core.domain.statistics import Interval, MissingFigure, normal_quantile, percentiles, wilson

Statistic = Callable[[FloatArray], dict[str, FloatArray]]

CELLS_AT_ONCE = 2**18  # most numbers in a chunk of draws or of derivatives: bounds the memory
STEP = 1e-20
LEAST_ERROR = 1e-9  # a smaller standard error is rounding: nothing varies
SHARES = ("percent", "gap_le_1")
LOWEST = {"percent": 0.0, "gap_le_1": 0.0, "ac2": -np.inf}  # AC2 can be -1.3 on five grades; others are at least -1


@dataclass(frozen=True)
class Figure:
    """A value with 95 % intervals over units; `why` gives the reason where `value` is None.

    `interval` is the bootstrap's, of a share Wilson's; where there is a value but no such interval, `interval_why`
    gives the reason. `undefined_draws` were left out of it. `standard_error` is the asymptotic one, 0 where nothing
    varies; no value is below `lowest`.
    """

    value: float | None
    why: MissingFigure | None = None
    standard_error: float | None = None
    interval: Interval | None = None
    interval_why: MissingFigure | None = None
    undefined_draws: int = 0
    lowest: float = -1.0

    @classmethod
    def of(cls, name: str, value: float, standard_error: float, units: int) -> "Figure":
        """Return the figure over `units` that have an item with two grades or more; NaN means undefined."""
        if units == 0:
            return cls(None, why=MissingFigure.NO_OVERLAP)
        if np.isnan(value):
            return cls(None, why=MissingFigure.ONE_CATEGORY)
        error = (float(standard_error) if standard_error > LEAST_ERROR else 0.0) if units > 1 else None
        return cls(float(value), standard_error=error, lowest=LOWEST.get(name, -1.0))

    @property
    def asymptotic(self) -> Interval | None:
        """Value plus and minus 1.96 standard errors, cut off at the figure's range: at most 1, at least `lowest`.

        None where nothing varies: an error of 0 says nothing of other units.
        """
        if self.value is None or not self.standard_error:
            return None
        half_width = normal_quantile() * self.standard_error
        return max(self.lowest, self.value - half_width), min(1.0, self.value + half_width)


@dataclass(frozen=True)
class UnitSums:
    """Contributions of units to the sums: a row for each kind, shape (kinds, columns), dense or sparse.

    `multiplicity` (kinds,) counts the units of each kind, `paired` all units that have an item with two grades or more.
    """

    rows: Any
    multiplicity: IntArray
    paired: int

    def sums(self) -> FloatArray:
        """Return the sums over all units, shape (columns,)."""
        total: FloatArray = self.multiplicity @ self.rows
        return total

    def resampled_sums(self, draws: int, generator: np.random.Generator) -> Iterator[FloatArray]:
        """Yield the sums over units drawn with replacement, `draws` rows in chunks of bounded size."""
        units = self.multiplicity.sum()
        chunk = max(1, CELLS_AT_ONCE // max(self.rows.shape))
        for start in range(0, draws, chunk):
            size = min(chunk, draws - start)
            yield generator.multinomial(units, self.multiplicity / units, size=size) @ self.rows


def estimate(statistic: Statistic, sample: UnitSums, draws: int, generator: np.random.Generator) -> dict[str, Figure]:
    """Return each figure of `statistic`, which maps sums (..., columns) to values (...), with its intervals."""
    figures = asymptotic_figures(statistic, sample)
    chunks = [statistic(sums) for sums in sample.resampled_sums(draws, generator)]
    drawn = {name: np.concatenate([np.empty(0), *(chunk[name] for chunk in chunks)]) for name in figures}
    return {name: _with_interval(name, figure, drawn[name], sample.paired) for name, figure in figures.items()}


def asymptotic_figures(statistic: Statistic, sample: UnitSums) -> dict[str, Figure]:
    """Return each figure of `statistic` with its asymptotic interval alone."""
    values, errors = statistic(sample.sums()), standard_errors(statistic, sample)
    return {name: Figure.of(name, float(values[name]), errors[name], sample.paired) for name in values}


def standard_errors(statistic: Statistic, sample: UnitSums) -> dict[str, float]:
    """Return asymptotic standard errors over units, by linearisation (the delta method for the multinomial).

    Where each item is a unit, this is for Cohen's kappa Fleiss, Cohen and Everitt (1969, Psychological Bulletin 72)
    and, where every item has two grades or more, with n for n - 1, Gwet's for AC1 (2008, British Journal of
    Mathematical and Statistical Psychology 61) and for Fleiss's kappa (2021, Educational and Psychological
    Measurement 81).
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
    """Return the standard error of a figure, given the `influence` of one unit of each kind; both (kinds,)."""
    mean = np.average(influence, weights=multiplicity)
    return float(np.sqrt(multiplicity @ (influence - mean) ** 2))


def share_interval(share: float, standard_error: float, units: int) -> Interval:
    """Return Wilson's interval on the number of units that would give this error if independent; else on all."""
    effective = share * (1 - share) / standard_error**2 if standard_error else units
    return wilson(share * effective, effective)


def _with_interval(name: str, figure: Figure, drawn: FloatArray, units: int) -> Figure:
    if figure.value is None:
        return figure
    if figure.standard_error is None:
        return replace(figure, interval_why=MissingFigure.ONE_ITEM)
    if name in SHARES:
        return replace(figure, interval=share_interval(figure.value, figure.standard_error, units))
    undefined = int(np.isnan(drawn).sum())
    if not figure.standard_error:
        return replace(figure, interval_why=MissingFigure.NO_VARIANCE, undefined_draws=undefined)
    interval = percentiles(drawn)
    why = None if interval else MissingFigure.TOO_FEW_DRAWS
    return replace(figure, interval=interval, interval_why=why, undefined_draws=undefined)
