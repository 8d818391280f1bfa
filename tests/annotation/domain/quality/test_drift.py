"""Early against late thirds: counted by hand, the interval held against SciPy's."""

import pytest
from scipy import stats

from annotation.domain.quality.drift import Trend, drift

SCALE = (1, 2, 3, 4, 5)


def test_too_few_grades_say_nothing():
    assert drift([3] * 29, SCALE) is None
    assert drift([3] * 30, SCALE) is not None


def test_the_thirds_are_the_first_and_the_last():
    found = drift([1, 1, 1, 1, 1, 1, 1, 1, 1, 2] + [5] * 11 + [3, 3, 3, 3, 3, 4, 4, 4, 4, 4], SCALE)
    assert (found.n, found.early_mean, found.late_mean) == (10, pytest.approx(1.1), pytest.approx(3.5))
    assert found.early == pytest.approx((0.9, 0.1, 0, 0, 0))
    assert found.late == pytest.approx((0, 0, 0.5, 0.5, 0))
    assert SCALE[found.most_moved] == 1
    assert found.trend == Trend.MILDER


def test_the_interval_is_that_of_two_means():
    early, late = [1, 2, 3, 4, 5] * 20, [1, 1, 2, 3, 4] * 20
    found = drift([*early, *[3] * 100, *late], SCALE)
    summary = stats.ttest_ind(late, early, equal_var=False)
    error = found.difference / summary.statistic
    assert found.ends == pytest.approx((found.difference - 1.959964 * error, found.difference + 1.959964 * error))
    assert found.trend == Trend.STRICTER


@pytest.mark.parametrize("grades", [[3] * 60, [1, 2, 3, 4, 5] * 12])
def test_who_grades_on_as_before_is_steady(grades):
    assert drift(grades, SCALE).trend == Trend.STEADY
