"""Dialogues as jsonl: one object a line, {"turns"} and optionally "id", "split", "candidates", "answer",
"conversation", "facts".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from annotation.domain.corpora.dialogue import LoggedTurn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.releases.splitting import Split
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    LONGEST_FACT,
    LONGEST_LINE,
    MOST_TURNS,
    DialogueRow,
    Recipe,
    checked_candidates,
    checked_conversation,
    checked_facts,
    checked_id,
    first_lines,
    line_feeds,
    text,
)
from annotation.importers.encoding import recognise_encoding
from annotation.importers.jsonl import json_object
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.rows import BadRow, excerpt
from core.domain.text import timestamp

RULES: Mapping[str, Any] = {}
HEEDS: Sequence[str] = ()
SPLITS = [*map(str, Split), ""]
SUFFIXES = {".jsonl", ".ndjson"}
STORED_TIME = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def total(files: Sequence[Member]) -> int:
    """Return the number of lines of all files, counted by line feeds."""
    return line_feeds(_meant(files))


def fits(files: Sequence[Member]) -> bool:
    """Tell whether the first line of a file to read is an object with turns."""
    return any('"turns"' in line and line.lstrip().startswith("{") for line in first_lines(_meant(files)[:1], 1))


def read(files: Sequence[Member], ledger: ImportLedger, _recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues of all files: train, dev, test, then the others by name; each file in its own order.

    Raises RowRefused where there is no jsonl file.
    """
    meant = _meant(files)
    if not meant:
        raise RowRefused("no_jsonl")
    seen: set[str] = set()
    for member in meant:
        for line, row in _rows(member, is_alone=len(meant) == 1):
            ledger.has_read()
            if isinstance(row, DialogueRow) and row.id in seen:
                yield BadRow(member.name, line, RefusalReason("id_twice", {"id": row.id}))
                continue
            if isinstance(row, DialogueRow):
                seen.add(row.id)
                ledger.kept += 1
            yield row


def _meant(files: Sequence[Member]) -> list[Member]:
    """Return the jsonl files to read; a single file may have any name."""
    if len(files) == 1:
        return [*files]
    paths = [(PurePosixPath(member.name), member) for member in files]
    meant = [
        (SPLITS.index(_split_of(member)), member)
        for path, member in paths
        if path.suffix.lower() in SUFFIXES and not any(part.startswith((".", "__MACOSX")) for part in path.parts)
    ]
    return [member for _split, member in sorted(meant)]


def _split_of(member: Member) -> str:
    stem = PurePosixPath(member.name).stem
    return stem if stem in SPLITS else ""


def _rows(member: Member, *, is_alone: bool) -> Iterator[tuple[int | None, DialogueRow | BadRow]]:
    name, path = member
    with path.open("rb") as file:
        try:
            encoding = replace(recognise_encoding(file), longest_line=LONGEST_LINE)
        except RowRefused as refused:
            yield None, BadRow(name, None, refused.reason)
            return
        for line in read_lines(file, encoding):
            if not line.is_blank:
                yield line.number, _row(line, member, is_alone)


def _row(line: FileLine, member: Member, is_alone: bool) -> DialogueRow | BadRow:
    try:
        if line.flaw:
            raise RowRefused(line.flaw.code, **line.flaw.params)
        number = f"{line.number}" if is_alone else f"{PurePosixPath(member.name).stem}-{line.number}"
        return dialogue(json_object(line.text), number, _split_of(member))
    except RowRefused as refused:
        return BadRow(member.name, line.number, refused.reason, excerpt(line.text))


def dialogue(record: dict[str, Any], number: str, split: str) -> DialogueRow:
    """Return one line's dialogue; ``number`` and ``split`` are used where it names none. Raises RowRefused."""
    split = record.get("split") or split
    if split not in SPLITS:
        raise RowRefused("split_unknown", split=excerpt(str(split)))
    candidates = None if record.get("candidates") is None else checked_candidates(record["candidates"])
    answer = _answer(record.get("answer"), len(candidates or []))
    return DialogueRow(
        checked_id(record.get("id"), number),
        split,
        _turns(record.get("turns")),
        candidates,
        answer,
        checked_conversation(record.get("conversation")),
        checked_facts(record.get("facts")),
    )


def _turns(values: object) -> list[LoggedTurn]:
    if not isinstance(values, list) or not values:
        raise RowRefused("no_turns")
    if len(values) > MOST_TURNS:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    turns = [_turn(value) for value in values]
    if not all(turn["text"] for turn in turns):
        raise RowRefused("turn_empty")
    return turns


def _turn(value: object) -> LoggedTurn:
    if isinstance(value, str):
        return {"speaker": "", "text": text(value, "turns")}
    if not isinstance(value, dict):
        raise RowRefused("no_turns")
    speaker, at, to = value.get("speaker"), value.get("at"), value.get("to")
    turn: LoggedTurn = {"speaker": text(speaker, "speaker") if speaker else "", "text": text(value.get("text"), "text")}
    if at and (at := text(at, "at", LONGEST_FACT)):
        turn["at"] = _time(at)
    if to and (to := text(to, "to", LONGEST_FACT)):
        turn["to"] = to
    return turn


def _time(at: str) -> str:
    """Return a time in UTC as it is stored. Raises RowRefused."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        raise RowRefused("turn_time", at=excerpt(at)) from None
    if STORED_TIME.fullmatch(at):  # most are: writing it again would take longer than all else
        return at
    if moment.utcoffset() is None:
        raise RowRefused("turn_time", at=excerpt(at))
    return timestamp(moment.astimezone(UTC))


def _answer(value: object, candidates: int) -> int | None:
    """Return the number of the right candidate, from 0; None where it is not known."""
    if value is None:
        return None
    if not candidates:
        raise RowRefused("answer_no_candidates", answer=excerpt(str(value)))
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < candidates:
        raise RowRefused("answer_no_option", answer=excerpt(str(value)), first="0", last=str(candidates - 1))
    return value
