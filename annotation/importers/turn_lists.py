"""LCCC's form: a dialogue is a list of texts, two people taking turns.

A file has a list on each line, is one list of such lists, or an object with one of these for each split.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    LONGEST_LINE,
    MOST_TURNS,
    DialogueRow,
    IdsByFile,
    Recipe,
    head_of,
    in_order_of_splits,
    line_feeds,
    split_named,
    text,
)
from annotation.importers.encoding import recognise_encoding
from annotation.importers.json_array import named_entries
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow, excerpt

RULES: Mapping[str, Any] = {}
HEEDS: Sequence[str] = ()
SPLITS = {"train": "train", "valid": "dev", "validation": "dev", "dev": "dev", "test": "test"}
A_LINE, A_LIST, AN_OBJECT = '["', '[["', '{"'  # how a file begins, without spaces: a list on each line, and documents


class FoundList(NamedTuple):
    """What stands where a dialogue is expected, with its line, split and flaw."""

    line: int
    split: str
    value: object
    flaw: RowRefused | None = None
    text: str = ""


def fits(files: Sequence[Member]) -> bool:
    """Tell whether a file begins with a list of texts, alone or in a list or an object of lists."""
    return bool(_meant(files))


def total(files: Sequence[Member]) -> int:
    """Return the number of dialogues: that of line feeds where each has a line."""
    found = 0
    for member in _meant(files):
        if _is_document(member):
            found += sum(1 for _each in _in_document(member))
        else:
            found += line_feeds([member])
    return found


def read(files: Sequence[Member], ledger: ImportLedger, _recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues of all files. Raises RowRefused where there are none, or where a document is broken."""
    meant = _meant(files)
    if not meant:
        raise RowRefused("no_turn_lists")
    ledger.files_not_read = len(files) - len(meant)
    ids = IdsByFile()
    for member in meant:
        for found in _in_document(member) if _is_document(member) else _in_lines(member):
            ledger.has_read()
            try:
                if found.flaw:
                    raise found.flaw
                row = DialogueRow(ids.next_of(member), found.split, _turns(found.value))
            except RowRefused as refused:
                yield BadRow(member.name, found.line, refused.reason, excerpt(found.text))
            else:
                ledger.kept += 1
                yield row


def _meant(files: Sequence[Member]) -> list[Member]:
    """Return the files to read: train, then dev and test."""
    return in_order_of_splits(filter(_opening, files))


def _opening(member: Member) -> str:
    """Return how the file begins; "" where it is of another form."""
    if any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(member.name).parts):
        return ""
    head = "".join(head_of(member).split())
    if head.startswith(AN_OBJECT):
        name, _colon, rest = head[len(AN_OBJECT) :].partition('":')
        return AN_OBJECT if name in SPLITS and rest.startswith(A_LIST) else ""
    return next((each for each in (A_LINE, A_LIST) if head.startswith(each)), "")


def _is_document(member: Member) -> bool:
    return _opening(member) != A_LINE


def _in_lines(member: Member) -> Iterator[FoundList]:
    split = split_named(member.name)
    with member.path.open("rb") as file:
        encoding = replace(recognise_encoding(file), longest_line=LONGEST_LINE)
        for line in read_lines(file, encoding):
            if not line.is_blank:
                yield _in_line(line, split)


def _in_line(line: FileLine, split: str) -> FoundList:
    try:
        if line.flaw:
            raise RowRefused(line.flaw.code, **line.flaw.params)
        return FoundList(line.number, split, _parsed(line.text), text=line.text)
    except RowRefused as refused:
        return FoundList(line.number, split, None, refused, line.text)


def _in_document(member: Member) -> Iterator[FoundList]:
    with member.path.open("rb") as file:
        for entry in named_entries(file, recognise_encoding(file)):
            split = SPLITS.get(entry.name, "") or split_named(member.name)
            yield FoundList(entry.line, split, entry.value, text=entry.text)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RowRefused("json_broken", position=error.colno) from None
    except RecursionError:
        raise RowRefused("json_deep") from None
    except ValueError:  # a number with more digits than Python reads
        raise RowRefused("json_number") from None


def _turns(values: object) -> list[Turn]:
    if not isinstance(values, list) or not values:
        raise RowRefused("no_turns")
    if len(values) > MOST_TURNS:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    texts = [text(value, "turns") for value in values]
    if not all(texts):
        raise RowRefused("turn_empty")
    return [Turn(speaker=speaker, text=said) for speaker, said in zip(cycle("AB"), texts, strict=False)]
