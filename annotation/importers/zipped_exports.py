"""A .zip of csv, jsonl or JSON files, as doccano exports the work of a project: one for each person, of that name."""

import csv
import json
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath
from typing import IO, Any, BinaryIO, NamedTuple, cast

from annotation.importers.delimited import csv_records
from annotation.importers.encoding import LINE_LIMIT, Encoding, recognise_encoding
from annotation.importers.json_array import entries
from annotation.importers.layout import Layout
from annotation.importers.lines import read_lines
from annotation.importers.reasons import RowRefused

MOST_BYTES = 512 << 20  # of all files, unpacked
MOST_FILES = 1_000
OF_ALL = ("all", "unknown")  # doccano's names of files that are no one's
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


class ZippedLine(NamedTuple):
    """A row of one of the files: its number over all files, its object, None or the reason against it, and its text."""

    number: int
    value: Any
    text: str


def is_zipped_export(file: BinaryIO) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return bool(archive.namelist()) and all(_suffix(name) in READ for name in archive.namelist())
    except BROKEN:
        return False


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix


def zipped_lines(file: BinaryIO) -> Iterator[ZippedLine]:
    """Yield the lines, the rows of tables, or the entries of arrays, of all files, by name.

    An object says who its file is of. Raises RowRefused.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            parts = sorted(archive.infolist(), key=lambda part: part.filename)
            if len(parts) > MOST_FILES or sum(part.file_size for part in parts) > MOST_BYTES:
                raise RowRefused("archive_bytes", limit=f"{MOST_BYTES >> 20:,}")
            if any(part.flag_bits & 1 for part in parts):
                raise RowRefused("archive_locked")
            number = 0
            for part in parts:
                name = PurePosixPath(part.filename).stem
                with archive.open(part) as content:
                    for value, text in READ[_suffix(part.filename)](content):
                        number += 1
                        if text:
                            yield ZippedLine(number, _with_person(value, name, len(parts)), text)
    except BROKEN:
        raise RowRefused("archive_broken") from None


def _lines(file: IO[bytes]) -> Iterator[tuple[Any, str]]:
    while line := file.readline(LINE_LIMIT):
        text = line.decode("utf-8", "replace").strip()
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        yield value, text


def _entries(file: IO[bytes]) -> Iterator[tuple[Any, str]]:
    return ((entry.value, entry.text) for entry in entries(cast("BinaryIO", file), Encoding("utf-8")))


def _table(file: IO[bytes]) -> Iterator[tuple[Any, str]]:
    encoding = recognise_encoding(cast("BinaryIO", file))
    lines = read_lines(cast("BinaryIO", file), encoding)
    header = tuple(next(csv.reader(line.text for line in islice(lines, 1)), ()))
    for record in csv_records(lines, Layout("csv", encoding, ",", header, header)):
        yield record.flaw or record.cells, record.text


READ = {".csv": _table, ".jsonl": _lines, ".json": _entries}


def _with_person(value: Any, name: str, files: int) -> Any:
    """Return the object with the person its file is named after; a single file without labels is not doccano's."""
    if isinstance(value, dict) and name not in OF_ALL and (files > 1 or "label" in value):
        return {"annotator": name, **value}
    return value
