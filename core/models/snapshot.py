"""Reading one moment of the database, whatever others write meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def consistent_read() -> Iterator[None]:
    """All reads inside see the database as it was at the first of them. Nobody waits for them; nothing may be written.

    Inside a transaction that has begun already its own view of the database is kept.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        connection.ensure_connection()  # a new thread has none yet, and its mode is known only then
        sqlite: Any = connection  # the others have no `transaction_mode`
        mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"  # takes no lock to write
        try:
            with transaction.atomic():
                yield
        finally:
            sqlite.transaction_mode = mode
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
