"""Gold: pairs with a known grade. Columns prompt, response, grade and optionally type, explanation."""

from collections.abc import Iterator

from annotation.domain.rating.guideline import Guideline
from annotation.domain.rating.rating import Scale
from annotation.importers.columns import ALIASES, Schema
from annotation.importers.layout import Layout
from annotation.importers.pairs import pair_row
from annotation.importers.ratings import grade_cell, type_cell
from annotation.importers.reading import Source, read_rows
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, text_cell
from annotation.importers.rows import BadRow, GoldRow
from core.domain.text import digest, normalise

SCHEMA = Schema(required=("prompt", "response", "grade"), aliases=ALIASES)
EXPLANATION_LIMIT = 2_000


def read(
    source: Source, *, scale: Scale, guideline: Guideline, file_name: str = "", format: str = "auto"
) -> Iterator[GoldRow | BadRow]:
    """Yield the gold pairs of a csv, tsv, jsonl, json or xlsx file (path or seekable binary file).

    Grades must be on the scale, a type must be one of the guideline's for its grade, and a pair has one grade.
    """
    return read_rows(source, file_name, format, SCHEMA, _GoldPairs(scale, guideline))


class _GoldPairs:
    """A maker of rows that remembers with which grade, and in which line, each pair came first."""

    def __init__(self, scale: Scale, guideline: Guideline) -> None:
        self._scale = scale
        self._guideline = guideline
        self._first: dict[str, tuple[int, int]] = {}

    def __call__(self, record: Record, layout: Layout) -> GoldRow:
        pair = pair_row(record, layout)
        grade = grade_cell(record, self._scale)
        reason = type_cell(record, grade, self._guideline)
        explanation = normalise(text_cell(record, "explanation", EXPLANATION_LIMIT))
        first_grade, first_line = self._first.setdefault(digest(pair.prompt, pair.response), (grade, record.line))
        if first_grade != grade:
            raise RowRefused("gold_twice", first=first_line, grade=first_grade)
        return GoldRow(record.line, pair.prompt, pair.response, grade, reason, explanation)
