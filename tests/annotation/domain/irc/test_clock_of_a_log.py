"""Times of day as written become moments that never run back."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from annotation.domain.irc.clock import LogClock
from annotation.domain.irc.lines import Stamp

MONDAY = date(2008, 7, 14)


def moments(*times, day=MONDAY, zone="UTC", **details):
    clock = LogClock(day, ZoneInfo(zone), **details)
    read = [clock.read(Stamp(None, int(time[:2]) * 3600 + int(time[3:]) * 60)) for time in times]
    return [datetime.fromtimestamp(each, UTC).strftime("%d %H:%M") for each in read], clock.ran_back


def test_a_time_that_goes_on_over_midnight_is_of_the_next_day():
    assert moments("23:58", "00:01", "09:00", "22:30", "06:00") == (
        ["14 23:58", "15 00:01", "15 09:00", "15 22:30", "16 06:00"],
        0,
    )


def test_a_clock_that_runs_back_waits_until_it_has_caught_up():
    assert moments("10:05", "10:03", "10:04", "10:06") == (["14 10:05", "14 10:05", "14 10:05", "14 10:06"], 2)


def test_a_clock_that_runs_back_over_midnight_stays_on_the_new_day():
    assert moments("23:59", "00:00", "23:59", "00:01") == (["14 23:59", "15 00:00", "15 00:00", "15 00:01"], 1)


def test_an_hour_that_occurs_twice_takes_two_hours():
    # In London the clock of 26 October 2008 went from 02:00 summer time (01:00 UTC) back to 01:00.
    autumn = date(2008, 10, 26)
    assert moments("00:59", "01:58", "01:02", "01:59", "02:01", day=autumn, zone="Europe/London") == (
        ["25 23:59", "26 00:58", "26 01:02", "26 01:59", "26 02:01"],
        0,
    )


def test_the_declared_zone_moves_all_times_alike():
    assert moments("10:00", "10:30", zone="America/New_York") == (["14 14:00", "14 14:30"], 0)


def test_a_clock_of_twelve_hours_goes_on_from_twelve_to_one():
    assert moments("11:50", "12:10", "12:59", "01:01", half_days=True) == (
        ["14 11:50", "14 12:10", "14 12:59", "14 13:01"],
        0,
    )


def test_a_header_begins_a_day():
    clock = LogClock(date(1970, 1, 1), ZoneInfo("UTC"))
    clock.begin(MONDAY)
    assert datetime.fromtimestamp(clock.read(Stamp(None, 60)), UTC) == datetime(2008, 7, 14, 0, 1, tzinfo=UTC)
