"""Coefficients of agreement, as functions of sums over items.

Every function takes leading axes, so that all draws of a bootstrap are computed at once, and gives NaN where a figure
is undefined. q is the number of grades in use; `distance` (q, q) says how much two grades disagree, 0 on the diagonal.
Sums may be complex, because `figures.gradients` differentiates with a complex step.
"""

from dataclasses import dataclass

import numpy as np

from annotation.domain.agreement.patterns import FloatArray, IntArray, spread

KAPPAS = ("kappa", "kappa_linear", "kappa_quadratic")


@dataclass(frozen=True)
class Sums:
    """Sums over a set of items from which the pooled figures are computed.

    `coincidences` (..., q, q): each ordered pair of grades of an item, weight 1/(m - 1) with m raters.
    `pair_shares` (..., q, q): the same, each item's pairs summing to 1.
    `grade_shares` (..., q): each item's grades summing to 1, items with a single grade included.
    `paired`, `close`, `rated` (...): items with two grades or more, of these with a gap of at most 1, with any grade.
    """

    coincidences: FloatArray
    pair_shares: FloatArray
    grade_shares: FloatArray
    paired: FloatArray
    close: FloatArray
    rated: FloatArray

    @classmethod
    def unpack(cls, row: FloatArray, grades: int) -> "Sums":
        """Read sums of rows made by `features`, shape (..., 2 q² + q + 3)."""
        square = (*row.shape[:-1], grades, grades)
        ends = np.cumsum([grades**2, grades**2, grades])
        coincidences, pair_shares, grade_shares, items = np.split(row, ends, axis=-1)
        return cls(coincidences.reshape(square), pair_shares.reshape(square), grade_shares, *np.moveaxis(items, -1, 0))


def features(counts: IntArray, grades: IntArray) -> FloatArray:
    """Return one row of `Sums` for each pattern; `counts` has shape (patterns, q), `grades` are the q values."""
    raters = counts.sum(axis=1)
    ordered_pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(len(grades), dtype=np.int64)
    coincidences = ordered_pairs.reshape(len(counts), -1) / np.maximum(raters - 1, 1)[:, None]
    paired = raters >= 2
    close = paired & (spread(counts, grades) <= 1)
    shares = counts / raters[:, None]
    return np.column_stack([coincidences, coincidences / raters[:, None], shares, paired, close, np.ones(len(counts))])


def pooled_figures(row: FloatArray, grades: IntArray) -> dict[str, FloatArray]:
    """Return all figures in which raters are exchangeable, from sums of `features`, shape (..., 2 q² + q + 3)."""
    sums = Sums.unpack(row, len(grades))
    table = sums.coincidences
    nominal, _, quadratic = distances(grades)
    return {
        "percent": equal_share(table),
        "gap_le_1": ratio(sums.close, sums.paired),
        **kappas(table, grades),
        "ac1": gwet(sums, nominal),
        "ac2": gwet(sums, quadratic),
        "alpha_nominal": alpha(table, nominal),
        "alpha_ordinal": alpha(table, ordinal_distance(table)),
        "alpha_interval": alpha(table, quadratic),
    }


def kappas(table: FloatArray, grades: IntArray) -> dict[str, FloatArray]:
    """Return the kappas of tables (..., q, q): unweighted, with linear and with quadratic weights."""
    return {name: kappa(table, distance) for name, distance in zip(KAPPAS, distances(grades), strict=True)}


def distances(grades: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return nominal, linear and quadratic distances of grades; a grade that was not used still counts as a step."""
    linear = np.abs(grades[:, None] - grades).astype(float)
    return np.sign(linear), linear, linear**2


def equal_share(table: FloatArray) -> FloatArray:
    """Return the share of pairs of grades on the diagonal of tables (..., q, q)."""
    return 1 - ratio(_disagreement(table, 1 - np.eye(table.shape[-1])), table.sum(axis=(-2, -1)))


def kappa(table: FloatArray, distance: FloatArray) -> FloatArray:
    """Return Cohen's weighted kappa (1968) of tables (..., q, q); if symmetric, Scott's pi or Fleiss's kappa."""
    return 1 - ratio(table.sum(axis=(-2, -1)) * _disagreement(table, distance), _chance(table, distance))


def kappa_with_mean(table: FloatArray, variance: FloatArray, distance: FloatArray) -> FloatArray:
    """Return quadratic kappa between one rater and the mean of others, which may be between two grades.

    `table` (..., q, q) has each item's grade by the rater against those of the others, summing to 1 for an item;
    `variance` the others' grades against each other with weight 1/(2 m²) for m of them, so that its disagreement is
    the sum of the items' variances: what the others differ among themselves is no disagreement with their mean.
    """
    items, inner = table.sum(axis=(-2, -1)), _disagreement(variance, distance)
    return 1 - ratio(items * (_disagreement(table, distance) - inner), _chance(table, distance) - items * inner)


def alpha(table: FloatArray, distance: FloatArray) -> FloatArray:
    """Return Krippendorff's alpha (2011, *Computing Krippendorff's Alpha-Reliability*) of coincidences (..., q, q)."""
    return 1 - ratio((table.sum(axis=(-2, -1)) - 1) * _disagreement(table, distance), _chance(table, distance))


def ordinal_distance(table: FloatArray) -> FloatArray:
    """Return Krippendorff's ordinal metric: squared differences of mid-ranks, which depend on the grades' totals."""
    totals = table.sum(axis=-1)
    ranks = np.cumsum(totals, axis=-1) - totals / 2
    squares: FloatArray = (ranks[..., :, None] - ranks[..., None, :]) ** 2
    return squares


def gwet(sums: Sums, distance: FloatArray) -> FloatArray:
    """Return Gwet's AC1 (nominal distance) or AC2 (2008; 2014, *Handbook of Inter-Rater Reliability*, 4th edition).

    The number of categories is that of the grades in use; with a single one the figure is undefined.
    """
    grades = len(distance)
    if grades < 2:
        return np.full_like(sums.paired, np.nan)
    scaled = distance / distance.max()
    shares = sums.grade_shares / sums.rated[..., None]
    chance = (1 - scaled).sum() / (grades * (grades - 1)) * (shares * (1 - shares)).sum(axis=-1)
    return 1 - ratio(_disagreement(sums.pair_shares, scaled), sums.paired * (1 - chance))


def _disagreement(table: FloatArray, distance: FloatArray) -> FloatArray:
    total: FloatArray = (table * distance).sum(axis=(-2, -1))
    return total


def _chance(table: FloatArray, distance: FloatArray) -> FloatArray:
    rows, columns = table.sum(axis=-1), table.sum(axis=-2)
    return _disagreement(rows[..., :, None] * columns[..., None, :], distance)


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return `part / whole`, NaN where `whole` is 0."""
    undefined = np.full_like(part, np.nan)
    return np.divide(part, whole, out=undefined, where=whole != 0)
