"""Adjusted p-values against the worked family of METHODS and against statsmodels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from core.domain.statistics import benjamini_hochberg, holm

WORKED = [0.001, 0.008, 0.020, 0.041, 0.30, 0.60]
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_the_worked_family():
    assert holm(WORKED) == pytest.approx([0.006, 0.040, 0.080, 0.123, 0.600, 0.600])
    assert benjamini_hochberg(WORKED) == pytest.approx([0.006, 0.024, 0.040, 0.0615, 0.36, 0.60])


def test_they_are_in_the_order_given():
    assert holm([0.60, 0.001, 0.30]) == pytest.approx([0.60, 0.003, 0.60])
    assert benjamini_hochberg([0.60, 0.001, 0.30]) == pytest.approx([0.60, 0.003, 0.45])


def test_without_tests_there_is_nothing_to_adjust_and_one_stays_as_it_is():
    assert holm([]) == benjamini_hochberg([]) == []
    assert holm([0.04]) == benjamini_hochberg([0.04]) == [0.04]


@given(P_VALUES)
def test_they_are_those_of_statsmodels(p_values):
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])
    assert benjamini_hochberg(p_values) == pytest.approx(multipletests(p_values, method="fdr_bh")[1])
