"""Quantiles against SciPy's, and percentiles of draws that may be undefined."""

import numpy as np
import pytest
from scipy import stats

from core.domain.statistics import LEVEL, normal_quantile, percentiles, student_p, student_quantile


@pytest.mark.parametrize("level", [0.8, LEVEL, 0.99])
def test_quantiles_are_those_of_the_normal_and_of_students_distribution(level):
    assert normal_quantile(level) == pytest.approx(stats.norm.ppf((1 + level) / 2))
    assert student_quantile(7, level) == pytest.approx(stats.t.ppf((1 + level) / 2, 7))


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_no_percentage(level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        normal_quantile(level)


def test_percentiles_leave_out_what_is_undefined_unless_it_is_the_greater_part():
    draws = np.arange(201.0)
    undefined = np.full(201, np.nan)
    assert percentiles(draws) == pytest.approx((5, 195))
    assert percentiles(np.concatenate([draws, undefined])) == pytest.approx((5, 195))
    assert percentiles(np.concatenate([draws, undefined, [np.nan]])) is None
    assert percentiles(np.empty(0)) is None


@pytest.mark.parametrize(("t", "degrees"), [(2.364624, 7), (-2.364624, 7)])
def test_the_p_of_the_quantile_is_five_per_cent(t, degrees):
    assert student_p(t, degrees) == pytest.approx(0.05, abs=1e-6)
    assert abs(t) == pytest.approx(student_quantile(degrees), abs=1e-6)
