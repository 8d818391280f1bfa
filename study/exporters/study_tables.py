"""Tables of a study's export as csv or parquet, and their codebook, which is made from the models.

A column says where it comes from: a field of a model, whose help_text is its meaning, or a sentence of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import models

from core.domain.batches import batched
from core.exporters import csv

ROWS = 2_000  # in a row group of parquet, the most that is held in memory
FORMATS = ("csv", "parquet")
TYPES: dict[type, str] = {
    models.BooleanField: "true or false",
    models.JSONField: "list",
    models.DateField: "date",
    models.IntegerField: "whole number",
    models.CharField: "text",
    models.TextField: "text",
    models.UUIDField: "text",
}


@dataclass(frozen=True)
class ExportColumn:
    """A column of a table: its type in words, its meaning, and the values that it may have, where they are few."""

    name: str
    type: str
    meaning: str
    values: str = ""


@dataclass(frozen=True)
class ExportTable:
    """A table with its rows, which may be a stream."""

    name: str
    columns: Sequence[ExportColumn]
    rows: Iterable[Mapping[str, Any]]


def of_field(model: type[models.Model], field: str, *, name: str = "", values: str = "") -> ExportColumn:
    """Return the column of a model's field. Raises ValueError for a field without help_text: nothing explains it."""
    found: models.Field[Any, Any] = model._meta.get_field(field)  # type: ignore[assignment]
    if not found.help_text:
        raise ValueError(f"{model.__name__}.{field} has no help_text.")
    kind = next(words for kind, words in TYPES.items() if isinstance(found, kind))
    known = values or ", ".join(str(value) for value, _label in found.choices or [])
    return ExportColumn(name or field, kind, str(found.help_text), known)


CODEBOOK = (
    ExportColumn("file", "text", "Table that the column is in."),
    ExportColumn("column", "text", "Name of the column."),
    ExportColumn("type", "text", "What its cells are."),
    ExportColumn("meaning", "text", "What they tell."),
    ExportColumn("values", "text", "The values that they may have, where these are few."),
)


def codebook_of(tables: Sequence[ExportTable]) -> ExportTable:
    """Return the table that explains every column of the others."""
    rows = [
        {"file": table.name, "column": one.name, "type": one.type, "meaning": one.meaning, "values": one.values}
        for table in tables
        for one in table.columns
    ]
    return ExportTable("codebook", CODEBOOK, rows)


def write(table: ExportTable, folder: Path, format: str) -> Path:
    """Write a table to `folder`/NAME.FORMAT and return its path. A list is JSON within its cell."""
    path = folder / f"{table.name}.{format}"
    if format == "csv":
        names = [column.name for column in table.columns]
        rows = ([_in_csv(row.get(name)) for name in names] for row in table.rows)
        with path.open("wb") as file:
            file.writelines(csv.lines(names, rows))
    else:
        _write_parquet(table, path)
    return path


def _in_csv(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _write_parquet(table: ExportTable, path: Path) -> None:
    import pyarrow  # takes a quarter of a second and 60 MB, so only for parquet
    from pyarrow.parquet import ParquetWriter

    kinds = {
        "true or false": pyarrow.bool_(),
        "whole number": pyarrow.int64(),
        "number": pyarrow.float64(),
    }
    schema = pyarrow.schema([(one.name, kinds.get(one.type, pyarrow.string())) for one in table.columns])
    with ParquetWriter(path, schema, compression="zstd", store_schema=False) as writer:
        for rows in batched(table.rows, ROWS):
            cells = [{name: _in_parquet(row.get(name)) for name in schema.names} for row in rows]
            writer.write_table(pyarrow.Table.from_pylist(cells, schema=schema))


def _in_parquet(value: Any) -> Any:
    return csv.as_json(value) if isinstance(value, list) else value
