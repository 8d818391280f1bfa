"""Intervals of a share of independent answers: `successes` of `trials`, both may be fractions.

Brown, Cai and DasGupta (2001, Statistical Science 16) compare them. Every function raises ValueError when successes do
not lie between 0 and trials, or the level between 0 and 1.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
import scipy

from core.domain.statistics.levels import LEVEL, Interval, normal_quantile, student_quantile, tail

Method = Callable[[float, float, float], Interval]

LEAST_CHANCE = 1e-20  # of a count; all that are rarer add nothing to a chance near 1
FEWEST = 5.0  # expected right or wrong answers below which the study marks an interval with a star


def wald(successes: float, trials: float, level: float = LEVEL) -> Interval:
    """Normal approximation, the study's own interval; cut at 0 and 1."""
    p, z = _share(successes, trials), normal_quantile(level)
    half_width = z * sqrt(p * (1 - p) / trials)
    return max(0.0, p - half_width), min(1.0, p + half_width)


def wilson(successes: float, trials: float, level: float = LEVEL, *, degrees: int | None = None) -> Interval:
    """Wilson interval (1927, Journal of the American Statistical Association 22): the shares a score test accepts.

    With `degrees` of freedom it takes Student's quantile in place of the normal one.
    """
    p = _share(successes, trials)
    z = normal_quantile(level) if degrees is None else student_quantile(degrees, level)
    centre = (p + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half_width = z * sqrt(p * (1 - p) / trials + z**2 / (4 * trials**2)) / (1 + z**2 / trials)
    low, high = max(0.0, centre - half_width), min(1.0, centre + half_width)
    return (0.0 if p == 0 else low), (1.0 if p == 1 else high)


def jeffreys(successes: float, trials: float, level: float = LEVEL) -> Interval:
    """Jeffreys interval: equal tails of Beta(k + 1/2, n - k + 1/2); lower end 0 at k = 0, upper end 1 at k = n."""
    p, beyond = _share(successes, trials), tail(level)
    shape = successes + 0.5, trials - successes + 0.5
    low = 0.0 if p == 0 else float(scipy.special.betaincinv(*shape, beyond))
    return low, 1.0 if p == 1 else float(scipy.special.betaincinv(*shape, 1 - beyond))


def agresti_coull(successes: float, trials: float, level: float = LEVEL) -> Interval:
    """Agresti–Coull interval (1998, The American Statistician 52): Wald after adding z² answers, half of them right."""
    _share(successes, trials)
    z = normal_quantile(level)
    return wald(successes + z**2 / 2, trials + z**2, level)


def clopper_pearson(successes: float, trials: float, level: float = LEVEL) -> Interval:
    """Clopper–Pearson interval (1934, Biometrika 26), called exact: its coverage is never below its level."""
    p, beyond = _share(successes, trials), tail(level)
    low = 0.0 if p == 0 else float(scipy.special.betaincinv(successes, trials - successes + 1, beyond))
    return low, 1.0 if p == 1 else float(scipy.special.betaincinv(successes + 1, trials - successes, 1 - beyond))


INDEPENDENT: dict[str, Method] = {
    "wald": wald,
    "wilson": wilson,
    "jeffreys": jeffreys,
    "agresti_coull": agresti_coull,
    "clopper_pearson": clopper_pearson,
}


def starred(successes: float, trials: float, fewest: float = FEWEST) -> bool:
    """Return whether Wald is in doubt, with fewer than `fewest` right or wrong answers: the study's star."""
    _share(successes, trials)
    return min(successes, trials - successes) < fewest


def coverage(method: Method, share: float, trials: int, level: float = LEVEL) -> float:
    """Return the exact chance that the method's interval contains the true `share` of `trials` independent answers."""
    _share(share * trials, trials)
    centre, width = trials * share, 15 * sqrt(trials * share * (1 - share)) + 50
    counts = np.arange(max(0, int(centre - width)), min(trials, int(centre + width)) + 1)
    below = scipy.special.bdtr(counts[0] - 1, trials, share) if counts[0] else 0.0
    chances = np.diff(scipy.special.bdtr(counts, trials, share), prepend=below)
    likely = chances > LEAST_CHANCE
    ends = np.array([method(int(count), trials, level) for count in counts[likely]])
    holds = (ends[:, 0] <= share) & (share <= ends[:, 1])
    return float(chances[likely][holds].sum())


def _share(successes: float, trials: float) -> float:
    if not (trials > 0 and 0 <= successes <= trials):
        raise ValueError(f"{successes} of {trials} is no share.")
    return successes / trials
