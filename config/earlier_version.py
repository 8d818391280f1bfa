"""Check that refuses a database of a version before 0.2: no migration leads from it to the present one."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.contrib.auth import get_user_model
from django.core.checks import Error
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

WHAT_IT_IS = "This database belongs to a version of Colloquy before 0.2. Nothing in it was touched."
WHAT_TO_DO = (
    "To keep its work, start the version that made it, export there (releases, grades, corpora), and import here into "
    "a new database. To begin with a new one, name another place: DATA_DIR for a folder, or DATABASE_URL."
)


def is_of_an_earlier_version(database: BaseDatabaseWrapper) -> bool:
    """Return whether the product's migrations were applied, but the present table of accounts is missing."""
    with database.cursor() as cursor:
        tables = database.introspection.table_names(cursor)
        if get_user_model()._meta.db_table in tables or "django_migrations" not in tables:
            return False
        cursor.execute("SELECT COUNT(*) FROM django_migrations WHERE app = 'annotation'")
        return bool(cursor.fetchone()[0])


def database_is_of_this_version(databases: Iterable[str] | None = None, **_: Any) -> list[Error]:
    """Report an error that stops `migrate`, which runs database checks before it changes anything."""
    earlier = [alias for alias in databases or () if is_of_an_earlier_version(connections[alias])]
    return [Error(WHAT_IT_IS, hint=WHAT_TO_DO, obj=alias, id="config.E001") for alias in earlier]


def refuse_an_earlier_version() -> None:
    """Stop the web process, which runs no checks. A database that does not answer is ignored: it may come back."""
    with suppress(OperationalError):
        if is_of_an_earlier_version(connection):
            raise ImproperlyConfigured(f"{WHAT_IT_IS} {WHAT_TO_DO}")
    connection.close()
