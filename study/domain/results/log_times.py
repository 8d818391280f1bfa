"""How many times as long one group takes as another: a model on the logarithm of times, some of them cut short."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import norm

from core.domain.statistics import FloatArray, IntArray, Interval, student_p, student_quantile


@dataclass(frozen=True)
class TimesAsLong:
    """How many times as long a group takes as the reference; the interval and p are for other people and questions."""

    group: int
    ratio: float
    interval: Interval | None
    p: float | None


def times_as_long(
    times: FloatArray,
    is_cut: NDArray[np.bool_],
    groups: IntArray,
    *,
    beside: Sequence[IntArray],
    people: IntArray,
    questions: IntArray,
) -> list[TimesAsLong]:
    """Return the ratio of each group's times to those of group 0, where what is `beside` is the same.

    All have the shape (n,); times are above 0, the others are codes from 0. The logarithm of a time is normal around a
    sum of effects, and a time that is cut short is only known to be longer (Tobin 1958; Amemiya 1984), by maximum
    likelihood. The error is two-way over people and questions (Cameron, Gelbach and Miller 2011), with Student's
    quantile of the people of the smaller group or the questions, whichever are fewer, less one; there is no interval
    with one person or one question.
    """
    effects = [column for codes in (groups, *beside) for column in _effects(codes)]
    design = np.column_stack([np.ones(len(times)), *effects])
    logs = np.log(times)
    found = _most_likely(design, logs, is_cut)
    variance = _variance(design, logs, is_cut, found, people, questions)
    sizes = [len(np.unique(people[groups == group])) for group in range(int(groups.max()) + 1)]
    asked = len(np.unique(questions))
    return [
        _ratio(group, found[group], variance, min(sizes[0], size, asked) - 1)
        for group, size in enumerate(sizes)
        if group
    ]


def _effects(codes: IntArray) -> list[FloatArray]:
    """Return a column of zeros and ones for each code but the first."""
    return [(codes == code).astype(np.float64) for code in range(1, int(codes.max(initial=0)) + 1)]


def _most_likely(design: FloatArray, logs: FloatArray, is_cut: NDArray[np.bool_]) -> FloatArray:
    """Return the effects and the logarithm of the standard deviation; without cut times, least squares finds them."""
    effects = np.linalg.lstsq(design, logs, rcond=None)[0]
    start = np.append(effects, np.log(max(float(np.std(logs - design @ effects)), 1e-6)))
    if not is_cut.any():
        return start

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        z = (logs - design @ at[:-1]) / np.exp(at[-1])
        likely = np.where(is_cut, norm.logsf(z), norm.logpdf(z) - at[-1])
        return -float(likely.sum()) / len(logs), -_scores(design, z, is_cut, at[-1]).sum(axis=0) / len(logs)

    found: FloatArray = minimize(loss, start, jac=True, method="BFGS").x
    return found


def _scores(design: FloatArray, z: FloatArray, is_cut: NDArray[np.bool_], log_sd: float) -> FloatArray:
    """Return the gradient of each time's log-likelihood, shape (n, effects + 1)."""
    pull = np.where(is_cut, _hazard(z), z)
    of_sd = np.where(is_cut, z * pull, z**2 - 1)
    return np.column_stack([design * (pull / np.exp(log_sd))[:, None], of_sd])


def _hazard(z: FloatArray) -> FloatArray:
    hazard: FloatArray = np.exp(norm.logpdf(z) - norm.logsf(z))
    return hazard


def _variance(
    design: FloatArray,
    logs: FloatArray,
    is_cut: NDArray[np.bool_],
    found: FloatArray,
    people: IntArray,
    questions: IntArray,
) -> FloatArray:
    """Return the two-way sandwich of the effects, never below that of independent times on its diagonal."""
    z = (logs - design @ found[:-1]) / np.exp(found[-1])
    scores = _scores(design, z, is_cut, found[-1])
    bread = np.linalg.pinv(_information(design, z, is_cut, found[-1]))
    of_people, of_questions = (_spread(scores, codes) for codes in (people, questions))
    alone = scores.T @ scores
    both, least = (bread @ middle @ bread for middle in (of_people + of_questions - alone, alone))
    is_below = np.diag(both) < np.diag(least)
    return np.where(is_below, np.diag(least), np.diag(both))


def _information(design: FloatArray, z: FloatArray, is_cut: NDArray[np.bool_], log_sd: float) -> FloatArray:
    """Return the observed information: less the second derivatives of the log-likelihood."""
    hazard, sd = _hazard(z), float(np.exp(log_sd))
    bend = hazard * (hazard - z)  # the derivative of the hazard
    weight = np.where(is_cut, bend, 1.0) / sd**2
    mixed = np.where(is_cut, hazard + z * bend, 2 * z) / sd
    of_sd = np.where(is_cut, z * hazard + z**2 * bend, 2 * z**2).sum()
    cross = design.T @ mixed
    return np.block([[design.T @ (design * weight[:, None]), cross[:, None]], [cross[None, :], np.array([[of_sd]])]])


def _spread(scores: FloatArray, codes: IntArray) -> FloatArray:
    """Return the sum of squared sums of the scores within each cluster, corrected for their number."""
    _names, cluster = np.unique(codes, return_inverse=True)
    count = int(cluster.max()) + 1
    sums = np.zeros((count, scores.shape[1]))
    np.add.at(sums, cluster, scores)
    spread: FloatArray = sums.T @ sums * count / max(count - 1, 1)
    return spread


def _ratio(group: int, effect: float, variance: FloatArray, degrees: int) -> TimesAsLong:
    error = sqrt(variance[group])
    if degrees < 1 or not error:
        return TimesAsLong(group, exp(effect), None, None)
    half = student_quantile(degrees) * error
    return TimesAsLong(group, exp(effect), (exp(effect - half), exp(effect + half)), student_p(effect / error, degrees))
