"""Response times: medians, and the ratio of two groups, with questions that the deadline cut off.

A question that was on the screen when the time ran out was not answered faster than that: its time is censored there.
To leave such questions out would make people look faster than they are.
"""

from dataclasses import dataclass
from math import exp, inf

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from core.domain.statistics import DRAWS, FloatArray, IntArray, Interval, percentiles, positions, resampled
from study.domain.results.contrasts import Contrast, two_way_variance

HALF = 0.5
NEARLY = 1e-9  # of a half, but for rounding
AT_ONCE = 2**20  # numbers held by a chunk of draws, to bound the memory
STEPS, CLOSE = 100, 1e-12  # of Newton's method


@dataclass(frozen=True)
class MedianTime:
    """Median seconds of an answer, and its two-way interval, over `n` questions shown of which `censored` were cut off.

    None where more than half of the questions were cut off before it.
    """

    seconds: float | None
    interval: Interval | None
    n: int
    censored: int


@dataclass(frozen=True)
class TimeRatio:
    """How many times as long the first group takes as the second: the ratio of the medians of log-normal times.

    The interval is None, and p too, with one person in a group or one question.
    """

    ratio: float
    interval: Interval | None
    p: float | None
    n: int
    censored: int


def median_time(
    seconds: ArrayLike,
    is_censored: ArrayLike,
    people: ArrayLike,
    items: ArrayLike,
    *,
    generator: np.random.Generator,
    draws: int = DRAWS,
) -> MedianTime:
    """Return the median by the product-limit estimate (Kaplan and Meier 1958, Journal of the American Statistical
    Association 53), and its percentile interval over draws of people and questions together.

    Rows are questions shown. A draw in which the median is beyond every answer is left out. Raises ValueError without
    rows, and for a time that is not above 0.
    """
    time, cut = _times(seconds, is_censored)
    order = np.lexsort((cut, time))  # at one time, answers before those that were cut off
    time, cut = time[order], cut[order]
    person, item = positions(people)[order], positions(items)[order]
    groups = int(person.max()) + 1, int(item.max()) + 1
    interval = None
    if min(groups) > 1:
        chunks = np.array_split(np.arange(draws), max(1, draws * len(time) // AT_ONCE))
        weights = (_weights(person, item, groups, len(chunk), generator) for chunk in chunks if len(chunk))
        interval = percentiles(np.concatenate([_medians(time, cut, each) for each in weights]))
    [found] = _medians(time, cut, np.ones((1, len(time)))).tolist()
    return MedianTime(None if np.isnan(found) else found, interval, len(time), int(cut.sum()))


def _times(seconds: ArrayLike, is_censored: ArrayLike) -> tuple[FloatArray, NDArray[np.bool_]]:
    time, cut = np.asarray(seconds, dtype=np.float64), np.asarray(is_censored, dtype=np.bool_)
    if not len(time) or not (np.isfinite(time) & (time > 0)).all():
        raise ValueError("Times are known, and above 0.")
    return time, cut


def _weights(
    person: IntArray, item: IntArray, groups: tuple[int, int], draws: int, generator: np.random.Generator
) -> FloatArray:
    people_drawn, items_drawn = (resampled(count, draws, generator) for count in groups)
    return people_drawn[:, person] * items_drawn[:, item]


def _medians(time: FloatArray, cut: NDArray[np.bool_], weights: FloatArray) -> FloatArray:
    """Return the median of the sorted times in each draw, shape (draws,); NaN where it is beyond every answer.

    Where exactly half are slower it is midway between two answers, as the median of an even number is.
    """
    waiting = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]
    answered = np.where(cut, 0.0, weights)
    passed = np.divide(answered, waiting, out=np.zeros_like(waiting), where=waiting > 0)
    slower = np.cumprod(1 - passed, axis=1)
    last = len(time) - 1
    first, second = (slower <= HALF + NEARLY), (slower < HALF - NEARLY)
    lower = np.where(first.any(axis=1), time[first.argmax(axis=1)], np.nan)
    upper = np.where(second.any(axis=1), time[np.minimum(second.argmax(axis=1), last)], lower)
    medians: FloatArray = (lower + upper) / 2
    return medians


def time_ratio(
    seconds: ArrayLike, is_censored: ArrayLike, people: ArrayLike, items: ArrayLike, is_first: ArrayLike
) -> TimeRatio | None:
    """Compare the times of two groups on the logarithm; None where one has no answer, or all times are equal.

    Logarithms are normal around a mean for each group with one deviation; what was cut off counts by its chance to last
    longer (Tobin 1958, Econometrica 26). The error is two-way, over people and questions, and holds whatever the shape
    of the times. Raises ValueError as `median_time`.
    """
    time, cut = _times(seconds, is_censored)
    first = np.asarray(is_first, dtype=np.bool_)
    if not ((first & ~cut).any() and (~first & ~cut).any()):
        return None
    logs = np.log(time)
    rows = np.column_stack([np.ones(len(logs)), first, -logs])
    fitted = _fit(rows, cut)
    if fitted is None:
        return None
    contrast = _contrast(rows, cut, fitted, positions(people), positions(items), first)
    ends = contrast.interval()
    interval = None if ends is None else (exp(ends[0]), exp(ends[1]))
    return TimeRatio(exp(contrast.mean), interval, contrast.p, len(time), int(cut.sum()))


def _fit(rows: FloatArray, cut: NDArray[np.bool_]) -> FloatArray | None:
    """Return the likeliest coefficients, each over the deviation, and one over the deviation; None without spread.

    In these the likelihood is concave (Olsen 1978, Econometrica 46), so that Newton's steps end at its top.
    """
    known, outcome = rows[~cut], -rows[~cut, -1]
    start, *_rest = np.linalg.lstsq(known[:, :-1], outcome, rcond=None)
    deviation = float((outcome - known[:, :-1] @ start).std())
    if deviation < NEARLY:
        return None
    fitted: FloatArray = np.append(start, 1.0) / deviation
    for _step in range(STEPS):
        scores, curvature = _slopes(rows, cut, fitted)
        step = np.linalg.solve(curvature, scores.sum(axis=0))
        while fitted[-1] + step[-1] <= 0:
            step /= 2
        fitted = fitted + step
        if float(abs(step).max()) < CLOSE * float(abs(fitted).max()):
            break
    return fitted


def _slopes(rows: FloatArray, cut: NDArray[np.bool_], fitted: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the slope of each row's log-likelihood, shape (rows, coefficients), and minus the second derivative."""
    at = rows @ fitted
    hazard = np.exp(scipy.stats.norm.logpdf(at) - scipy.stats.norm.logcdf(at))
    scores = rows * np.where(cut, hazard, -at)[:, None]
    scores[~cut, -1] += 1 / fitted[-1]
    bend = np.where(cut, hazard * (at + hazard), 1.0)
    curvature = (rows * bend[:, None]).T @ rows
    curvature[-1, -1] += (~cut).sum() / fitted[-1] ** 2
    return scores, curvature


def _contrast(
    rows: FloatArray,
    cut: NDArray[np.bool_],
    fitted: FloatArray,
    people: IntArray,
    items: IntArray,
    first: NDArray[np.bool_],
) -> Contrast:
    """Return the difference of the two groups on the logarithm, with the error of what each row adds to it."""
    scores, curvature = _slopes(rows, cut, fitted)
    _mean, apart, precision = fitted.tolist()
    gradient = np.array([0.0, 1 / precision, -apart / precision**2])
    influence = scores @ np.linalg.solve(curvature, gradient)
    fewest = min(len(np.unique(people[first])), len(np.unique(people[~first])), len(np.unique(items)))
    return Contrast(apart / precision, two_way_variance(influence, people, items, first), fewest - 1, limit=inf)
