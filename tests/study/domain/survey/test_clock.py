"""The time that a survey takes, at its edges."""

from datetime import UTC, datetime, timedelta

from study.domain.survey import clock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_without_a_limit_nothing_ends():
    assert clock.deadline(NOON, 0) is None
    assert clock.seconds_left(None, NOON) is None
    assert not clock.is_over(None, NOON)
    assert not clock.is_closed(None, NOON)


def test_the_last_moment_still_counts_and_the_grace_is_three_seconds():
    assert clock.deadline(NOON, 40) == NOON + timedelta(minutes=40)
    assert [clock.is_over(NOON, after(seconds)) for seconds in (-1, 0, 0.001)] == [False, False, True]
    assert [clock.is_closed(NOON, after(seconds)) for seconds in (0.001, 3, 3.001)] == [False, False, True]


def test_what_is_left_is_said_in_whole_seconds_and_never_below_none():
    assert [clock.seconds_left(NOON, after(seconds)) for seconds in (-90.5, -0.5, 0, 10)] == [90, 0, 0, 0]
