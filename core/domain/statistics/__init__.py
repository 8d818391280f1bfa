"""Statistics that both apps need: levels, intervals of a share or a mean, the bootstrap, and p-values of several tests.

Intervals are for independent answers, and for answers of people to shared questions. Concordance is that of rankings.
"""

from core.domain.statistics.adjusted import benjamini_hochberg, holm
from core.domain.statistics.binomial import (
    FEWEST,
    INDEPENDENT,
    agresti_coull,
    clopper_pearson,
    coverage,
    jeffreys,
    starred,
    wald,
    wilson,
)
from core.domain.statistics.bootstrap import (
    Counts,
    Resample,
    answer_table,
    in_chunks,
    item_bootstrap,
    item_interval,
    resampled,
    two_way_bootstraps,
)
from core.domain.statistics.concordance import kendall_w, spearman_interval, spearman_rho
from core.domain.statistics.headline import Headline, MissingFigure, headline
from core.domain.statistics.levels import (
    DRAWS,
    DRAWS_OF_ITEMS,
    FEWEST_DRAWS,
    LEVEL,
    FloatArray,
    Interval,
    normal_quantile,
    percentiles,
    student_p,
    student_quantile,
)
from core.domain.statistics.two_way import IntArray, TwoWay, positions, two_way

__all__ = [
    "DRAWS",
    "DRAWS_OF_ITEMS",
    "FEWEST",
    "FEWEST_DRAWS",
    "INDEPENDENT",
    "LEVEL",
    "Counts",
    "FloatArray",
    "Headline",
    "IntArray",
    "Interval",
    "MissingFigure",
    "Resample",
    "TwoWay",
    "agresti_coull",
    "answer_table",
    "benjamini_hochberg",
    "clopper_pearson",
    "coverage",
    "headline",
    "holm",
    "in_chunks",
    "item_bootstrap",
    "item_interval",
    "jeffreys",
    "kendall_w",
    "normal_quantile",
    "percentiles",
    "positions",
    "resampled",
    "spearman_interval",
    "spearman_rho",
    "starred",
    "student_p",
    "student_quantile",
    "two_way",
    "two_way_bootstraps",
    "wald",
    "wilson",
]
