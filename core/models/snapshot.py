"""Reading the database at one moment, while others write."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def consistent_read() -> Iterator[None]:
    """Make all reads inside see the database as of the first of them; others need not wait, and nothing may be written.

    Inside a transaction that has already begun, its own view of the database is kept.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        connection.ensure_connection()  # a new thread has no connection yet, and the mode is set on connecting
        sqlite: Any = connection  # the others have no `transaction_mode`
        mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"  # takes no write lock
        try:
            with transaction.atomic():
                yield
        finally:
            sqlite.transaction_mode = mode
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
