"""All figures of agreement for one set of ratings, and the confusion matrix."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from annotation.domain.agreement.coefficients import features, pooled_figures
from annotation.domain.agreement.figures import Figure, UnitSums, estimate
from annotation.domain.agreement.patterns import FloatArray, Patterns, kinds_of_units
from annotation.domain.agreement.raters import kappa_pairs_mean
from annotation.domain.agreement.tables import Overlaps

FIGURES = (
    "percent",
    "gap_le_1",
    "kappa",
    "kappa_linear",
    "kappa_quadratic",
    "kappa_pairs_mean",
    "ac1",
    "ac2",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_interval",
)


@dataclass(frozen=True)
class Block:
    """The figures of one set of items, by name in the order of `FIGURES`; `n` items have two grades or more.

    `units` is the number of items, prompts or dialogues among them that are resampled.
    """

    n: int
    figures: dict[str, Figure]
    units: int = 0


def agreement(patterns: Patterns, draws: int, generator: np.random.Generator) -> Block:
    """Return every figure with an interval, from `draws` resamples of units except for shares, and an asymptotic one.

    `percent` and the kappas are those of the symmetrised table, in which each ordered pair of grades of an item counts
    with weight 1/(m - 1) for m raters: Scott's pi for two raters, Fleiss's kappa where all items have equally many.
    """
    n = patterns.paired_items()
    if n == 0:
        return Block(0, {name: Figure.of(name, np.nan, np.nan, 0) for name in FIGURES})
    statistic = partial(pooled_figures, grades=patterns.used_values())
    figures = estimate(statistic, _sample(patterns), draws, generator)
    figures["kappa_pairs_mean"] = kappa_pairs_mean(patterns)
    return Block(n, {name: figures[name] for name in FIGURES}, patterns.paired_units())


def confusion(patterns: Patterns) -> FloatArray:
    """Return how often two grades occur together, as a lower triangle over the whole scale, shape (grades, grades).

    Both orders of a pair are added up. Each item adds 1 in all, spread over its pairs of raters, so for two raters the
    cells are counts of items.
    """
    overlaps = Overlaps.once(patterns)
    raters = patterns.raters_each()[overlaps.pattern]
    weight = patterns.multiplicity[overlaps.pattern] * 2 / (raters * (raters - 1))
    higher, lower = (
        np.maximum(overlaps.grade, overlaps.partner_grade),
        np.minimum(overlaps.grade, overlaps.partner_grade),
    )
    matrix = np.zeros((len(patterns.scale), len(patterns.scale)))
    np.add.at(matrix, (higher, lower), weight)
    return matrix


def _sample(patterns: Patterns) -> UnitSums:
    counts, row = patterns.grade_counts()
    kinds, multiplicity = kinds_of_units(patterns.item_unit, row, len(counts))
    return UnitSums(kinds @ features(counts, patterns.used_values()), multiplicity, patterns.paired_units())
