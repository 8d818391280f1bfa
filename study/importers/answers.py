"""Answers given elsewhere: participant, question, and the rank of the true response, in one of three forms.

`rank` of the true response (empty: not among the choices); `correct` 0 or 1 (empty: unanswered); `better` and `tied`,
how many candidates were scored above it and equal to it (empty: unanswered). What people say about themselves is in
columns named by the keys of the study's questions about people, and each answer its key (empty: not said).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize

from annotation.importers.columns import Schema
from annotation.importers.layout import Layout
from annotation.importers.reading import Source, read_rows
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, name_cell
from annotation.importers.rows import BadRow
from study.domain.survey.demographics import LONGEST_TEXT, DemographicQuestion

FORMS = ("rank", "correct", "better")
SCHEMA = Schema(required=("participant", "question"), one_of=FORMS)
LIMITS = {"participant": 200, "question": 200, "group": 60, "corpus": 60}  # characters that are stored at most
MOST_CANDIDATES = 1_000
MOST_MILLISECONDS = 2**31 - 1
MOST_FORMS = 1_000
WHOLE_NUMBER = re.compile(r"\+?([0-9]{1,10})(?:\.0*)?")  # tables with gaps often have 4.0 for 4


class AnswerRow(NamedTuple):
    """One answer. `kind` is the form it was given in.

    `better` is None where the true response is not among the choices; `is_given` is False for an unanswered question.
    """

    line: int
    participant: str
    question: str
    kind: str
    is_given: bool
    better: int | None
    tied: int = 0
    group: str = ""
    form: int | None = None
    corpus: str = ""
    milliseconds: int | None = None
    said: dict[str, str] = {}  # answers about themselves by question, without those that are empty


def read(
    source: Source, *, asked: Sequence[DemographicQuestion] = (), file_name: str = "", format: str = "auto"
) -> Iterator[AnswerRow | BadRow]:
    """Read the answers of a csv, tsv or jsonl file (path or seekable binary file), and those `asked` about people.

    A person answers a question once: later rows are refused and name the line of the first. This takes about 100 bytes
    a row.
    """
    return read_rows(source, file_name, format, SCHEMA, _Answers(asked))


class _Answers:
    """Builds rows, and remembers by hash in which line each (participant, question) came first."""

    def __init__(self, asked: Sequence[DemographicQuestion]) -> None:
        self._asked = asked
        self._first_lines: dict[int, int] = {}

    def __call__(self, record: Record, layout: Layout) -> AnswerRow:
        participant, question = (_name(record, column) for column in SCHEMA.required)
        for column, value in (("participant", participant), ("question", question)):
            if not value:
                raise RowRefused("no_value", column=column)
        kind = _kind(record)
        is_given, better, tied = _true_one(record, kind)
        row = AnswerRow(
            record.line,
            participant,
            question,
            kind,
            is_given,
            better,
            tied,
            group=_name(record, "group"),
            form=_number(record, "form", 1, MOST_FORMS),
            corpus=_name(record, "corpus"),
            milliseconds=_number(record, "milliseconds", 0, MOST_MILLISECONDS),
            said=_said(record, self._asked),
        )
        first = self._first_lines.setdefault(hash((participant, question)), record.line)
        if first != record.line:
            raise RowRefused("answered_twice", participant=participant, question=question, first=first)
        return row


def _kind(record: Record) -> str:
    found = [form for form in FORMS if form in record.cells]
    if len(found) > 1:
        raise RowRefused("several_forms", columns=", ".join(found))
    if not found:
        raise RowRefused("no_form", columns=", ".join(FORMS))
    return found[0]


def _true_one(record: Record, kind: str) -> tuple[bool, int | None, int]:
    """Return whether there is an answer, how many candidates are above the true one, and how many are tied with it."""
    if kind == "rank":
        rank = _number(record, "rank", 1, MOST_CANDIDATES)
        return True, None if rank is None else rank - 1, 0
    if kind == "correct":
        correct = _number(record, "correct", 0, 1)
        return correct is not None, 0 if correct else None, 0
    better, tied = (_number(record, column, 0, MOST_CANDIDATES) for column in ("better", "tied"))
    if better is None and tied is not None:
        raise RowRefused("better_missing")
    return better is not None, better, tied or 0


def _said(record: Record, asked: Sequence[DemographicQuestion]) -> dict[str, str]:
    """Return what a person says about themselves, by question."""
    said: dict[str, str] = {}
    for question in asked:
        if answer := name_cell(record, question.key, LONGEST_TEXT):
            if answer not in question.answers:
                known = ", ".join(question.answers)
                raise RowRefused("no_such_answer", value=answer, column=question.key, known=known)
            said[question.key] = answer
    return said


def _name(record: Record, column: str) -> str:
    return name_cell(record, column, LIMITS[column])


def _number(record: Record, column: str, least: int, most: int) -> int | None:
    """Return the whole number of a cell, in whatever width its digits are; None where it is empty or missing."""
    value = record.cells.get(column)
    text = str(value) if isinstance(value, float) else name_cell(record, column, 80)
    if not text:
        return None
    number = WHOLE_NUMBER.fullmatch(normalize("NFKC", text))
    if number is None or not least <= int(number[1]) <= most:
        raise RowRefused("no_whole_number", value=text, column=column, least=least, most=most)
    return int(number[1])
