"""Prompt-response pairs: columns prompt, response [, id, source, topic, dialogue]; or prompt TAB response."""

from collections.abc import Iterator

from annotation.importers.columns import ALIASES, Schema
from annotation.importers.exports import answer_text
from annotation.importers.grades import is_no_grade
from annotation.importers.layout import GUESS, Layout, LayoutChoice
from annotation.importers.rater_columns import one_name
from annotation.importers.ratings import is_counted
from annotation.importers.reading import Source, read_rows
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.records import Record, name_cell, text_cell
from annotation.importers.rows import BadRow, GradeCell, PairRow, excerpt
from annotation.importers.tool_answers import person
from core.domain.text import normalise, one_line

NAMES = (("id", 200), ("source", 100), ("topic", 100), ("dialogue", 200))  # the greatest lengths that are stored
ASKED = ("grade", "rater")  # columns about which a person is asked before anything is stored of them
SCHEMA = Schema(
    required=("prompt", "response"),
    bare_tsv=True,
    optional=(*(name for name, _limit in NAMES), *ASKED),
    aliases=ALIASES,
)


def read(
    source: Source, *, file_name: str = "", format: str = "auto", choice: LayoutChoice = GUESS
) -> Iterator[PairRow | BadRow]:
    """Yield the pairs of a csv, tsv, jsonl, json or xlsx file (path or seekable binary file).

    They are normalised, and spaced Chinese is joined. Columns may be in any order and case; others are
    ignored. A pair may come twice: the caller counts duplicates.
    """
    return read_rows(source, file_name, format, SCHEMA, pair_row, choice)


def pair_row(record: Record, layout: Layout) -> PairRow:
    """Return the pair of a record. Raises RowRefused."""
    prompt = layout.tidy(text_cell(record, "prompt"))
    response = layout.tidy(text_cell(record, "response"))
    if not prompt:
        raise RowRefused("no_prompt")
    if not response:
        is_bare = layout.format == "tsv" and layout.header is None
        raise RowRefused("no_response_after_tab" if is_bare else "no_response")
    id, source, topic, dialogue = (name_cell(record, column, limit) for column, limit in NAMES)
    grades = _grades(record, layout)
    return PairRow(record.line, prompt, response, id, source, topic, dialogue, grades, is_counted(record))


def _grades(record: Record, layout: Layout) -> tuple[GradeCell, ...]:
    """Return a cell for each column of grades; none where the only one is empty."""
    if layout.raters:
        return tuple(GradeCell(_grade(record, column), rater) for column, rater in layout.raters.items())
    grade = _grade(record, "grade")
    return (GradeCell(grade, _rater(record)),) if grade else ()


def _grade(record: Record, column: str) -> str | RefusalReason:
    grade = _asked_cell(record, column)
    if isinstance(grade, RefusalReason):
        return "" if grade.params.get("error") == "#N/A" else grade
    return "" if is_no_grade(grade) else excerpt(grade)


def _rater(record: Record) -> str | RefusalReason:
    rater = _asked_cell(record, "rater")
    return rater if isinstance(rater, RefusalReason) else one_name(one_line(rater))


def _asked_cell(record: Record, column: str) -> str | RefusalReason:
    """Return what is in a column that may be left out; why it cannot be read refuses no row that is stored without."""
    value = record.cells.get(column)
    if isinstance(value, RefusalReason):
        return RefusalReason(value.code, {"column": column, **value.params})
    return normalise(answer_text(person(value) if column == "rater" else value))
