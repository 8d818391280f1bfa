"""Plain SQL for the few requests that people send all day, where the ORM would take most of the time.

Statements are written once for both databases; rows become instances of the models, and values what the fields store.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import psycopg
from django.db import connection, models
from django.db.backends.utils import CursorWrapper

Model = type[models.Model]


class Columns:
    """The columns of some tables in a statement, by the names that the tables have in it.

    `read` makes of a row of these columns one instance for each table; None for one that was joined to nothing.
    """

    def __init__(self, **tables: Model) -> None:
        self._tables = tables
        self.width = sum(len(_fields(table)) for table in tables.values())

    def __str__(self) -> str:
        quote = connection.ops.quote_name
        names = ((name, field.column) for name, table in self._tables.items() for field in _fields(table))
        return ", ".join(f"{quote(name)}.{quote(column)}" for name, column in names)

    def read(self, row: Sequence[Any]) -> Iterator[Any]:
        start = 0
        for table in self._tables.values():
            loader, end = _loader(table, connection.vendor), start + len(_fields(table))
            yield loader(row[start:end])
            start = end


@cache
def _fields(table: Model) -> list[Any]:
    return list(table._meta.concrete_fields)


@cache
def _loader(table: Model, vendor: str) -> Any:
    """Return a function that makes an instance of a row's values, as the ORM does."""
    fields = _fields(table)
    names = [field.attname for field in fields]
    key = names.index(table._meta.pk.attname)
    columns = [field.get_col(table._meta.db_table) for field in fields]
    converters = [
        (place, convert, column)
        for place, column in enumerate(columns)
        for convert in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection))
    ]

    def load(values: Sequence[Any]) -> models.Model | None:
        if values[key] is None:
            return None
        converted = list(values)
        for place, convert, column in converters:
            converted[place] = convert(converted[place], column, connection)
        return table.from_db(connection.alias, names, converted)

    return load


def rows_of(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Execute a statement that has rows, and return them."""
    with _cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def execute(sql: str, params: Sequence[Any]) -> None:
    """Execute a statement without rows."""
    with _cursor() as cursor:
        cursor.execute(sql, params)


def execute_soon(sql: str, params: Sequence[Any]) -> None:
    """Execute a statement without rows that no one was told is stored: SQLite does not wait for the disk.

    A power failure may undo it, and nothing else. In a transaction it is stored with the rest.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return execute(sql, params)
    with _cursor() as cursor:
        cursor.execute("PRAGMA synchronous=NORMAL")
        try:
            cursor.execute(sql, params)
        finally:
            cursor.execute("PRAGMA synchronous=FULL")


def _cursor() -> CursorWrapper:
    cursor = connection.cursor()
    if connection.vendor == "postgresql":
        # Django's own binds values on this side. This one lets the server keep the plan of what it has often seen.
        cursor.cursor = psycopg.Cursor(connection.connection)
    return cursor


def insert(rows: Sequence[models.Model]) -> None:
    """Insert new rows of one model in one statement. They do not learn their keys."""
    if not rows:
        return
    table, values = type(rows[0]), [stored(row) for row in rows]
    into = f'"{table._meta.db_table}" ({names_of(table)})'
    marks = ", ".join([f"({', '.join(['%s'] * len(values[0]))})"] * len(rows))
    execute(f"INSERT INTO {into} VALUES {marks}", [value for row in values for value in row])  # noqa: S608


def save(row: models.Model) -> None:
    """Insert a row that is new, which learns its key; update any other."""
    table, values = type(row), stored(row)
    if row.pk is None:
        marks = ", ".join(["%s"] * len(values))
        into = f'"{table._meta.db_table}" ({names_of(table)})'
        [[row.pk]] = rows_of(f"INSERT INTO {into} VALUES ({marks}) RETURNING id", values)  # noqa: S608
    else:
        changes = names_of(table, " = %s")
        execute(f'UPDATE "{table._meta.db_table}" SET {changes} WHERE id = %s', [*values, row.pk])  # noqa: S608


def stored(row: models.Model) -> list[Any]:
    """Return what the database stores of a row, without its key, for the parameters of a statement."""
    fields = (field for field in _fields(type(row)) if not field.primary_key)
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


@cache
def names_of(table: Model, after: str = "") -> str:
    """Return the columns of a table without its key, in the order of `stored`, each with what comes `after` it."""
    return ", ".join(f'"{field.column}"{after}' for field in _fields(table) if not field.primary_key)
