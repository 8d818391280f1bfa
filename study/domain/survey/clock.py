"""The time that a survey takes. The server's clock decides; what it says is passed in."""

from datetime import datetime, timedelta

GRACE = timedelta(seconds=3)  # an answer on its way when the time ran out is taken, and flagged
LAST_MINUTES = timedelta(minutes=5)  # from here on the page says so


def deadline(started_at: datetime, minutes: int) -> datetime | None:
    """None where the survey has no limit (0 minutes)."""
    return started_at + timedelta(minutes=minutes) if minutes else None


def is_over(deadline_at: datetime | None, now: datetime) -> bool:
    """Whether the time is up. What was sent before may still arrive, see `is_closed`."""
    return deadline_at is not None and now > deadline_at


def is_closed(deadline_at: datetime | None, now: datetime) -> bool:
    """Whether nothing is taken any more."""
    return deadline_at is not None and now > deadline_at + GRACE


def seconds_left(deadline_at: datetime | None, now: datetime) -> int | None:
    """Whole seconds, never below 0; None without a limit."""
    return None if deadline_at is None else max(0, int((deadline_at - now).total_seconds()))
