"""Locks of user names after failed sign-ins."""

from datetime import timedelta
from math import ceil

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.conf import settings
from django.utils import timezone


def minutes_locked(username: str) -> int:
    """Return for how many whole minutes sign-in with this user name stays locked; 0 when it is not.

    A failure counts as long as a lock lasts; the lock ends when the failure that caused it expires.
    """
    now, rest = timezone.now(), get_cool_off()
    recent = AccessAttempt.objects.filter(username=username, attempt_time__gt=now - rest)
    failures = 0
    for attempt in recent.order_by("-attempt_time"):
        failures += attempt.failures_since_start
        if failures >= settings.AXES_FAILURE_LIMIT:
            left: timedelta = attempt.attempt_time + rest - now
            return ceil(left / timedelta(minutes=1))
    return 0
