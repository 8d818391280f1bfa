"""Waits after failed sign-ins, in the counts of django-axes (docs/adr/0021)."""

from datetime import timedelta
from math import ceil
from typing import Any

from axes.helpers import get_client_username, get_cool_off
from axes.models import AccessAttempt
from django.db.models import Max, Sum
from django.http import HttpRequest
from django.utils import timezone

FAILURES_ALLOWED = 5  # of one key (core.presenters.device_cookies) within a cool-off
FAILURES_OF_STRANGERS = 10  # of all browsers new to the accounts they try, together; after these they take turns
TURN = timedelta(seconds=30)
OF_DEVICE = "\N{NO-BREAK SPACE}"  # in keys of device cookies alone: the form turns one that is typed into a blank


def failures_allowed(request: HttpRequest, credentials: dict[str, Any] | None) -> int:
    """Return how many failures lock a key (AXES_FAILURE_LIMIT): none while strangers wait for their turn."""
    return 0 if seconds_to_turn(get_client_username(request, credentials)) else FAILURES_ALLOWED


def minutes_locked(key: str) -> int:
    """Return for how many whole minutes sign-in with this key stays locked; 0 when it is not.

    A failure counts as long as a lock lasts; the lock ends when the failure that caused it expires.
    """
    now, rest = timezone.now(), get_cool_off()
    recent = AccessAttempt.objects.filter(username=key, attempt_time__gt=now - rest)
    failures = 0
    for attempt in recent.order_by("-attempt_time"):
        failures += attempt.failures_since_start
        if failures >= FAILURES_ALLOWED:
            left: timedelta = attempt.attempt_time + rest - now
            return ceil(left / timedelta(minutes=1))
    return 0


def seconds_to_turn(key: str) -> int:
    """Return for how many whole seconds a browser new to an account has to wait, because of the failures of all such.

    0 when it may try, and always for a browser that the account has signed in in.
    """
    if OF_DEVICE in key:
        return 0
    now = timezone.now()
    recent = AccessAttempt.objects.filter(attempt_time__gt=now - get_cool_off()).exclude(username__contains=OF_DEVICE)
    of_all = recent.aggregate(failures=Sum("failures_since_start"), last=Max("attempt_time"))
    if (of_all["failures"] or 0) < FAILURES_OF_STRANGERS:
        return 0
    left: timedelta = of_all["last"] + TURN - now
    return max(0, ceil(left / timedelta(seconds=1)))
