"""Many rows at once, without model instances: COPY on PostgreSQL, executemany elsewhere."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def insert(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows whose values stand in the order of `names` and are what the database driver takes.

    JSON is text here, a foreign key a number. Defaults of the model do not apply: every field that must not be NULL
    has to be named.
    """
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    columns = ", ".join(quote(model._meta.get_field(name).column) for name in names)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * len(names))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)  # noqa: S608
