"""Accounts and invitations as their page shows them, and how long a user name is locked."""

from datetime import timedelta
from math import ceil

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from annotation.models import Invitation, Membership, Role, User
from annotation.permissions import projects_of


def people_for(viewer: User, search: str = "") -> QuerySet[User]:
    """Everybody with an account; `own_memberships` holds those in projects that the viewer has a right to."""
    seen = Membership.objects.filter(project__in=projects_of(viewer)).order_by("project__title")
    seen = seen.select_related("project")
    people = User.objects.prefetch_related(Prefetch("memberships", seen, to_attr="own_memberships"))
    if search:
        people = people.filter(Q(name__icontains=search) | Q(username__icontains=search))
    return people.order_by("-is_active", "name", "username")


def open_invitations(viewer: User) -> QuerySet[Invitation]:
    """Those that can still be accepted: an administrator sees all, others their own."""
    waiting = Invitation.objects.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now())
    own = waiting if viewer.role == Role.ADMINISTRATOR else waiting.filter(created_by=viewer)
    return own.select_related("project", "created_by")


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
            return ceil((attempt.attempt_time + rest - now) / timedelta(minutes=1))
    return 0
