"""Bulk writes without model instances: COPY on PostgreSQL, executemany elsewhere."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, models
from django.db.models.expressions import RawSQL

from core.domain.batches import batched

CHUNK = 2_000
ROOM = 64_000  # kilobytes, which hold what 100,000 rows change


def insert(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows whose values are in the order of `names` and of types that the database driver takes.

    JSON is text here, a foreign key a number. Defaults of the model do not apply: every field that must not be NULL has
    to be named.
    """
    into = _into(model, names)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(names))
            for some in batched(rows, CHUNK):  # Django would hold all rows in memory at once
                cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", some)  # noqa: S608


@contextmanager
def room_for_indexes() -> Iterator[None]:
    """Let SQLite keep more in memory meanwhile: many new rows change its indexes all over, which 2 MB do not hold."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        [usual] = cursor.execute("PRAGMA cache_size").fetchone()
        cursor.execute(f"PRAGMA cache_size = -{ROOM}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA cache_size = {usual}")


def insert_from(model: type[models.Model], names: Sequence[str], found: models.QuerySet[Any, Any]) -> None:
    """Insert the rows of a query, in the order of `names`, without loading them."""
    query, params = found.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {_into(model, names)} {query}", params)


def gather_statistics(*kinds: type[models.Model]) -> None:
    """Update PostgreSQL's statistics after a bulk insert.

    With statistics of a nearly empty table it would choose nested loops for joins.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(connection.ops.quote_name(kind._meta.db_table) for kind in kinds)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")


def is_one_of(column: str, texts: Sequence[str]) -> RawSQL:
    """Return the condition that a column holds one of many texts; `__in` would use a parameter for each."""
    quoted = connection.ops.quote_name(column)
    yes_or_no = models.BooleanField()
    if connection.vendor == "postgresql":
        return RawSQL(f"{quoted} = ANY(%s)", [texts], yes_or_no)  # noqa: S611
    found = "SELECT value FROM json_each(%s)"
    return RawSQL(f"{quoted} IN ({found})", [json.dumps(texts)], yes_or_no)  # noqa: S611


def _into(model: type[models.Model], names: Sequence[str]) -> str:
    """Return the table and its columns as SQL."""
    quote = connection.ops.quote_name
    columns = ", ".join(quote(_column(model, name)) for name in names)
    return f"{quote(model._meta.db_table)} ({columns})"


def _column(model: type[models.Model], name: str) -> str:
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field) and field.column
    return field.column
