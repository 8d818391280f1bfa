"""Ratings made elsewhere: columns item, rater, grade and optionally prompt, response, type, counted, dialogue."""

from collections.abc import Iterator

from annotation.domain.rating.guideline import Guideline
from annotation.domain.rating.rating import Scale
from annotation.importers.columns import ALIASES, Schema
from annotation.importers.grades import grade_of
from annotation.importers.layout import Layout
from annotation.importers.rater_columns import one_name
from annotation.importers.reading import Source, read_rows
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, name_cell, text_cell
from annotation.importers.rows import BadRow, RatingRow
from core.domain.text import fold_name

TEXTS = ("prompt", "response")
SCHEMA = Schema(required=("item", "rater", "grade"), optional=TEXTS, aliases=ALIASES)
SCHEMA_OF_A_MODEL = Schema(required=("item", "grade"), optional=TEXTS, aliases=ALIASES)
LIMITS = {"item": 200, "rater": 80, "grade": 80, "type": 30, "dialogue": 200}  # the greatest lengths that are stored
UNCOUNTED = {"false", "no", "0", "0.0"}


def read(
    source: Source,
    *,
    scale: Scale,
    guideline: Guideline,
    model: str = "",
    file_name: str = "",
    format: str = "auto",
) -> Iterator[RatingRow | BadRow]:
    """Yield the ratings of a csv, tsv, jsonl, json or xlsx file (path or seekable binary file).

    Grades must be on the scale, and a type must be one of the guideline's for its grade. A rater grades an item once:
    later rows are refused and name the line of the first. This takes about 100 bytes a row; all else is read in
    constant memory. Rows that did not count at their origin (`counted` is no) are marked so.

    With `model` every row is that model's, which is then the rater: another rater is refused, and types are not read.
    """
    schema = SCHEMA_OF_A_MODEL if model else SCHEMA
    return read_rows(source, file_name, format, schema, _Ratings(scale, guideline, model))


class Spellings:
    """Gives a name as a file spelt it first: names that differ in case, width or blanks alone are one person's."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def first(self, name: str) -> str:
        return self._first.setdefault(fold_name(name), name)


class _Ratings:
    """A maker of rows that remembers, by hash, in which line each (item, rater) came first."""

    def __init__(self, scale: Scale, guideline: Guideline, model: str) -> None:
        self._scale = scale
        self._guideline = guideline
        self._model = model
        self._first_lines: dict[int, int] = {}
        self._spellings = Spellings()

    def __call__(self, record: Record, layout: Layout) -> RatingRow:
        item, rater = _required_name(record, "item"), self._rater(record)
        grade = grade_cell(record, self._scale)
        prompt, response = (layout.tidy(text_cell(record, column)) for column in ("prompt", "response"))
        kind = "" if self._model else type_cell(record, grade, self._guideline)
        dialogue = name_cell(record, "dialogue", LIMITS["dialogue"])
        row = RatingRow(record.line, item, rater, grade, prompt, response, kind, is_counted(record), dialogue)
        if not row.counted:
            return row
        first = self._first_lines.setdefault(hash((item, rater)), record.line)
        if first != record.line:
            raise RowRefused("rated_twice", item=item, rater=rater, first=first)
        return row

    def _rater(self, record: Record) -> str:
        if not self._model:
            return self._spellings.first(one_name(_required_name(record, "rater")))
        rater = one_name(name_cell(record, "rater", LIMITS["rater"]))
        if rater not in ("", self._model):
            raise RowRefused("rater_is_another", rater=rater, model=self._model)
        return self._model


def _required_name(record: Record, column: str) -> str:
    name = name_cell(record, column, LIMITS[column])
    if not name:
        raise RowRefused("no_value", column=column)
    return name


def is_counted(record: Record) -> bool:
    """Tell whether the grades of a row count where they come from: they do unless it says no."""
    value = record.cells.get("counted", True)
    if isinstance(value, bool | int | float):
        return bool(value)
    return text_cell(record, "counted").strip().lower() not in UNCOUNTED


def type_cell(record: Record, grade: int, guideline: Guideline) -> str:
    """Return the type that explains the grade, empty where none is named. Raises RowRefused."""
    kind = name_cell(record, "type", LIMITS["type"])
    known = [each["key"] for guide in guideline["grades"] if guide["grade"] == grade for each in guide["types"]]
    if kind and kind not in known:
        raise RowRefused("type_unknown", type=kind, grade=grade, known=", ".join(known) or "–")
    return kind


def grade_cell(record: Record, scale: Scale) -> int:
    """Return the grade in the column of that name. Raises RowRefused where it is missing or not on the scale."""
    return grade_of(_required_name(record, "grade"), scale)
