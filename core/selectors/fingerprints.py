"""What a stored figure was computed of: the newest event of its scope, and the program that computed it."""

from datetime import datetime
from functools import cache
from hashlib import sha256

import numpy
import scipy
from django.conf import settings
from django.db import connection

from core.models import Event, User
from core.models.scoped import Scope, scope_of

COMPUTING = ("domain", "selectors")  # packages of each app whose modules decide what a figure is
OF_JOBS = "job"  # events that move no figure: a job that computes one would change its fingerprint
OF_ACCESS = ("token made", "token revoked", "password changed", "password replaced")  # of accounts, and in no figure
Newest = tuple[int, datetime | None]


def newest_event(scope: Scope) -> Newest:
    """Return the key and the time of the newest event of a project or study; 0 where there is none."""
    events = Event.objects.filter(**scope_of(scope)).exclude(subject=OF_JOBS)
    return events.order_by("-pk").values_list("pk", "at").first() or (0, None)


def newest_event_of(subject: str, pk: int) -> int:
    """Return the key of the newest event of a subject; 0 where there is none."""
    events = Event.objects.filter(subject=subject, subject_id=pk)
    return max(events.values_list("pk", flat=True), default=0)


def newest_event_of_an_account() -> int:
    """Return the key of the newest event of any account: names of people and whether they can sign in."""
    events = Event.objects.filter(subject=str(User._meta.model_name)).exclude(became__in=OF_ACCESS)
    return max(events.values_list("pk", flat=True), default=0)


def are_events_settled() -> bool:
    """Return whether no one else is writing an event now.

    PostgreSQL numbers events when they are written, not when they are committed: one with a lower number than the
    newest may still appear. SQLite has one writer at a time.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT NOT EXISTS (SELECT FROM pg_locks WHERE mode = 'RowExclusiveLock' AND relation = %s::regclass"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND pid <> pg_backend_pid())",
            [Event._meta.db_table],
        )
        return bool(cursor.fetchone()[0])


@cache
def of_the_program() -> str:
    """Return a digest of all that computes figures: another version of it may say another thing."""
    found = sha256(f"{numpy.__version__} {scipy.__version__}".encode())
    for package in COMPUTING:
        for path in sorted(settings.BASE_DIR.glob(f"*/{package}/**/*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()
