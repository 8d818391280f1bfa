"""State of the installation: what answers, what gave a sign of life when, and what an administrator should know."""

import shutil

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerAway

from core.domain.health import Health, Signs, is_backup_due
from core.models import User, last_times
from core.selectors import migrations

CONNECTS_WITHIN = 3  # seconds


def signs() -> Signs:
    """Return what can be seen without the database and the broker."""
    return Signs(
        worker_seconds=last_times.seconds_since("worker"),
        beat_seconds=last_times.seconds_since("beat"),
        trainer_seconds=last_times.seconds_since("trainer"),
        disk_free=shutil.disk_usage(settings.DATA_DIR).free,
        backup_age=last_times.seconds_since("backup"),
    )


def health() -> Health:
    has_database = _database_answers()
    return Health(
        database=has_database,
        migrations=migrations.are_applied() if has_database else None,
        broker=_broker_answers(),
        **vars(signs()),
    )


def concerns() -> list[str]:
    """Return what an administrator should know: the problems that can be seen at once, and that a backup is due."""
    seen = signs()
    first = User.objects.earliest("created_at")
    is_due = is_backup_due(seen.backup_age, (timezone.now() - first.created_at).total_seconds())
    return seen.problems + ["backup"] * is_due


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker_answers() -> bool:
    try:
        with current_app.connection_for_write(connect_timeout=CONNECTS_WITHIN) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=CONNECTS_WITHIN)
    except (OSError, BrokerAway):
        return False
    return True
