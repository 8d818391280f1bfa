"""What is deleted is gone from the disk too."""

from django.db import connection


def truncate_log() -> None:
    """SQLite keeps former contents of its pages in a log until this empties it; secure_delete does the rest.

    While somebody reads, the log is emptied by a later call. PostgreSQL needs nothing of the kind.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
