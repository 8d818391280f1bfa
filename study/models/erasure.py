"""Erasure of deleted rows from the disk."""

from django.db import connection


def truncate_log() -> None:
    """Empty SQLite's log, which keeps former contents of pages; secure_delete does the rest.

    While a connection reads, a later call empties it. PostgreSQL needs nothing of the kind.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
