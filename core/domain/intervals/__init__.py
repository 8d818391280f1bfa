"""Intervals of a share or a mean: for independent answers, and for answers of people to shared questions."""

from core.domain.intervals.binomial import (
    INDEPENDENT,
    Interval,
    agresti_coull,
    clopper_pearson,
    coverage,
    jeffreys,
    starred,
    wald,
    wilson,
)
from core.domain.intervals.bootstrap import (
    DRAWS,
    FEWEST_DRAWS,
    item_bootstrap,
    percentiles,
    resampled,
    two_way_bootstrap,
)
from core.domain.intervals.headline import Headline, MissingInterval, headline_of_mean, headline_of_share
from core.domain.intervals.two_way import TwoWay, positions, two_way

__all__ = [
    "DRAWS",
    "FEWEST_DRAWS",
    "INDEPENDENT",
    "Headline",
    "Interval",
    "MissingInterval",
    "TwoWay",
    "agresti_coull",
    "clopper_pearson",
    "coverage",
    "headline_of_mean",
    "headline_of_share",
    "item_bootstrap",
    "jeffreys",
    "percentiles",
    "positions",
    "resampled",
    "starred",
    "two_way",
    "two_way_bootstrap",
    "wald",
    "wilson",
]
