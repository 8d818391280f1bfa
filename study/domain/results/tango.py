"""Tango's score test for the difference of two paired shares: its interval, and the test that the two are similar.

Tango (1998, Statistics in Medicine 17): for each difference the score statistic takes the shares that are likeliest
among those which differ by so much. Without instances on which only one is right it is still defined.
"""

from math import sqrt
from statistics import NormalDist

import scipy

from core.domain.statistics import LEVEL, Interval, normal_quantile
from study.domain.results.equivalence import Equivalence, is_within
from study.domain.results.paired import FourfoldTable


def tango_score(table: FourfoldTable, difference: float) -> float:
    """Return the standard normal statistic for a true difference, first minus second, that lies between -1 and 1."""
    n, first, second = table.n, table.first, table.second
    linear = (2 * n - first + second) * difference - table.discordant
    least = second * difference * (1 - difference)  # the constrained share of `second` solves 2n q² + linear q = least
    share = (sqrt(linear**2 + 8 * n * least) - linear) / (4 * n)
    variance = n * (2 * share + difference * (1 - difference))
    above = first - second - n * difference
    if variance <= 0:
        return 0.0 if above == 0 else float("inf") if above > 0 else float("-inf")
    return above / sqrt(variance)


def tango_interval(table: FourfoldTable, level: float = LEVEL) -> Interval:
    """Return the differences that the score test does not reject. Raises ValueError without instances."""
    if not table.n:
        raise ValueError("There is nothing to compare.")
    z, found = normal_quantile(level), (table.first - table.second) / table.n
    return _end(table, found, -1.0, z), _end(table, found, 1.0, -z)


def _end(table: FourfoldTable, found: float, limit: float, z: float) -> float:
    """Return where between the difference found and a limit the falling statistic is z."""
    if found == limit:
        return limit

    def beyond(difference: float) -> float:
        return tango_score(table, difference) - z

    inside = limit * (1 - 1e-12)
    if beyond(found) * beyond(inside) > 0:
        return limit
    return float(scipy.optimize.brentq(beyond, found, inside, xtol=1e-12))


def tango_equivalence(table: FourfoldTable, margin: float) -> Equivalence:
    """Return whether the two shares differ by less than the margin, by two one-sided score tests."""
    normal = NormalDist()
    p = max(1 - normal.cdf(tango_score(table, -margin)), normal.cdf(tango_score(table, margin)))
    interval = tango_interval(table, Equivalence.LEVEL)
    return Equivalence(margin, p, interval, is_within(interval, margin))
