"""Items for rewriting: files of DREAM, or our own jsonl with turns (or dialogue), question, choices, answer, id.

A jsonl row may name an audio and an answer image; these are beside the jsonl in a .zip or .tar.gz.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from annotation.domain.transcription.recordings import RecordingKind
from annotation.importers import dream
from annotation.importers.archive import kind_of, unpacked
from annotation.importers.columns import Schema
from annotation.importers.encoding import chosen_encoding
from annotation.importers.foreign import is_workbook
from annotation.importers.layout import GUESS, Layout, LayoutChoice
from annotation.importers.layout import recognise as recognise_layout
from annotation.importers.preview import ROWS, Preview
from annotation.importers.questions import NAMES, item_row, text_of, turns_of
from annotation.importers.reading import Source, opened, rows_of
from annotation.importers.reasons import RowRefused
from annotation.importers.recordings import Beside, bundle
from annotation.importers.records import Record, name_cell
from annotation.importers.rows import BadRow, ItemRow

SCHEMA = Schema(required=("question", "choices"), optional=("answer",))  # no answer where it is in a picture


def read(
    source: Source, *, file_name: str = "", format: str = "auto", choice: LayoutChoice = GUESS
) -> Iterator[ItemRow | BadRow]:
    """Yield the items of a path or seekable binary file; one ``BadRow`` without line if it is refused.

    An item may come twice: the caller counts duplicates.
    """
    name = _name(source, file_name)
    try:
        with _unpacked(source, format) as (rows, beside), opened(rows, name) as (file, _name_there):
            yield from _rows(file, name, _layout(file, format, choice), beside)
    except RowRefused as refused:
        yield BadRow(name, None, refused.reason)


def preview(source: Source, *, file_name: str = "", format: str = "auto", choice: LayoutChoice = GUESS) -> Preview:
    """Return the guessed layout of the file and its first rows."""
    name = _name(source, file_name)
    try:
        with _unpacked(source, format) as (rows, beside), opened(rows, name) as (file, _name_there):
            layout = _layout(file, format, choice)
            return Preview(name, layout, tuple(islice(_rows(file, name, layout, beside), ROWS)))
    except RowRefused as refused:
        return Preview(name, refusal=refused.reason)


@contextmanager
def files_beside(path: Path) -> Iterator[Beside]:
    """Yield the files that the rows of a stored upload may name; they exist while the block lasts.

    Raises RowRefused and OSError.
    """
    with _unpacked(path, "auto") as (_rows, beside):
        yield beside


def _name(source: Source, file_name: str) -> str:
    return file_name or (Path(source).name if isinstance(source, str | Path) else "")


@contextmanager
def _unpacked(source: Source, format: str) -> Iterator[tuple[Source, Beside]]:
    """Yield the file of rows and the files beside it. Raises RowRefused."""
    if not isinstance(source, str | Path) or format == "dream" or not _is_archive(Path(source)):
        yield source, Beside()
        return
    with unpacked(Path(source)) as members:
        rows, beside = bundle(members)
        yield rows, beside


def _is_archive(path: Path) -> bool:
    """Return whether it is one of the two kinds unpacked here; a workbook is a zip file too."""
    kind = kind_of(path)
    return kind == "gzip" or (kind == "zip" and not is_workbook(path))


def _layout(file: BinaryIO, format: str, choice: LayoutChoice) -> Layout:
    if format == "dream" or (format == "auto" and _is_array(file)):
        encoding = chosen_encoding(file, choice.encoding) if choice.encoding else dream.recognise(file)
        return Layout("dream", encoding)
    return recognise_layout(file, "jsonl", SCHEMA, choice)


def _is_array(file: BinaryIO) -> bool:
    file.seek(0)
    return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def _rows(file: BinaryIO, name: str, layout: Layout, beside: Beside) -> Iterator[ItemRow | BadRow]:
    if layout.format == "dream":
        return dream.rows(file, name, layout.encoding)
    return rows_of(file, name, layout, partial(_jsonl_row, beside=beside))


def _jsonl_row(record: Record, layout: Layout, beside: Beside) -> ItemRow:
    """Return the item of one object. Raises RowRefused."""
    cells = record.cells
    named = {kind: text_of(cells.get(kind), kind) for kind in RecordingKind}
    recordings = [beside.recording(kind, name) for kind, name in named.items() if name]
    written = cells["turns"] if cells.get("turns") is not None else cells.get("dialogue")
    turns = turns_of(written, is_machine_transcript=bool(named[RecordingKind.AUDIO]))
    for turn in turns:
        turn["text"] = layout.tidy(turn["text"])
    names = {name: name_cell(record, name, limit) for name, limit in NAMES.items()}
    return item_row(record.line, turns, cells, names, recordings)
