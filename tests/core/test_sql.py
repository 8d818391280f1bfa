"""Plain SQL of the requests that people send all day."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from core.models import User
from core.models.sql import execute, execute_soon
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_database]

RENAME = "UPDATE core_user SET username = %s WHERE username = %s"
AT_ONCE, SOON = 2, 1  # SQLite's names: FULL, NORMAL


@pytest.fixture
def on_disk():
    """Note for each change of a row when it is on the disk."""
    noted: list[int] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("UPDATE") and connection.vendor == "sqlite":
            noted.extend(connection.connection.execute("PRAGMA synchronous").fetchone())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield noted


def of_sqlite(*expected: int) -> list[int]:
    """Return what is expected of SQLite; PostgreSQL waits for the disk in its own way."""
    return list(expected) if connection.vendor == "sqlite" else []


def test_what_is_executed_soon_is_stored_and_what_follows_waits_for_the_disk_again(on_disk):
    factories.person("ann")
    execute_soon(RENAME, ["bea", "ann"])
    execute(RENAME, ["cho", "bea"])
    assert User.objects.get().username == "cho"
    assert on_disk == of_sqlite(SOON, AT_ONCE)


def test_a_refused_statement_leaves_the_next_one_waiting_for_the_disk(on_disk):
    factories.person("ann")
    factories.person("bea")
    with pytest.raises(DatabaseError):
        execute_soon(RENAME, ["bea", "ann"])
    execute(RENAME, ["cho", "ann"])
    assert on_disk == of_sqlite(SOON, AT_ONCE)


def test_in_a_transaction_it_waits_with_the_rest(on_disk):
    factories.person("ann")
    with transaction.atomic():
        execute_soon(RENAME, ["bea", "ann"])
    assert on_disk == of_sqlite(AT_ONCE)
