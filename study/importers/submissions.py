"""Lists of submissions that recruiting platforms export: a row a person, with status and completion code (METHODS 7).

Prolific's has the columns "Participant id", "Submission id", "Status" and "Completion code" (in older ones "Study
code"); MTurk's batch results have "WorkerId", "AssignmentId", "AssignmentStatus" and, of its survey link template,
"Answer.surveycode". Other columns are kept only to be given back in the same file: some are personal.
"""

from collections.abc import Iterator
from typing import NamedTuple

from annotation.importers.columns import Schema
from annotation.importers.layout import Layout
from annotation.importers.reading import Source, read_rows
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, name_cell
from annotation.importers.rows import BadRow

PERSON = {"participant id": "prolific", "workerid": "mturk"}
SCHEMA = Schema(required=(), one_of=tuple(PERSON))
KEY, STATUS = ("submission id", "assignmentid"), ("status", "assignmentstatus")
CODE = ("completion code", "study code", "answer.surveycode")
LONGEST, LONGEST_WORD = 200, 60  # characters


class SubmissionRow(NamedTuple):
    """A person's row. `status` is in capitals, with blanks between words; `code` is what they entered.

    `cells` are all cells of the row as they are in the file, by the names of their columns, in the file's order; none
    where two columns have one name, apart from capitals.
    """

    line: int
    platform: str
    person: str
    key: str
    status: str
    code: str
    cells: dict[str, str]


def read(source: Source, *, file_name: str = "") -> Iterator[SubmissionRow | BadRow]:
    """Read a platform's csv; a person's later row replaces nothing: who reads it decides."""
    return read_rows(source, file_name, "csv", SCHEMA, _row)


def _row(record: Record, layout: Layout) -> SubmissionRow:
    column = next(name for name in PERSON if name in record.cells)
    person = name_cell(record, column, LONGEST)
    if not person:
        raise RowRefused("no_value", column=column)
    is_in_capitals = PERSON[column] == "mturk"
    status = _first(record, STATUS, LONGEST_WORD).upper().replace("-", " ").replace("_", " ")
    return SubmissionRow(
        record.line,
        PERSON[column],
        person.upper() if is_in_capitals else person.lower(),
        _first(record, KEY, LONGEST),
        status,
        _first(record, CODE, LONGEST_WORD),
        _whole(record, layout),
    )


def _whole(record: Record, layout: Layout) -> dict[str, str]:
    names, cells = layout.header or (), [str(cell) for cell in record.cells.values()]
    return dict(zip(names, cells, strict=True)) if len(names) == len(cells) else {}


def _first(record: Record, names: tuple[str, ...], longest: int) -> str:
    return next((name_cell(record, name, longest) for name in names if record.cells.get(name)), "")
