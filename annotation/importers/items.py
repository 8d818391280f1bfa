"""Items for rewriting: files of DREAM, or jsonl of our own with turns (or dialogue), question, choices, answer, id."""

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from . import dream
from .columns import Schema
from .encoding import chosen_encoding
from .layout import GUESS, Choice, Layout
from .layout import recognise as recognise_layout
from .preview import ROWS, Preview
from .questions import NAMES, item_row, turns_of
from .reading import Source, opened, rows_of
from .reasons import Refused
from .records import Record, name_cell
from .rows import BadRow, ItemRow

SCHEMA = Schema(required=("question", "choices", "answer"))


def read(
    source: Source, *, file_name: str = "", format: str = "auto", choice: Choice = GUESS
) -> Iterator[ItemRow | BadRow]:
    """The items of a path or seekable binary file; one ``BadRow`` without line if it is refused.

    An item may come twice: the caller counts.
    """
    with opened(source, file_name) as (file, name):
        try:
            yield from _rows(file, name, _layout(file, format, choice))
        except Refused as refused:
            yield BadRow(name, None, refused.reason)


def preview(source: Source, *, file_name: str = "", format: str = "auto", choice: Choice = GUESS) -> Preview:
    """What was guessed of the file and its first rows."""
    with opened(source, file_name) as (file, name):
        try:
            layout = _layout(file, format, choice)
            return Preview(name, layout, tuple(islice(_rows(file, name, layout), ROWS)))
        except Refused as refused:
            return Preview(name, refusal=refused.reason)


def _layout(file: BinaryIO, format: str, choice: Choice) -> Layout:
    if format == "dream" or (format == "auto" and _is_array(file)):
        encoding = chosen_encoding(file, choice.encoding) if choice.encoding else dream.recognise(file)
        return Layout("dream", encoding)
    return recognise_layout(file, "jsonl", SCHEMA, choice)


def _is_array(file: BinaryIO) -> bool:
    file.seek(0)
    return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def _rows(file: BinaryIO, name: str, layout: Layout) -> Iterator[ItemRow | BadRow]:
    if layout.format == "dream":
        return dream.rows(file, name, layout.encoding)
    return rows_of(file, name, layout, _jsonl_row)


def _jsonl_row(record: Record, layout: Layout) -> ItemRow:
    """An item of one object; raises ``Refused``."""
    cells = record.cells
    turns = turns_of(cells["turns"] if cells.get("turns") is not None else cells.get("dialogue"))
    for turn in turns:
        turn["text"] = layout.tidy(turn["text"])
    return item_row(record.line, turns, cells, {name: name_cell(record, name, limit) for name, limit in NAMES.items()})
