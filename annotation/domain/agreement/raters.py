"""Agreement of single raters: each pair of raters, and each rater with all partners.

Two raters are compared on the items that both graded, whatever the order in which their grades arrived.
"""

from dataclasses import dataclass

import numpy as np

from annotation.domain.agreement.coefficients import distances, equal_share, kappa, ratio
from annotation.domain.agreement.figures import Figure, estimate, standard_error
from annotation.domain.agreement.patterns import FloatArray, Patterns, Rater
from annotation.domain.agreement.tables import Overlaps, RaterTables


@dataclass(frozen=True)
class RaterPair:
    """Two raters on the `n` items that both graded: share of equal grades, Cohen's kappas with asymptotic intervals."""

    raters: tuple[Rater, Rater]
    n: int
    percent: float
    kappa: Figure
    kappa_linear: Figure
    kappa_quadratic: Figure


@dataclass(frozen=True)
class PartnerAgreement:
    """One rater against all partners on `n` shared items; an item's weight does not depend on its partners."""

    rater: Rater
    n: int
    kappa_quadratic: Figure


def pairs_of_raters(patterns: Patterns) -> list[RaterPair]:
    """Return all pairs of raters with an item in common, in order of name."""
    pairs, tables = _pair_tables(patterns)
    rows = zip(pairs, tables.items(), equal_share(tables.totals()).tolist(), tables.figures(), strict=True)
    return sorted((RaterPair(pair, n, share, **kappas) for pair, n, share, kappas in rows), key=lambda row: row.raters)


def partner_agreement(patterns: Patterns) -> list[PartnerAgreement]:
    """Return each rater's quadratic kappa with all partners, with an asymptotic interval, in order of name.

    The table is (own grade, a partner's grade), each item with weight 1 in all.
    """
    overlaps = Overlaps.both_ways(patterns)
    weight = 1 / (patterns.raters_each()[overlaps.pattern] - 1)
    tables = RaterTables.of(patterns, overlaps, overlaps.rater, len(patterns.names), weight)
    rows = zip(patterns.names, tables.items(), tables.figures(), strict=True)
    return sorted(
        (PartnerAgreement(rater, n, kappas["kappa_quadratic"]) for rater, n, kappas in rows), key=lambda row: row.rater
    )


def kappa_pairs_mean(patterns: Patterns, draws: int, generator: np.random.Generator) -> Figure:
    """Return the unweighted mean of the pairs' kappas, over the pairs whose kappa is defined.

    With few items kappa is too low on average, and lower again in a resample, so where pairs share few items the
    bootstrap interval can lie below the value.
    """
    _, tables = _pair_tables(patterns)
    nominal = distances(tables.grades)[0]

    def mean(sums: FloatArray) -> dict[str, FloatArray]:
        kappas = kappa(tables.shaped(sums), nominal)
        return {"mean": ratio(np.nansum(kappas, axis=-1), (~np.isnan(kappas)).sum(axis=-1))}

    defined = ~np.isnan(kappa(tables.totals(), nominal))
    slopes = np.where(defined[:, None], tables.slopes()["kappa"], 0)
    influence = tables.influence(slopes).sum(axis=1) / max(defined.sum(), 1)
    errors = {"mean": standard_error(influence, patterns.multiplicity)}
    return estimate(mean, tables.sample, errors, draws, generator)["mean"]


def _pair_tables(patterns: Patterns) -> tuple[list[tuple[Rater, Rater]], RaterTables]:
    """Return the pairs of raters with an item in common, and their tables."""
    overlaps = Overlaps.once(patterns)
    raters = max(len(patterns.names), 1)
    keys, pair = np.unique(overlaps.rater * raters + overlaps.partner, return_inverse=True)
    pairs = [(patterns.names[key // raters], patterns.names[key % raters]) for key in keys.tolist()]
    tables = RaterTables.of(patterns, overlaps, pair, len(keys), np.ones(len(pair)))
    return [(min(names), max(names)) for names in pairs], tables
