"""The steps from a file to rows that every kind of row shares."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar

from annotation.importers import delimited
from annotation.importers.columns import Schema
from annotation.importers.headers import recognise
from annotation.importers.jsonl import array_records, jsonl_records, zipped_records
from annotation.importers.layout import GUESS, Layout, LayoutChoice
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.records import Record
from annotation.importers.rows import BadRow, excerpt
from annotation.importers.sheet_records import sheet_records

Row = TypeVar("Row")
Source = str | Path | BinaryIO

OF_LINES: dict[str, Callable[[Iterable[FileLine], Layout], Iterator[Record]]] = {
    **delimited.OF_LINES,
    "jsonl": jsonl_records,
}
OF_FILES: dict[str, Callable[[BinaryIO, Layout], Iterator[Record]]] = {
    "json": array_records,
    "zip": zipped_records,
    "xlsx": sheet_records,
}


def read_rows(
    source: Source,
    file_name: str,
    format: str,
    schema: Schema,
    make_row: Callable[[Record, Layout], Row],
    choice: LayoutChoice = GUESS,
) -> Iterator[Row | BadRow]:
    """Yield the rows of a path or seekable binary file; one ``BadRow`` without line if it is refused.

    Takes constant memory. ``file_name`` is the name in bad rows, for uploads that are stored under another name.
    ``make_row`` raises RowRefused for a row that cannot be taken. Raises OSError where the file cannot be opened.
    """
    with opened(source, file_name) as (file, name):
        try:
            layout = recognise(file, format, schema, choice)
        except RowRefused as refused:
            yield BadRow(name, None, refused.reason)
            return
        yield from rows_of(file, name, layout, make_row)


@contextmanager
def opened(source: Source, file_name: str) -> Iterator[tuple[BinaryIO, str]]:
    """Yield the binary file and its name: as given, else that of the path. A file that was already open stays open."""
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            yield file, file_name or Path(source).name
    else:
        yield source, file_name


def rows_of(
    file: BinaryIO, name: str, layout: Layout, make_row: Callable[[Record, Layout], Row]
) -> Iterator[Row | BadRow]:
    """Yield the rows of a file whose layout is known. A ``BadRow`` without line ends it where the rest is broken."""
    row: Row | BadRow | None = None
    try:
        for record in _records(file, layout):
            row = _row(record, name, layout, make_row)
            yield row
    except RowRefused as refused:
        row = BadRow(name, None, refused.reason)
        yield row
    if row is None:
        yield BadRow(name, None, RefusalReason("no_rows"))


def _row(record: Record, name: str, layout: Layout, make_row: Callable[[Record, Layout], Row]) -> Row | BadRow:
    try:
        if record.flaw:
            raise RowRefused(record.flaw.code, **record.flaw.params)
        return make_row(record, layout)
    except RowRefused as refused:
        return BadRow(name, record.line, layout.in_its_words(refused.reason), excerpt(record.text))


def _records(file: BinaryIO, layout: Layout) -> Iterator[Record]:
    if layout.format in OF_FILES:
        return OF_FILES[layout.format](file, layout)
    lines = read_lines(file, layout.encoding)
    return islice(OF_LINES[layout.format](lines, layout), 1 if layout.header else 0, None)
