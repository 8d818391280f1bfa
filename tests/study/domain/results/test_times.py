"""Quartiles of times of which some were cut short."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from study.domain.results.times import QUARTERS, Quartiles, position_class, quartiles

# Freireich et al. 1963, as in Kalbfleisch and Prentice and in many textbooks: weeks of remission under 6-MP.
ENDED = [6, 6, 6, 7, 10, 13, 16, 22, 23]
CUT = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]

times = st.lists(st.integers(1, 30), min_size=1, max_size=40)


def of(ended, cut=()):
    return quartiles(np.array([*ended, *cut], dtype=float), np.array([False] * len(ended) + [True] * len(cut)))


def test_the_published_quartiles_of_remission():
    assert of(ENDED, CUT) == Quartiles(13, 23, None)
    assert of(PLACEBO) == Quartiles(4, 8, 12)


@given(times)
def test_without_cut_times_they_are_the_usual_ones(ended):
    usual = np.quantile(ended, QUARTERS, method="averaged_inverted_cdf")
    assert of(ended) == pytest.approx(tuple(usual))
    assert of(ended).median == np.median(ended)


@given(times, times)
def test_the_share_that_lasts_longer_is_that_of_a_second_implementation(ended, cut):
    lasting = stats.ecdf(stats.CensoredData(uncensored=ended, right=cut)).sf
    for quarter, found in zip(QUARTERS, of(ended, cut), strict=True):
        if found is None:
            assert lasting.probabilities.min() > 1 - quarter
        else:
            assert lasting.evaluate(found) <= 1 - quarter + 1e-9
            assert lasting.evaluate(found - 1) >= 1 - quarter - 1e-9


def test_where_all_are_cut_no_quartile_is_known():
    assert of([], [40, 40, 40]) == Quartiles(None, None, None)


def test_places_are_told_by_tens():
    assert [position_class(place) for place in (1, 10, 11, 40)] == ["1–10", "1–10", "11–20", "31–40"]
