"""How long a user name is locked after failures to sign in."""

from datetime import timedelta
from math import ceil

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.conf import settings
from django.utils import timezone


def minutes_locked(username: str) -> int:
    """How long until sign-in with this user name is tried again, in whole minutes; 0 when it is not locked.

    A failure counts for the time of the lock; the lock ends with the failure that made it.
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
