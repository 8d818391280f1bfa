"""The forecast in working days, worked out by hand."""

import pytest

from annotation.domain.quality.pace import working_days_left


@pytest.mark.parametrize(
    ("missing", "by_day", "days"),
    [
        (300, [100, 100, 100, 100, 100, 0, 0, 100], 3),  # 100 a working day; a weekend is none
        (301, [100, 100, 100, 100, 100, 0, 0, 100], 4),  # begun days count
        (60, [10, 20, 900], 4),  # 15 a day; today is not over
        (60, [900, 0, 0, 0, 0, 0, 0, 30, 0], 2),  # eight days ago is another week
        (60, [0, 30], None),  # the first day
        (0, [30, 0], None),  # nothing is missing
        (60, [40, 0, 0, 0, 0, 0, 0, 0, 0], None),  # no one graded this week
    ],
)
def test_the_rest_at_this_weeks_pace(missing, by_day, days):
    assert working_days_left(missing, by_day) == days
