"""Time limit of a survey, by the server's clock; the present time is a parameter."""

from datetime import datetime, timedelta

GRACE = timedelta(seconds=3)  # an answer sent before the deadline may arrive later; it is taken and flagged
LATE = timedelta(days=1)  # an answer given in time, as the browser says, may arrive so much later; it is kept apart
LAST_MINUTES = timedelta(minutes=5)  # from here on the page shows a warning


def deadline(started_at: datetime, minutes: int) -> datetime | None:
    """Return the end of the time; None for a survey without limit (0 minutes)."""
    return started_at + timedelta(minutes=minutes) if minutes else None


def is_over(deadline_at: datetime | None, now: datetime) -> bool:
    """Return whether the time is up. Answers sent before may still arrive, see `is_closed`."""
    return deadline_at is not None and now > deadline_at


def is_closed(deadline_at: datetime | None, now: datetime) -> bool:
    """Return whether no answer is accepted any more."""
    return deadline_at is not None and now > deadline_at + GRACE


def is_too_late(deadline_at: datetime | None, now: datetime) -> bool:
    """Return whether not even a late answer is accepted any more."""
    return deadline_at is None or now > deadline_at + LATE


def seconds_left(deadline_at: datetime | None, now: datetime) -> int | None:
    """Return whole seconds, never below 0; None without a limit."""
    return None if deadline_at is None else max(0, int((deadline_at - now).total_seconds()))


def longest_spent(started_at: datetime, deadline_at: datetime | None, now: datetime, elsewhere: int) -> int:
    """Return the most milliseconds that a person can have been at a question: since they began, less those elsewhere.

    The answer before does not bound it: answers that a browser kept while it was offline arrive together.
    """
    until = now if deadline_at is None else min(now, deadline_at + GRACE)
    return max(0, round((until - started_at) / timedelta(milliseconds=1)) - elsewhere)
