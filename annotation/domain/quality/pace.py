"""How many working days the missing grades or texts take at this week's pace."""

from collections.abc import Sequence
from math import ceil

WEEK = 7  # days


def working_days_left(missing: int, by_day: Sequence[int]) -> int | None:
    """Return the working days until `missing` are done; None where none are missing or there is no pace yet.

    `by_day` are the numbers done on consecutive days, the last of them today. The pace is that of the seven days
    before today, which is not over, by working day: a day on which anything was done.
    """
    worked = [grades for grades in by_day[:-1][-WEEK:] if grades]
    if not missing or not worked:
        return None
    return ceil(missing * len(worked) / sum(worked))
