"""Agreement of single raters: each pair of raters, and each rater with all partners.

Two raters are compared on the items that both graded, whatever the order in which their grades arrived.
"""

from dataclasses import dataclass

import numpy as np

from annotation.domain.agreement.coefficients import distances, equal_share, kappa
from annotation.domain.agreement.figures import Figure
from annotation.domain.agreement.patterns import Patterns, Rater
from annotation.domain.agreement.tables import Overlaps, RaterTables
from core.domain.statistics import MissingFigure


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


def kappa_pairs_mean(patterns: Patterns) -> Figure:
    """Return Light's kappa: the unweighted mean of the pairs' kappas, over the pairs whose kappa is defined.

    Light (1971, Psychological Bulletin 76), Conger (1980, Psychological Bulletin 88). It has no interval: with few
    items kappa is too low on average, and lower again in a resample, so that the bootstrap's lies below the value.
    """
    _, tables = _pair_tables(patterns)
    kappas = kappa(tables.totals(), distances(tables.grades)[0])
    defined = kappas[~np.isnan(kappas)]
    if not len(defined):
        return Figure(None, why=MissingFigure.ONE_CATEGORY if len(kappas) else MissingFigure.NO_OVERLAP)
    why = MissingFigure.BIASED if patterns.paired_units() > 1 else MissingFigure.ONE_ITEM
    return Figure(float(defined.mean()), interval_why=why)


def _pair_tables(patterns: Patterns) -> tuple[list[tuple[Rater, Rater]], RaterTables]:
    """Return the pairs of raters with an item in common, and their tables."""
    overlaps = Overlaps.once(patterns)
    raters = max(len(patterns.names), 1)
    keys, pair = np.unique(overlaps.rater * raters + overlaps.partner, return_inverse=True)
    pairs = [(patterns.names[key // raters], patterns.names[key % raters]) for key in keys.tolist()]
    tables = RaterTables.of(patterns, overlaps, pair, len(keys), np.ones(len(pair)))
    return [(min(names), max(names)) for names in pairs], tables
