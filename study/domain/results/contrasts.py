"""Differences of two means of answers, when both the people and the questions are samples."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from core.domain.statistics import (
    LEVEL,
    FloatArray,
    IntArray,
    Interval,
    positions,
    student_p,
    student_quantile,
    wilson,
)
from study.domain.results.equivalence import Equivalence, is_within
from study.domain.results.paired import POWER, without_noise

RANGE = 1.0  # of a difference of shares


@dataclass(frozen=True)
class Contrast:
    """A difference of two means with its two-way variance, None where one person or one question tells of no spread.

    Tests and intervals are by Student's t with `degrees` of freedom: people or questions, whichever are fewer, less
    one. `limit` is the largest difference there can be, infinite for logarithms.
    """

    mean: float
    variance: float | None
    degrees: int
    limit: float = RANGE

    @property
    def error(self) -> float | None:
        """The standard error; None where it is unknown or 0, since nothing varies then."""
        return sqrt(self.variance) if self.variance else None

    @property
    def p(self) -> float | None:
        """Two-sided p of no difference."""
        return student_p(self.mean / self.error, self.degrees) if self.error else None

    def interval(self, level: float = LEVEL) -> Interval | None:
        if not self.error:
            return None
        half_width = student_quantile(self.degrees, level) * self.error
        return max(-self.limit, self.mean - half_width), min(self.limit, self.mean + half_width)

    def equivalence(self, margin: float) -> Equivalence | None:
        """Return whether the difference lies within the margin; None without an error."""
        interval = self.interval(Equivalence.LEVEL)
        if not self.error or interval is None:
            return None
        nearest = (margin - abs(self.mean)) / self.error
        p = float(scipy.special.stdtr(self.degrees, -nearest))
        return Equivalence(margin, p, interval, is_within(interval, margin))

    def smallest(self, power: float = POWER) -> float | None:
        """Return the smallest difference that the test finds with this power (two-sided, 5 %).

        The error is taken to be the same at that difference (Cohen 1988, Statistical Power Analysis, 2). None without
        an error, and where it would be beyond the largest difference there can be.
        """
        if not self.error:
            return None
        of_power = float(scipy.special.stdtrit(self.degrees, power))
        smallest = (student_quantile(self.degrees) + of_power) * self.error
        return smallest if smallest <= self.limit else None


def two_way_variance(
    influence: FloatArray, people: IntArray, items: IntArray, group: NDArray[np.bool_] | None = None
) -> float | None:
    """Return the variance of an estimate from what each answer adds to it, shape (answers,).

    By people plus by items less by both, and never below that by both (Cameron, Gelbach and Miller 2011, Journal of
    Business & Economic Statistics 29). The people of each `group` are a sample of their own. None where a group has one
    person, or with one item.
    """
    groups = [np.ones(len(influence), dtype=np.bool_)] if group is None else [group, ~group]
    parts = [_by_cluster(influence[rows], people[rows]) for rows in groups]
    parts.append(_by_cluster(influence, items))
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    by_both = np.bincount(positions(people * (items.max() + 1) + items), influence)
    return max(sum(known) - float(by_both @ by_both), float(by_both @ by_both))


def _by_cluster(influence: FloatArray, cluster: IntArray) -> float | None:
    sums = np.bincount(positions(cluster), influence)
    return float(sums @ sums) * len(sums) / (len(sums) - 1) if len(sums) > 1 else None


def people_minus_model(
    values: ArrayLike,
    people: ArrayLike,
    questions: ArrayLike,
    model: Mapping[Any, float],
    *,
    wholes: ArrayLike | None = None,
) -> Contrast | None:
    """Return the mean over questions of people's share less the model's value; None without a common question.

    The columns are those of `comparison.difference`, and so is the mean.
    """
    asked = np.asarray(questions)
    both = np.isin(asked, list(model))
    if not both.any():
        return None
    person, question = positions(np.asarray(people)[both]), positions(asked[both])
    unit = question if wholes is None else positions(np.asarray(wholes)[both])
    worth = np.array([model[name] for name in asked[both].tolist()])
    apart = np.asarray(values, dtype=np.float64)[both] - worth
    weight = 1 / (np.bincount(question)[question] * (question.max() + 1))
    mean = float(weight @ apart)
    variance = two_way_variance(weight * without_noise(apart - mean), person, unit)
    return Contrast(mean, variance, int(min(person.max(), unit.max())))


def group_difference(values: ArrayLike, people: ArrayLike, items: ArrayLike, is_first: ArrayLike) -> Contrast | None:
    """Return the mean of one group's answers less that of the other's; None where one has no answers.

    Rows are answers, `is_first` marks those of the first group; nobody is in both. What a question adds to both groups
    cancels as far as both answered it.
    """
    value, first = np.asarray(values, dtype=np.float64), np.asarray(is_first, dtype=np.bool_)
    if first.all() or not first.any():
        return None
    means = float(value[first].mean()), float(value[~first].mean())
    apart = without_noise(np.where(first, value - means[0], means[1] - value))
    influence = apart / np.where(first, first.sum(), (~first).sum())
    person, item = positions(people), positions(items)
    fewest = min(len(np.unique(person[first])), len(np.unique(person[~first])), int(item.max()) + 1)
    return Contrast(means[0] - means[1], two_way_variance(influence, person, item, first), fewest - 1)


def newcombe_unpaired(first: tuple[float, float], second: tuple[float, float], level: float = LEVEL) -> Interval:
    """Return the interval of the difference of two independent shares, each (successes, trials).

    Newcombe's method 10 (1998, Statistics in Medicine 17, 873): the distances to the ends of both Wilson intervals,
    squared and added. Raises ValueError for what is no share.
    """
    (low_1, high_1), (low_2, high_2) = wilson(*first, level), wilson(*second, level)
    p_1, p_2 = first[0] / first[1], second[0] / second[1]
    below = sqrt((p_1 - low_1) ** 2 + (high_2 - p_2) ** 2)
    above = sqrt((high_1 - p_1) ** 2 + (p_2 - low_2) ** 2)
    return p_1 - p_2 - below, p_1 - p_2 + above
