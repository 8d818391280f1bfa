"""Ratings made elsewhere: columns item, rater, grade and, if there, prompt, response, type."""

import re
from collections.abc import Iterator

from annotation.domain.rating import Scale

from .columns import Schema
from .layout import Layout
from .reading import Source, read_rows
from .reasons import Refused
from .records import Record, name_cell, text_cell
from .rows import BadRow, RatingRow

SCHEMA = Schema(required=("item", "rater", "grade"))
LIMITS = {"item": 200, "rater": 80, "grade": 80, "type": 30}  # the longest that are stored
WHOLE_NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")  # tables with gaps are often written with 4.0 for 4


def read(source: Source, *, scale: Scale, file_name: str = "", format: str = "auto") -> Iterator[RatingRow | BadRow]:
    """The ratings of a csv, tsv or jsonl file (path or seekable binary file); grades must lie on the scale.

    A rater grades an item once: later rows are refused and name the line of the first. This takes about 100 bytes a
    row; all else is read in constant memory.
    """
    return read_rows(source, file_name, format, SCHEMA, _Ratings(scale))


class _Ratings:
    """Makes rows and remembers, by hash, in which line each (item, rater) came first."""

    def __init__(self, scale: Scale) -> None:
        self._scale = scale
        self._first_lines: dict[int, int] = {}

    def __call__(self, record: Record, layout: Layout) -> RatingRow:
        item, rater = (_required_name(record, column) for column in ("item", "rater"))
        grade = grade_cell(record, self._scale)
        prompt, response = (layout.tidy(text_cell(record, column)) for column in ("prompt", "response"))
        row = RatingRow(record.line, item, rater, grade, prompt, response, name_cell(record, "type", LIMITS["type"]))
        first = self._first_lines.setdefault(hash((item, rater)), record.line)
        if first != record.line:
            raise Refused("rated_twice", item=item, rater=rater, first=first)
        return row


def _required_name(record: Record, column: str) -> str:
    name = name_cell(record, column, LIMITS[column])
    if not name:
        raise Refused("no_value", column=column)
    return name


def grade_cell(record: Record, scale: Scale) -> int:
    """The grade in the column of that name. Raises ``Refused`` where there is none of the scale."""
    text = _required_name(record, "grade")
    number = WHOLE_NUMBER.fullmatch(text)
    if not number:
        raise Refused("grade_no_number", grade=text)
    grade = int(number[1])
    if grade not in scale:
        raise Refused("grade_outside", grade=grade, scale=str(scale))
    return grade
