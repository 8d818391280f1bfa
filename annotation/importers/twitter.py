"""Conversations on Twitter: csv with reply ids, or plain text in blocks, two people taking turns line by line."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, cycle
from pathlib import PurePosixPath
from typing import Any

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import FEWEST_TURNS, SHORT, ImportLedger
from annotation.domain.corpora.replacements import replaced, without_entities
from annotation.importers import tweets
from annotation.importers.archive import Member
from annotation.importers.dialogues import DialogueRow, Recipe, is_too_long, split_named
from annotation.importers.encoding import CHUNK, recognise_encoding
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow, excerpt
from annotation.importers.tables import tables
from core.domain.text import normalise

RULES: Mapping[str, Any] = {"fewest_turns": FEWEST_TURNS, "most_people": 2}
HEEDS: Sequence[str] = ("leave",)
BLANKS = re.compile(rb"(?<=\n)(?:[ \t\r]*\n)+")  # the empty lines after a line
LONGEST_STEM = 50  # characters of a file's name in an id


def fits(files: Sequence[Member]) -> bool:
    """Tell whether a table has tweets, or a text has blocks with two or more empty lines between any two of them."""
    return bool(tables(files, tweets.COLUMNS, tweets.REQUIRED) or _texts(files))


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds."""
    lines = 0
    for member in tables(files, tweets.COLUMNS, tweets.REQUIRED) or _texts(files):
        with member.path.open("rb") as file:
            lines += sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
    return lines


def read(files: Sequence[Member], ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the conversations of all files. Raises RowRefused where there are none."""
    if found := tables(files, tweets.COLUMNS, tweets.REQUIRED):
        yield from tweets.read(found, ledger, recipe)
        return
    if not (found := _texts(files) or list(files) * (len(files) == 1)):
        raise RowRefused("no_tweets")
    for member in found:
        yield from _of_blocks(member, ledger, recipe)


def _texts(files: Sequence[Member]) -> list[Member]:
    return sorted(member for member in files if _has_blocks(member))


def _has_blocks(member: Member) -> bool:
    path = PurePosixPath(member.name)
    if path.suffix.lower() not in {".txt", ""} or any(part.startswith((".", "__MACOSX")) for part in path.parts):
        return False
    with member.path.open("rb") as file:
        runs = BLANKS.findall(file.read(CHUNK).strip())
    return bool(runs) and all(run.count(b"\n") >= 2 for run in runs)


def _of_blocks(member: Member, ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the block dialogues of one file; blank lines end a block."""
    number, block = 0, list[str]()
    with member.path.open("rb") as file:
        for line in chain(read_lines(file, recognise_encoding(file)), [FileLine(0, "")]):
            ledger.read += line.number > 0
            if line.flaw:
                yield BadRow(member.name, line.number, line.flaw, excerpt(line.text))
            elif text := normalise(without_entities(line.text, ledger.changed)):
                block.append(text)
            else:
                ledger.dropped["blank"] += line.number > 0
                if block:
                    number += 1
                    yield from _dialogue(block, member, number, ledger, recipe)
                    block = []


def _dialogue(
    block: Sequence[str], member: Member, number: int, ledger: ImportLedger, recipe: Recipe
) -> Iterator[DialogueRow]:
    """Yield the dialogue of a block, unless a rule drops it. Counts its lines."""
    turns = [Turn(speaker=speaker, text=text) for speaker, text in zip(cycle("AB"), block, strict=False)]
    if len(turns) < FEWEST_TURNS or is_too_long(turns):
        ledger.dropped[SHORT if len(turns) < FEWEST_TURNS else tweets.TOO_LONG] += len(turns)
        return
    for turn in turns:
        turn["text"] = replaced(turn["text"], ledger, leave=recipe.leave)
    ledger.kept += len(turns)
    yield DialogueRow(f"{PurePosixPath(member.name).stem[:LONGEST_STEM]}-{number}", split_named(member.name), turns)
