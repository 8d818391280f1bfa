"""Items for rewriting: files of DREAM, or tables and objects with turns (or dialogue), question, choices, answer, id.

Formats are csv, tsv, xlsx, jsonl and json. The choices are a column or a column each. A row may name an audio and an
answer image; these are beside a jsonl in a .zip or .tar.gz.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from annotation.domain.transcription.recordings import RecordingKind
from annotation.importers import dream
from annotation.importers.archive import kind_of, unpacked
from annotation.importers.cell_lists import choices_in_cell, turns_in_cell
from annotation.importers.columns import Schema
from annotation.importers.encoding import chosen_encoding
from annotation.importers.headers import sniff
from annotation.importers.layout import GUESS, Layout, LayoutChoice, ParsedHeader
from annotation.importers.preview import ROWS, Preview, seen
from annotation.importers.questions import NAMES, item_row, text_of, turns_of
from annotation.importers.reading import Source, opened, rows_of
from annotation.importers.reasons import RowRefused
from annotation.importers.recordings import Beside, bundle
from annotation.importers.records import Record, cell_of, name_cell
from annotation.importers.rows import BadRow, ItemRow

OBJECT_FIRST = re.compile(rb"\[\s*(?:\{|\]|$)")  # an array of our objects; DREAM's is of arrays
CHOICES = tuple(f"choice_{number}" for number in range(1, 7))
NUMBER = re.compile("[0-9]{1,2}")
NUMBERED_ROWS = 10_000  # among which is looked for the number of the first choice
ALIASES: Mapping[str, Sequence[str]] = {
    "turns": (
        "dialogue",
        "dialog",
        "conversation",
        "对话",
        "对话内容",
        "会话",
        "上文",
        "原文",
        "材料",
        "context",
        "passage",
        "article",
        "transcript",
    ),
    "question": ("问题", "提问", "题目", "问句", "题干"),
    "choices": ("choice", "options", "candidates", "选项", "备选项", "备选答案"),
    **{
        name: (letter, f"option_{letter}", f"option {letter}", f"选项{letter}", f"选项{number}", f"choice{number}")
        for number, (name, letter) in enumerate(zip(CHOICES, "abcdef", strict=True), start=1)
    },
    "answer": (
        "答案",
        "正确答案",
        "正确选项",
        "标准答案",
        "correct",
        "correct_answer",
        "correct answer",
        "right answer",
        "key",
        "label",
    ),
    "id": ("编号", "序号", "题号", "question_id", "item"),
    "source": ("来源",),
    "topic": ("主题", "话题"),
}
SCHEMA = Schema(
    required=("turns", "question"),
    one_of=("choices", CHOICES[0]),
    optional=(*CHOICES[1:], "answer", *NAMES),  # no answer where it is in a picture
    aliases=ALIASES,
)


def read(
    source: Source, *, file_name: str = "", format: str = "auto", choice: LayoutChoice = GUESS
) -> Iterator[ItemRow | BadRow]:
    """Yield the items of a path or seekable binary file; one ``BadRow`` without line if it is refused.

    An item may come twice: the caller counts duplicates.
    """
    name = _name(source, file_name)
    try:
        with _unpacked(source, format) as (rows, beside), opened(rows, name) as (file, _name_there):
            header = _header(file, format, choice)
            layout = _layout(file, header, choice)
            yield from _rows(file, name, layout, choice, beside)
    except RowRefused as refused:
        yield BadRow(name, None, refused.reason)


def preview(source: Source, *, file_name: str = "", format: str = "auto", choice: LayoutChoice = GUESS) -> Preview:
    """Return the guessed layout of the file and its first rows."""
    name = _name(source, file_name)
    header = None
    try:
        with _unpacked(source, format) as (rows, beside), opened(rows, name) as (file, _name_there):
            header = _header(file, format, choice)
            layout = _layout(file, header, choice)
            first = tuple(islice(_rows(file, name, layout, choice, beside), ROWS))
            return seen(name, layout, first, header)
    except RowRefused as refused:
        return Preview(name, refusal=refused.reason, parsed_header=header)


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
    if not isinstance(source, str | Path) or format == "dream" or kind_of(Path(source)) not in ("zip", "gzip"):
        yield source, Beside()
        return
    with unpacked(Path(source)) as members:
        rows, beside = bundle(members)
        yield rows, beside


def _header(file: BinaryIO, format: str, choice: LayoutChoice) -> ParsedHeader | None:
    """Return the header of a file; None for DREAM's, which has none. Raises RowRefused."""
    if format == "dream" or (format == "auto" and _is_dream(file)):
        return None
    return sniff(file, format, SCHEMA, choice)


