"""A .zip of jsonl or JSON files, as doccano exports the work of a project: one file for each person, of that name."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, Any, BinaryIO, NamedTuple, cast

from annotation.importers.encoding import LINE_LIMIT, Encoding
from annotation.importers.json_array import entries
from annotation.importers.reasons import RowRefused

MOST_BYTES = 512 << 20  # of all files, unpacked
MOST_FILES = 1_000
SUFFIXES = (".jsonl", ".json")
OF_ALL = ("all", "unknown")  # doccano's names of files that are no one's
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


class ZippedLine(NamedTuple):
    """A line of one of the files: its number over all files, its object or None, and its text."""

    number: int
    value: Any
    text: str


def is_zipped_jsonl(file: BinaryIO) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return bool(archive.namelist()) and all(name.endswith(SUFFIXES) for name in archive.namelist())
    except BROKEN:
        return False


def zipped_lines(file: BinaryIO) -> Iterator[ZippedLine]:
    """Yield the lines, or the entries of arrays, of all files, by name; an object says who its file is of.

    Raises RowRefused.
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
                    found = _entries(content) if part.filename.endswith(".json") else _lines(content)
                    for value, text in found:
                        number += 1
                        if text:
                            yield ZippedLine(number, _with_person(value, name), text)
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


def _with_person(value: Any, name: str) -> Any:
    if isinstance(value, dict) and name not in OF_ALL:
        return {"annotator": name, **value}
    return value
