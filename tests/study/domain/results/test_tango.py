"""Tango's interval against worked and published values, and against likelihoods that are maximised by search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from core.domain.statistics import wilson
from study.domain.results.paired import FourfoldTable
from study.domain.results.tango import tango_equivalence, tango_interval, tango_score

WORKED = FourfoldTable(20, 9, 3, 8)
CAVO = FourfoldTable(59, 6, 16, 80)  # Fagerland, Lydersen and Laake (2017), chapter 8
TABLES = st.builds(FourfoldTable, *[st.integers(0, 25)] * 4).filter(lambda table: table.n)


def test_the_worked_table():
    assert tango_interval(WORKED) == pytest.approx((-0.02199, 0.32087), abs=5e-6)


def test_a_published_table():
    assert tango_interval(CAVO) == pytest.approx((-0.1240, -0.0054), abs=5e-5)


def test_at_no_difference_it_is_mcnemars_statistic():
    assert tango_score(WORKED, 0) == pytest.approx((9 - 3) / 12**0.5)


@settings(deadline=None)
@given(TABLES, st.floats(-0.95, 0.95))
def test_the_statistic_takes_the_likeliest_shares_that_differ_by_so_much(table, difference):
    """The constrained maximum by search: with share q of second alone, first alone has q + difference."""
    least, most = max(0.0, -difference), (1 - difference) / 2

    def unlikelihood(share):
        cells = (share + difference, share, 1 - 2 * share - difference)
        counts = (table.first, table.second, table.both + table.neither)
        return -sum(count * np.log(max(cell, 1e-300)) for count, cell in zip(counts, cells, strict=True) if count)

    share = optimize.minimize_scalar(unlikelihood, bounds=(least, most), method="bounded", options={"xatol": 1e-12}).x
    variance = table.n * (2 * share + difference - difference**2)
    expected = (table.first - table.second - table.n * difference) / variance**0.5
    assert tango_score(table, difference) == pytest.approx(expected, rel=1e-3, abs=1e-3)


@given(TABLES, st.sampled_from([0.8, 0.9, 0.95]))
def test_an_end_is_where_the_statistic_is_the_quantile(table, level):
    z, found = stats.norm.ppf((1 + level) / 2), (table.first - table.second) / table.n
    low, high = tango_interval(table, level)
    assert -1 <= low <= found <= high <= 1
    for end, quantile in ((low, z), (high, -z)):
        if abs(end) < 1:
            assert tango_score(table, end) == pytest.approx(quantile, abs=1e-6)


@given(TABLES)
def test_swapping_the_two_turns_the_interval_around(table):
    swapped = FourfoldTable(table.both, table.second, table.first, table.neither)
    assert tango_interval(swapped) == pytest.approx([-end for end in reversed(tango_interval(table))], abs=1e-9)


def test_two_that_never_differ_have_the_interval_of_a_share_that_never_occurs():
    low, high = tango_interval(FourfoldTable(7, 0, 0, 3))
    assert (-low, high) == pytest.approx((wilson(0, 10)[1],) * 2)


def test_two_that_always_differ_end_at_one():
    assert tango_interval(FourfoldTable(0, 5, 0, 0))[1] == 1
    assert tango_interval(FourfoldTable(0, 0, 5, 0))[0] == -1


@given(TABLES, st.floats(0.02, 0.5))
def test_similar_is_a_p_below_five_percent_and_an_interval_inside_the_margin(table, margin):
    found = tango_equivalence(table, margin)
    assert found.is_similar == (found.p < 0.05)
    assert found.interval == tango_interval(table, 0.9)


def test_no_evidence_of_a_difference_is_no_evidence_of_similarity():
    few = FourfoldTable(3, 1, 1, 1)  # p of a difference is 1
    assert not tango_equivalence(few, 0.1).is_similar
    assert tango_equivalence(FourfoldTable(900, 30, 30, 40), 0.1).is_similar


def test_without_instances_nothing_is_compared():
    with pytest.raises(ValueError, match="nothing"):
        tango_interval(FourfoldTable(0, 0, 0, 0))
