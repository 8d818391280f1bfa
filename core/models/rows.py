"""Rows of whole tables as lines of JSON that are the same on every database: a backup is made of them.

The models are those after some migrations, which need not be the newest.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection, models

from core.models import bulk

# What `migrate` writes itself, who is signed in, and the failures to sign in of the last minutes.
LEFT_OUT = {"auth", "contenttypes", "sessions", "axes"}

Table = type[models.Model]


def tables(apps: Apps) -> dict[str, Table]:
    """Return the models whose rows are kept, by label, those of many-to-many relations among them."""
    found = apps.get_models(include_auto_created=True)
    return {model._meta.label_lower: model for model in found if model._meta.app_label not in LEFT_OUT}


def lines_of(table: Table) -> Iterator[bytes]:
    """Yield the names of the fields, then each row."""
    names = [field.name for field in table._meta.local_concrete_fields]
    yield _line(names)
    yield from map(_line, table._base_manager.order_by("pk").values_list(*names).iterator(bulk.CHUNK))


def insert_lines(table: Table, lines: Iterable[bytes]) -> None:
    """Store what `lines_of` yielded, with the same keys."""
    rows = map(json.loads, lines)
    names = next(rows)
    fields = [table._meta.get_field(name) for name in names]
    bulk.insert(table, names, (list(map(_for_driver, fields, row)) for row in rows))


def continue_numbering(inserted: Iterable[Table]) -> None:
    """Make the keys of new rows follow those that were inserted. SQLite does so by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(inserted)):
            cursor.execute(statement)


def _line(row: Iterable[Any]) -> bytes:
    return json.dumps(list(row), default=_as_text, ensure_ascii=False).encode() + b"\n"


def _as_text(value: Any) -> str:
    """Return a time with its microseconds, which Django's own encoder cuts, a UUID, or bytes in base 64."""
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()  # which `to_python` of the field reads
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _for_driver(field: Any, value: Any) -> Any:
    """Return a value as `bulk.insert` takes it: JSON is text."""
    if isinstance(field, models.JSONField):
        return None if value is None else json.dumps(value)
    return field.get_db_prep_save(field.to_python(value), connection)
