"""Agreement of rankings: Kendall's coefficient of concordance W, and Spearman's rank correlation, both with ties."""

from math import atanh, sqrt, tanh

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from core.domain.statistics.levels import Interval, normal_quantile

FEWEST_PAIRS = 5  # of an interval


def kendall_w(ranks: ArrayLike) -> float | None:
    """Return how far raters rank items alike: 1 for equal rankings, 0 where their sums of ranks are all the same.

    `ranks` has shape (raters, items); equal ranks of one rater are ties, whatever numbers they have. With R the sums of
    ranks of the n items over m raters and T the sums of t³ - t over each rater's groups of t tied items,
    W = 12 Σ(R - mean R)² / (m²(n³ - n) - m ΣT) (Kendall and Gibbons 1990, Rank Correlation Methods, chapter 6; Siegel
    and Castellan 1988, 9.6). None with one rater or one item, and where every rater ties all items.
    """
    given = np.atleast_2d(np.asarray(ranks, dtype=np.float64))
    raters, items = given.shape
    if raters < 2 or items < 2:
        return None
    ranked = scipy.stats.rankdata(given, axis=1)
    tied = sum(float((times**3 - times).sum()) for times in map(_times, ranked))
    most = raters**2 * (items**3 - items) - raters * tied
    sums = ranked.sum(axis=0)
    return float(12 * ((sums - sums.mean()) ** 2).sum() / most) if most > 0 else None


def spearman_rho(one: ArrayLike, other: ArrayLike) -> float | None:
    """Return the correlation of two rankings, ties at their mean rank (Spearman 1904); None where one ties all."""
    first, second = (scipy.stats.rankdata(np.asarray(ranks, dtype=np.float64)) for ranks in (one, other))
    first, second = first - first.mean(), second - second.mean()
    spread = float((first @ first) * (second @ second))
    return float(first @ second) / spread**0.5 if spread > 0 else None


def spearman_interval(rho: float, n: int) -> Interval | None:
    """Return the 95 % interval of Spearman's correlation of n pairs; None of fewer than five, and where it is 1 or -1.

    Fisher's transformation with the error of Bonett and Wright (2000, Psychometrika 65).
    """
    if n < FEWEST_PAIRS or abs(rho) >= 1:
        return None
    half = normal_quantile() * sqrt((1 + rho**2 / 2) / (n - 3))
    return tanh(atanh(rho) - half), tanh(atanh(rho) + half)


def _times(ranked: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the sizes of the groups of equal ranks."""
    return np.unique(ranked, return_counts=True)[1]
