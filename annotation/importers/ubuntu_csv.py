"""The Ubuntu corpus as csv: contexts with a labelled response, or with the true one and false ones.

Beside NAME.csv, NAME_ids.csv may name the dialogues in it, in their order, as an export writes it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.corpora.ubuntu_text import FIRST_RESPONSE, IDS_HEADER, IDS_SUFFIX, turn_in, turns_in
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    LONGEST_TEXT,
    MOST_CANDIDATES,
    MOST_TURNS,
    DialogueRow,
    IdsByFile,
    Recipe,
    checked_candidates,
    checked_conversation,
    checked_id,
    in_order_of_splits,
    line_feeds,
    split_named,
)
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, text_cell, within
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
IDS = {name.lower(): (name.lower(),) for name in IDS_HEADER}
LONGEST_CELL = 10 * LONGEST_TEXT  # characters of a turn with its marks, as short as its utterances may be
LONGEST_CONTEXT = MOST_TURNS * LONGEST_TEXT
RULES: Mapping[str, Any] = {}
HEEDS: Sequence[str] = ()


class LabelledRow(NamedTuple):
    """A context, and a response that is its next turn or was drawn from elsewhere."""

    context: list[str]
    response: str
    is_true: bool


class DialogueName(NamedTuple):
    """What a dialogue is called, its conversation, and whether its false responses were drawn from other dialogues."""

    id: str
    conversation: str
    is_drawn: bool


def fits(files: Sequence[Member]) -> bool:
    """Tell whether a table has contexts with labelled or false responses."""
    return bool(_meant(files))


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds."""
    return line_feeds(_meant(files))


def read(files: Sequence[Member], ledger: ImportLedger, _recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues and instances of all files. Raises RowRefused where there are none, or their ids misfit."""
    found = _meant(files)
    if not found:
        raise RowRefused("no_contexts")
    ids, named = IdsByFile(), set[str]()
    for member in found:
        rows = _labelled(member, ledger) if "label" in columns_of(member, COLUMNS) else _instances(member, ledger)
        if beside := _ids_beside(member, files):
            yield from _named(rows, beside, named)
            continue
        for row in rows:
            yield row._replace(id=ids.next_of(member)) if isinstance(row, DialogueRow) else row


def _ids_beside(member: Member, files: Sequence[Member]) -> Member | None:
    path = PurePosixPath(member.name)
    return next((file for file in files if file.name == str(path.with_name(path.stem + IDS_SUFFIX))), None)


def _named(rows: Iterable[DialogueRow | BadRow], beside: Member, named: set[str]) -> Iterator[DialogueRow | BadRow]:
    """Yield the rows under the names of the file beside theirs. Raises RowRefused where they are not as many."""
    names = table_rows(beside, IDS, [*IDS], _name)
    for row in rows:
        if isinstance(row, BadRow):
            yield row
            continue
        name = next(names, None)
        if not isinstance(name, DialogueName) or name.id in named:
            raise RowRefused("ids_misfit", file=beside.name)
        named.add(name.id)
        yield (_undrawn(row) if name.is_drawn else row)._replace(id=name.id, conversation=name.conversation)
    if next(names, None):
        raise RowRefused("ids_misfit", file=beside.name)


def _name(record: Record) -> DialogueName:
    name, conversation, drawn = (text_cell(record, column).strip() for column in IDS)
    if not name:
        raise RowRefused("no_value", column="dialogue")
    return DialogueName(checked_id(name, ""), checked_conversation(conversation), drawn == "1")


def _undrawn(row: DialogueRow) -> DialogueRow:
    """Return the dialogue of which an export made an instance: its last turn is the right candidate."""
    if row.candidates is None:
        return row
    turn = Turn(speaker="AB"[len(row.turns) % 2], text=row.candidates[0])
    return row._replace(turns=[*row.turns, turn], candidates=None, answer=None)


def _meant(files: Sequence[Member]) -> list[Member]:
    """Return the tables to read: train, then dev and test."""
    found = [
        member
        for member in tables(files, COLUMNS, REQUIRED)
        if columns_of(member, COLUMNS).keys() & {"label", FALSE[0]}
    ]
    return in_order_of_splits(found)


def _labelled(member: Member, ledger: ImportLedger) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues of true rows; a row whose context is all that was said before it goes on with that.

    A context of one or two turns begins a dialogue: the first response of an export is the third turn, or the last.
    """
    said: list[str] = []
    for row in table_rows(member, COLUMNS, REQUIRED, _labelled_row):
        ledger.has_read()
        if isinstance(row, BadRow):
            yield row
        elif not row.is_true:
            ledger.dropped[FALSE_RESPONSE] += 1
        elif row.context == said and len(said) > FIRST_RESPONSE:
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
        context = _context(record)
        false = [_response(record, column) for column in columns if text_cell(record, column, LONGEST_CELL)]
        response = _response(record, "response")
        if not false:
            return _dialogue([*context, response], member)
        return _dialogue(context, member)._replace(candidates=checked_candidates([response, *false]), answer=0)

    for row in table_rows(member, COLUMNS, REQUIRED, instance):
        ledger.has_read()
        ledger.kept += isinstance(row, DialogueRow)
        yield row


def _context(record: Record) -> list[str]:
    turns = turns_in(normalise(text_cell(record, "context", LONGEST_CONTEXT)))
    if not turns:
        raise RowRefused("no_context")
    if len(turns) > MOST_TURNS:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    for turn in turns:
        within(turn, "context", LONGEST_TEXT)
    return turns


def _response(record: Record, column: str) -> str:
    response = turn_in(normalise(text_cell(record, column, LONGEST_CELL)))
    if not response:
        raise RowRefused("no_response")
    return within(response, column, LONGEST_TEXT)


def _dialogue(texts: Sequence[str], member: Member) -> DialogueRow:
    """Return a dialogue of two people who take turns. Rows that share its first turn are of one conversation."""
    if len(texts) > MOST_TURNS:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    turns = [Turn(speaker=speaker, text=text) for speaker, text in zip(cycle("AB"), texts, strict=False)]
    return DialogueRow("", split_named(member.name), turns, conversation=digest(texts[0]))
