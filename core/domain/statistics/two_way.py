"""Error of a mean when both the people and the questions are samples."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.statistics.levels import LEVEL, FloatArray, Interval, student_quantile

IntArray = NDArray[np.int64]

MOST_UNUSED = 100  # times as many numbers as rows: beyond, to sort the rows is less work


@dataclass(frozen=True)
class TwoWay:
    """A mean over `n` answers of `people` to `items` (questions), and the parts of its squared error.

    An answer is worth `lowest` to 1. `by_people`, `by_items` and `by_answers` are sums of squared sums of residuals
    over n², without correction for the number of groups. `icc` is the intraclass correlation of people from a one-way
    analysis of variance, None where it is undefined: one person, one answer each, or no variance.
    """

    n: int
    mean: float
    people: int
    items: int
    by_people: float
    by_items: float
    by_answers: float
    people_mean: float
    people_sd: float | None
    icc: float | None
    lowest: float = 0.0

    @property
    def variance(self) -> float | None:
        """Two-way variance of the mean, never below that of independent answers.

        Cameron, Gelbach and Miller (2011, Journal of Business & Economic Statistics 29). None with one person or one
        question, whose spread cannot be estimated.
        """
        if self.people < 2 or self.items < 2:
            return None
        of_people = self.by_people * self.people / (self.people - 1)
        of_items = self.by_items * self.items / (self.items - 1)
        return max(of_people + of_items - self.by_answers, self.by_answers)

    @property
    def share(self) -> float:
        """The mean on a scale from 0 to 1."""
        return (self.mean - self.lowest) / (1 - self.lowest)

    @property
    def n_eff(self) -> float | None:
        """Effective sample size u(1 - u) / V on the scale from 0 to 1: right or wrong answers of equal precision.

        None without V, or where it is 0.
        """
        if not self.variance:
            return None
        return self.share * (1 - self.share) * (1 - self.lowest) ** 2 / self.variance

    @property
    def design_effect(self) -> float | None:
        """Design effect n / n_eff (Kish 1965), of people and questions together."""
        return self.n / self.n_eff if self.n_eff else None

    def people_interval(self, level: float = LEVEL) -> Interval | None:
        """Return Student's t interval of the people's own means; it may leave 0 to 1. None with one person."""
        if self.people_sd is None:
            return None
        half_width = student_quantile(self.people - 1, level) * self.people_sd / sqrt(self.people)
        return self.people_mean - half_width, self.people_mean + half_width


def two_way(values: ArrayLike, people: ArrayLike, items: ArrayLike, *, lowest: float = 0.0) -> TwoWay:
    """Return the mean of `values`, which lie between `lowest` and 1, and its error.

    The three columns have one row an answer: its value, its person and its question (`items`). The order of the rows
    and the names change nothing. Raises ValueError without rows, for a value out of range, and for a person who
    answered a question twice.
    """
    value = np.asarray(values, dtype=np.float64)
    if not value.size:
        raise ValueError("Without answers there is no mean.")
    if value.min() < lowest or value.max() > 1:
        raise ValueError(f"An answer is worth {lowest} to 1.")
    person, item = positions(people), positions(items)
    if not _are_distinct(person * (item.max() + 1) + item):
        raise ValueError("A person answered a question twice.")
    mean = exact_mean(value)
    residual = value - mean
    own_means = np.bincount(person, value) / np.bincount(person)
    return TwoWay(
        n=len(value),
        mean=mean,
        people=len(own_means),
        items=int(item.max()) + 1,
        by_people=_squares(residual, person),
        by_items=_squares(residual, item),
        by_answers=float(residual @ residual) / len(value) ** 2,
        people_mean=exact_mean(own_means),
        people_sd=float(own_means.std(ddof=1)) if len(own_means) > 1 else None,
        icc=_icc(value, person),
        lowest=lowest,
    )


def positions(names: ArrayLike) -> IntArray:
    """Return each row's index among the sorted distinct names; numbers of names from 0 need no sorting."""
    given = np.asarray(names)
    if not given.size or given.dtype.kind != "i" or given.min() < 0 or given.max() > MOST_UNUSED * given.size:
        return np.unique(given, return_inverse=True)[1].astype(np.int64)
    occurs = np.zeros(given.max() + 1, dtype=np.bool_)
    occurs[given] = True
    among: IntArray = (np.cumsum(occurs) - 1)[given]
    return among


def _are_distinct(cells: IntArray) -> bool:
    """Return whether no number occurs twice; those of a table in order ascend."""
    return bool((np.diff(cells) > 0).all()) or len(np.unique(cells)) == len(cells)


def exact_mean(values: FloatArray) -> float:
    """Return the mean; of equal values exactly that value."""
    return float(values[0]) if (values == values[0]).all() else float(values.mean())


def _squares(residual: FloatArray, group: IntArray) -> float:
    sums = np.bincount(group, residual)
    return float(sums @ sums) / len(residual) ** 2


def _icc(value: FloatArray, person: IntArray) -> float | None:
    """Return ICC(1) by analysis of variance.

    The size of unequal groups is that of Snedecor and Cochran (1967, 10.16).
    """
    sizes = np.bincount(person)
    n, groups = len(value), len(sizes)
    if groups < 2 or n == groups:
        return None
    means = np.bincount(person, value) / sizes
    between = float(sizes @ (means - value.mean()) ** 2) / (groups - 1)
    within = float(((value - means[person]) ** 2).sum()) / (n - groups)
    size = (n - float(sizes @ sizes) / n) / (groups - 1)
    spread = between + (size - 1) * within
    return (between - within) / spread if spread > 1e-12 else None
