"""The Ubuntu corpus as csv: contexts with a labelled response, or with the true one and false ones."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.corpora.ubuntu_text import turn_in, turns_in
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    LONGEST_TEXT,
    MOST_CANDIDATES,
    MOST_TURNS,
    DialogueRow,
    Recipe,
    checked_candidates,
    is_too_long,
    split_named,
)
from annotation.importers.encoding import CHUNK
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, text_cell
from annotation.importers.rows import BadRow
from annotation.importers.tables import columns_of, table_rows, tables
from core.domain.text import digest, normalise

FALSE = [f"false_{number}" for number in range(MOST_CANDIDATES - 1)]
COLUMNS = {
    "context": ("context",),
    "response": ("utterance", "response", "ground truth utterance"),
    "label": ("label", "flag"),
    **{column: (f"distractor_{number}",) for number, column in enumerate(FALSE)},
}
REQUIRED = ("context", "response")
TRUE_LABELS = {"1", "1.0"}
LABELS = {*TRUE_LABELS, "0", "0.0"}
FALSE_RESPONSE = "false_response"  # reason for dropping a row: it was drawn, and is of no dialogue
LONGEST_STEM = 50  # characters of a file's name in an id
RULES: Mapping[str, Any] = {}
HEEDS: Sequence[str] = ()


class LabelledRow(NamedTuple):
    """A context, and a response that is its next turn or was drawn from elsewhere."""

    context: list[str]
    response: str
    is_true: bool


def fits(files: Sequence[Member]) -> bool:
    """Tell whether a table has contexts with labelled or false responses."""
    return bool(_meant(files))


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds."""
    lines = 0
    for member in _meant(files):
        with member.path.open("rb") as file:
            lines += sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
    return lines


def read(files: Sequence[Member], ledger: ImportLedger, _recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues and instances of all files. Raises RowRefused where there are none."""
    found = _meant(files)
    if not found:
        raise RowRefused("no_contexts")
    for member in found:
        number = 0
        for row in _labelled(member, ledger) if "label" in columns_of(member, COLUMNS) else _instances(member, ledger):
            if isinstance(row, DialogueRow):
                number += 1
                row = row._replace(id=f"{PurePosixPath(member.name).stem[:LONGEST_STEM]}-{number}")
            yield row


def _meant(files: Sequence[Member]) -> list[Member]:
    """Return the tables to read: train, then dev and test."""
    found = [
        member
        for member in tables(files, COLUMNS, REQUIRED)
        if columns_of(member, COLUMNS).keys() & {"label", FALSE[0]}
    ]
    return sorted(found, key=lambda member: ("train", "", "dev", "test").index(split_named(member.name)))


def _labelled(member: Member, ledger: ImportLedger) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues of true rows; a row whose context is all that was said before it goes on with that."""
    said: list[str] = []
    for row in table_rows(member, COLUMNS, REQUIRED, _labelled_row):
        ledger.read += 1
        if isinstance(row, BadRow):
            yield row
        elif not row.is_true:
            ledger.dropped[FALSE_RESPONSE] += 1
        elif said and row.context == said:
            said.append(row.response)
            ledger.joined += 1
        else:
            if said:
                yield _dialogue(said, member)
            said = [*row.context, row.response]
            ledger.kept += 1
    if said:
        yield _dialogue(said, member)


def _labelled_row(record: Record) -> LabelledRow:
    label = text_cell(record, "label").strip()
    if label not in LABELS:
        raise RowRefused("label_unknown", label=label[:20])
    return LabelledRow(_context(record), _response(record, "response"), label in TRUE_LABELS)


def _instances(member: Member, ledger: ImportLedger) -> Iterator[DialogueRow | BadRow]:
    columns = [column for column in FALSE if column in columns_of(member, COLUMNS)]

    def instance(record: Record) -> DialogueRow:
        false = [_response(record, column) for column in columns if text_cell(record, column, LONGEST_TEXT)]
        context, response = _context(record), _response(record, "response")
        if not false:
            return _dialogue([*context, response], member)
        return _dialogue(context, member)._replace(candidates=checked_candidates([response, *false]), answer=0)

    for row in table_rows(member, COLUMNS, REQUIRED, instance):
        ledger.read += 1
        ledger.kept += isinstance(row, DialogueRow)
        yield row


def _context(record: Record) -> list[str]:
    turns = turns_in(normalise(text_cell(record, "context", MOST_TURNS * LONGEST_TEXT)))
    if len(turns) > MOST_TURNS - 1:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    return turns


def _response(record: Record, column: str) -> str:
    response = turn_in(normalise(text_cell(record, column, LONGEST_TEXT)))
    if not response:
        raise RowRefused("no_response")
    return response


def _dialogue(texts: Sequence[str], member: Member) -> DialogueRow:
    """Return a dialogue of two people who take turns. Rows that share its first turn are of one conversation."""
    turns = [Turn(speaker=speaker, text=text) for speaker, text in zip(cycle("AB"), texts, strict=False)]
    if not turns:
        raise RowRefused("no_context")
    if is_too_long(turns):
        raise RowRefused("turns_count", limit=MOST_TURNS)
    return DialogueRow("", split_named(member.name), turns, conversation=digest(texts[0]))
