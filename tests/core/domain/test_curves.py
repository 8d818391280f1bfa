"""Curves of trainings: which points stay, and the time that is left."""

from datetime import UTC, datetime, timedelta

import pytest

from core.domain.curves import MOST_POINTS, CurvePoint, TimeLeft, steps_a_second, superfluous, time_left

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def at(seconds: float, done: int, dev: float | None = None) -> CurvePoint:
    return CurvePoint(done, done, 0.5, dev, BEGIN + timedelta(seconds=seconds))


def test_a_steady_training_has_no_range():
    points = [at(2 * done, done) for done in range(51)]
    assert time_left(points, total=100, now=points[-1].at) == TimeLeft(100, 100, 100)
    assert time_left(points, total=100, now=points[-1].at + timedelta(seconds=40)) == TimeLeft(60, 60, 60)


def test_the_range_goes_from_the_fastest_to_the_slowest_fifth():
    seconds = [0, 10, 20, 30, 40, 60]  # the last stretch was half as fast
    points = [at(second, 10 * number) for number, second in enumerate(seconds)]
    assert time_left(points, total=100, now=points[-1].at) == TimeLeft(60, 50, 100)


def test_a_training_that_takes_longer_than_expected_has_a_second_left():
    points = [at(done, done) for done in range(10)]
    assert time_left(points, total=10, now=BEGIN + timedelta(hours=1)) == TimeLeft(1, 1, 1)


@pytest.mark.parametrize("points", [[], [at(0, 0)], [at(0, 0), at(5, 1)], [at(0, 3), at(1, 3), at(2, 3), at(3, 3)]])
def test_too_few_points_tell_nothing(points):
    assert time_left(points, total=10, now=BEGIN) is None


def test_a_job_without_a_known_end_has_no_time_left():
    assert time_left([at(done, done) for done in range(10)], total=None, now=BEGIN) is None


@pytest.mark.parametrize(("points", "pace"), [([], None), ([at(0, 1), at(1, 5)], None)])
def test_too_few_points_tell_no_pace(points, pace):
    assert steps_a_second(points) is pace


def test_the_pace_is_that_of_the_whole_attempt():
    assert steps_a_second([at(0, 10), at(1, 11), at(20, 25)]) == 0.75


def test_a_short_curve_keeps_all():
    assert superfluous([at(done, done) for done in range(MOST_POINTS)]) == []


def test_of_too_many_checks_on_dev_the_best_and_the_newest_stay():
    points = [at(done, done, dev=1.0 if done == 100 else 0.1) for done in range(MOST_POINTS + 1)]
    dropped = superfluous(points)
    assert len(dropped) > MOST_POINTS // 3
    assert points[100] not in dropped
    assert points[-1] not in dropped
