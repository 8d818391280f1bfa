"""Conversations on Twitter: csv with reply ids, or plain text in blocks, two people taking turns line by line."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, cycle
from pathlib import PurePosixPath
from typing import Any

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import FEWEST_TURNS, SHORT, ImportLedger
from annotation.domain.corpora.replacements import without_entities
from annotation.importers import tweets
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    DialogueRow,
    IdsByFile,
    Recipe,
    head_of,
    is_too_long,
    line_feeds,
    split_named,
    with_tags,
)
from annotation.importers.encoding import recognise_encoding
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow, excerpt
from annotation.importers.tables import refuse_any_table, tables
from core.domain.text import normalise

RULES: Mapping[str, Any] = {"fewest_turns": FEWEST_TURNS, "most_people": 2}
HEEDS: Sequence[str] = ("leave",)
BLANKS = re.compile(r"(?<=\n)(?:[ \t\r]*\n)+")  # the empty lines after a line


def fits(files: Sequence[Member]) -> bool:
    """Tell whether a table has tweets, or a text has blocks with two or more empty lines between any two of them."""
    return bool(tables(files, tweets.COLUMNS, tweets.REQUIRED) or _texts(files))


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds."""
    return line_feeds(tables(files, tweets.COLUMNS, tweets.REQUIRED) or _texts(files))


def read(files: Sequence[Member], ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the conversations of all files. Raises RowRefused where there are none."""
    if found := tables(files, tweets.COLUMNS, tweets.REQUIRED):
        ledger.files_not_read = len(files) - len(found)
        yield from tweets.read(found, ledger, recipe)
        return
    found = _texts(files)
    if not found:
        refuse_any_table(files, tweets.COLUMNS, tweets.REQUIRED)
        found = list(files) * (len(files) == 1)
    if not found:
        raise RowRefused("no_tweets")
    ledger.files_not_read = len(files) - len(found)
    ids = IdsByFile()
    for member in found:
        yield from _of_blocks(member, ids, ledger, recipe)


def _texts(files: Sequence[Member]) -> list[Member]:
    return sorted(member for member in files if _has_blocks(member))


def _has_blocks(member: Member) -> bool:
    path = PurePosixPath(member.name)
    if path.suffix.lower() not in {".txt", ""} or any(part.startswith((".", "__MACOSX")) for part in path.parts):
        return False
    runs = BLANKS.findall(head_of(member).strip())
    return bool(runs) and all(run.count("\n") >= 2 for run in runs)


def _of_blocks(member: Member, ids: IdsByFile, ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the block dialogues of one file; blank lines end a block."""
    block = list[str]()
    with member.path.open("rb") as file:
        for line in chain(read_lines(file, recognise_encoding(file)), [FileLine(0, "")]):
            if line.number:
                ledger.has_read()
            if line.flaw:
                yield BadRow(member.name, line.number, line.flaw, excerpt(line.text))
            elif text := normalise(without_entities(line.text, ledger.changed)):
                block.append(text)
            else:
                ledger.dropped["blank"] += line.number > 0
                if block:
                    yield from _dialogue(block, ids.next_of(member), member, ledger, recipe)
                    block = []


def _dialogue(
    block: Sequence[str], id: str, member: Member, ledger: ImportLedger, recipe: Recipe
) -> Iterator[DialogueRow]:
    """Yield the dialogue of a block, unless a rule drops it. Counts its lines."""
    turns = [Turn(speaker=speaker, text=text) for speaker, text in zip(cycle("AB"), block, strict=False)]
    if len(turns) < FEWEST_TURNS or is_too_long(turns):
        ledger.dropped[SHORT if len(turns) < FEWEST_TURNS else tweets.TOO_LONG] += len(turns)
        return
    for turn in turns:
        turn["text"] = with_tags(turn["text"], ledger, recipe)
    ledger.kept += len(turns)
    yield DialogueRow(id, split_named(member.name), turns)
