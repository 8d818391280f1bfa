"""Working time, counted by hand."""

import pytest

from annotation.domain.quality.hours import active_seconds

NAN = float("nan")


@pytest.mark.parametrize(
    ("moments", "measured", "seconds"),
    [
        ([], [], 0),
        ([100], [12], 12),
        ([100], [NAN], 0),
        ([100, 120, 150], [10, 15, 20], 10 + 50),  # from the first pair's appearance to the last grade
        ([150, 100, 120], [20, 10, 15], 10 + 50),  # in whatever order they come
        ([100, 400], [10, 10], 10 + 300),  # five minutes are still work
        ([100, 401], [10, 10], 10 + 10),  # a second more is a pause
        ([100, 5000, 5030], [10, 20, 30], 10 + 20 + 30),
        ([100], [4000], 300),  # a page that was left open
        ([900, 900, 900], [10, 15, 20], 45),  # sent at once after a lost connection
        ([100, 120], [NAN, NAN], 20),  # a skip is measured by the gap alone
        ([100, 120], [-5, 10], 20),
    ],
)
def test_time_at_work(moments, measured, seconds):
    assert active_seconds(moments, measured) == pytest.approx(seconds)