def _is_dream(file: BinaryIO) -> bool:
    file.seek(0)
    head = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"[") and not OBJECT_FIRST.match(head)


def _layout(file: BinaryIO, header: ParsedHeader | None, choice: LayoutChoice) -> Layout:
    if header:
        return header.layout(SCHEMA, choice)
    return Layout("dream", chosen_encoding(file, choice.encoding) if choice.encoding else dream.recognise(file))


def _rows(
    file: BinaryIO, name: str, layout: Layout, choice: LayoutChoice, beside: Beside
) -> Iterator[ItemRow | BadRow]:
    """Yield the rows of a file whose layout is known. Raises RowRefused for the whole file."""
    if layout.format == "dream":
        return dream.rows(file, name, layout.encoding, choice.numbers_speakers)
    first_number = choice.first_number
    if first_number is None:
        first_number = _first_number(file, name, layout)
    return rows_of(file, name, layout, partial(_row, choice=choice, first_number=first_number, beside=beside))


def _row(record: Record, layout: Layout, *, choice: LayoutChoice, first_number: int, beside: Beside) -> ItemRow:
    """Return the item of one record. Raises RowRefused."""
    cells = {name: cell_of(record, name) for name in record.cells}
    named = {kind: text_of(cells.get(kind), kind) for kind in RecordingKind}
    recordings = [beside.recording(kind, name) for kind, name in named.items() if name]
    written = cells["turns"] if cells.get("turns") is not None else cells.get("dialogue")
    if isinstance(written, str):
        written = turns_in_cell(written, choice.separator)
    turns = turns_of(
        written,
        is_machine_transcript=bool(named[RecordingKind.AUDIO]),
        numbers_speakers=choice.numbers_speakers,
    )
    for turn in turns:
        turn["text"] = layout.tidy(turn["text"])
    choices = _choices(cells)
    cells |= {"choices": choices, "answer": _answer(cells.get("answer"), choices, first_number)}
    names = {name: name_cell(record, name, limit) for name, limit in NAMES.items()}
    return item_row(record.line, turns, cells, names, recordings)


def _choices(cells: Mapping[str, object]) -> object:
    """Return the list of choices: the one in their column, else what is in a column each, up to the last filled one.

    An empty column before that stays in the list, or the answer's letter or number would name another choice.
    """
    if isinstance(written := cells.get("choices"), str):
        return choices_in_cell(written)
    if written is not None:
        return written
    in_columns = [cells.get(name) or "" for name in CHOICES]
    while in_columns and not str(in_columns[-1]).strip():
        in_columns.pop()
    return in_columns


def _answer(value: object, choices: object, first_number: int) -> object:
    """Return the answer, a number in a text as a number from 0 where it is none of the choices.

    A number that names none of them stays as it is written, so that it is refused as the file has it.
    """
    number = _number(value, choices)
    places = [place for place, text in enumerate(choices) if text] if isinstance(choices, list) else []
    return value if number is None or number - first_number not in places else number - first_number


def _number(answer: object, choices: object) -> int | None:
    """Return the number that a text is, in any width; None where it is none, or one of the choices."""
    if not isinstance(answer, str) or answer in _texts(choices):
        return None
    number = NUMBER.fullmatch(unicodedata.normalize("NFKC", answer).strip())
    return int(number[0]) if number else None


def _texts(choices: object) -> list[str]:
    return [choice for choice in choices if isinstance(choice, str)] if isinstance(choices, list) else []


def _first_number(file: BinaryIO, name: str, layout: Layout) -> int:
    """Return the number of the first choice where answers are numbers. Raises RowRefused where the rows do not tell."""
    found = False
    for row in islice(rows_of(file, name, layout, _numbered), NUMBERED_ROWS):
        if isinstance(row, _Numbered):
            if row.number in (0, row.choices):
                return int(row.number > 0)
            found = True
    if found:
        raise RowRefused("first_number")
    return 0


class _Numbered(NamedTuple):
    """The number that is the answer of a row, and how many choices the row has."""

    number: int
    choices: int


def _numbered(record: Record, _layout: Layout) -> _Numbered | None:
    choices = _texts(_choices(record.cells))
    number = _number(record.cells.get("answer"), choices)
    return None if number is None else _Numbered(number, len(choices))
