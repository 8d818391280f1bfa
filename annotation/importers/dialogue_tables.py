"""Dialogues in tables with columns of any names: one utterance a row, one dialogue a row, or its two turns.

Files are csv, tsv, xlsx, jsonl or a JSON array. Several files of an archive are read in the same way.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import Any, BinaryIO, NamedTuple

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.releases.splitting import Split
from annotation.importers.archive import Member
from annotation.importers.dialogue_columns import (
    A_LINE,
    SPLITS,
    TWO_TURNS,
    DialogueTable,
    choice_of,
    header_of,
    table_of,
)
from annotation.importers.dialogue_turns import LONGEST_NAME, turn_of, turns_listed, two_turns, with_speakers
from annotation.importers.dialogues import (
    LONGEST_ID,
    LONGEST_LINE,
    LONGEST_SAID,
    DialogueRow,
    Recipe,
    checked_facts,
    checked_id,
    is_too_long,
    prefixes_of,
    split_named,
    turns_of,
    with_tags,
)
from annotation.importers.encoding import CHUNK
from annotation.importers.foreign import OLE, is_workbook
from annotation.importers.kept_texts import KeptTexts
from annotation.importers.layout import GUESS, HEAD, Layout, LayoutChoice
from annotation.importers.preview import Preview
from annotation.importers.reading import rows_of
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.records import Record, cell_of, name_cell, text_cell
from annotation.importers.rows import BadRow, excerpt
from core.domain.text import one_line

SUFFIXES = (".csv", ".tsv", ".xlsx", ".xlsm", ".jsonl", ".ndjson", ".json")
MOST_ROWS = 2_000_000  # utterances of all files, which are held until their dialogues are known
NOWHERE = -1  # the place of a text that is empty
BLANK, TOO_LONG = "blank", "too_long"  # reasons for dropping a row
SHOWN = 4  # dialogues of a preview
LOOKED_AT = 200  # rows for a preview
RULES: Mapping[str, Any] = {}
HEEDS: Sequence[str] = ("leave", "choice")


class SaidLine(NamedTuple):
    """An utterance of a dialogue, its text on disk."""

    turn: int | None
    speaker: str
    place: int


class LineRow(NamedTuple):
    """What one row says, and of which dialogue."""

    dialogue: str
    split: str
    facts: dict[str, str | int]
    said: SaidLine


class WholeRow(NamedTuple):
    """A dialogue that is one row."""

    line: int
    dialogue: DialogueRow


class Gathered(NamedTuple):
    """A dialogue whose utterances are being gathered; facts are what all its rows agree on."""

    id: str
    split: str
    facts: dict[str, str | int]
    said: list[SaidLine]


def fits(files: Sequence[Member]) -> bool:
    """Tell whether the first table has the columns of dialogues, or is a file that no other format has."""
    for member in _meant(files)[:1]:
        with member.path.open("rb") as file:
            head = file.read(HEAD)
            if head.startswith(OLE) or _is_whole(file, head):
                return True
        seen = preview(member.path, file_name=member.name)
        has_columns = seen.layout and seen.parsed_header and seen.parsed_header.names
        return bool(has_columns) or bool(seen.refusal and seen.refusal.code.startswith("export_"))
    return False


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds; 0 where the lines of a file are not its rows."""
    lines = 0
    for member in _meant(files):
        with member.path.open("rb") as file:
            if _is_whole(file, file.read(HEAD)):
                return 0
            file.seek(0)
            lines += sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
    return lines


def _is_whole(file: BinaryIO, head: bytes) -> bool:
    """Tell whether the lines of a file are not its rows: a workbook or a JSON array."""
    return is_workbook(file, head) or head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def read(files: Sequence[Member], ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues of each file in the order in which they begin. Raises RowRefused for one that cannot be read.

    A file is held in memory without its texts.
    """
    meant = _meant(files)
    if not meant:
        raise RowRefused("no_table")
    ledger.files_not_read = len(files) - len(meant)
    choice = choice_of(recipe)
    for member, of_file in zip(meant, prefixes_of(meant), strict=True):
        with member.path.open("rb") as file, TemporaryFile() as kept:
            table = table_of(header_of(file, choice), choice)
            reader = _TableReader(member.name, table, choice, of_file, KeptTexts(kept))
            yield from reader.dialogues(file, ledger, recipe)


def preview(source: Path, *, file_name: str = "", choice: LayoutChoice = GUESS) -> Preview:
    """Return the layout of a file and its first dialogues."""
    choice = replace(choice, longest_line=LONGEST_LINE)
    name, header = file_name or source.name, None
    with source.open("rb") as file, TemporaryFile() as kept:
        try:
            header = header_of(file, choice)
            table = table_of(header, choice)
            reader = _TableReader(name, table, choice, "", KeptTexts(kept), most=LOOKED_AT)
            rows = tuple(islice(reader.dialogues(file, ImportLedger(), Recipe()), SHOWN))
        except RowRefused as refused:
            return Preview(name, refusal=refused.reason, parsed_header=header)
        return Preview(name, table.layout, rows, parsed_header=header)


def _meant(files: Sequence[Member]) -> list[Member]:
    """Return the tables to read: train, then dev and test; a single file may have any name."""
    paths = [(PurePosixPath(member.name), member) for member in files]
    meant = [
        member
        for path, member in paths
        if len(files) == 1
        or (path.suffix.lower() in SUFFIXES and not any(part.startswith((".", "__MACOSX")) for part in path.parts))
    ]
    return sorted(meant, key=lambda member: (("train", "", "dev", "test").index(split_named(member.name)), member.name))


class _TableReader:
    """Reads the dialogues of one table, of which `most` rows."""

    def __init__(
        self,
        name: str,
        table: DialogueTable,
        choice: LayoutChoice,
        of_file: str,
        texts: KeptTexts,
        most: int = MOST_ROWS,
    ) -> None:
        self._name, self._table, self._choice, self._of_file = name, table, choice, of_file
        self._texts, self._most = texts, most
        self._split = split_named(name)

    def dialogues(self, file: BinaryIO, ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
        """Yield the dialogues and the refused rows. Raises RowRefused where the rest of the file cannot be read."""
        is_by_line = self._table.row_is is A_LINE
        gather = self._by_line if is_by_line else self._by_dialogue
        make_row = self._said if is_by_line else self._whole
        yield from gather(
            self._counted(rows_of(file, self._name, self._table.layout, make_row), ledger), ledger, recipe
        )

    def _counted(self, rows: Iterable[Any], ledger: ImportLedger) -> Iterator[Any]:
        for number, row in enumerate(rows, start=1):
            if isinstance(row, BadRow) and row.line is None:
                raise RowRefused(row.reason.code, **row.reason.params)
            if number > MOST_ROWS:
                raise RowRefused("table_rows", limit=f"{MOST_ROWS:,}")
            ledger.has_read()
            yield row
            if number == self._most:
                return

    # ---- a row is an utterance ----------------------------------------------------------------------------------
    def _said(self, record: Record, layout: Layout) -> LineRow:
        name = name_cell(record, "dialogue_id", LONGEST_ID)
        if not name:
            raise RowRefused("no_value", column="dialogue_id")
        speaker = one_line(name_cell(record, "speaker", LONGEST_NAME))
        text = layout.tidy(text_cell(record, "text", LONGEST_SAID))
        turn = name_cell(record, "turn", LONGEST_NAME)
        place = self._texts.keep(text) if text else NOWHERE
        said = SaidLine(int(turn) if turn.isascii() and turn.isdecimal() else None, speaker, place)
        return LineRow(self._of_file + name, self._split_of(record), self._facts(record), said)

    def _by_line(
        self, rows: Iterator[LineRow | BadRow], ledger: ImportLedger, recipe: Recipe
    ) -> Iterator[DialogueRow | BadRow]:
        found: dict[str, Gathered] = {}
        for row in rows:
            if isinstance(row, BadRow):
                yield row
            elif row.said.place == NOWHERE:
                ledger.dropped[BLANK] += 1
            else:
                of = found.setdefault(row.dialogue, Gathered(row.dialogue, row.split, row.facts, []))
                of.said.append(row.said)
                for name in [name for name in of.facts if row.facts.get(name) != of.facts[name]]:
                    del of.facts[name]
        for gathered in found.values():
            if dialogue := self._dialogue(gathered, ledger, recipe):
                yield dialogue

    def _dialogue(self, gathered: Gathered, ledger: ImportLedger, recipe: Recipe) -> DialogueRow | None:
        """Return the dialogue of its utterances; None where it is too long. Counts their rows."""
        said = gathered.said
        if all(each.turn is not None for each in said):
            said = sorted(said, key=lambda each: each.turn or 0)
        texts = [self._texts.at(each.place) for each in said]
        if any(each.speaker for each in said):
            turns = turns_of((each.speaker, text) for each, text in zip(said, texts, strict=True))
        else:
            turns = with_speakers([Turn(speaker="", text=text) for text in texts])
        if is_too_long(turns):
            ledger.dropped[TOO_LONG] += len(said)
            return None
        ledger.kept += len(turns)
        ledger.joined += len(said) - len(turns)
        return DialogueRow(gathered.id, gathered.split, _tagged(turns, ledger, recipe), facts=gathered.facts)

    # ---- a row is a dialogue ------------------------------------------------------------------------------------
    def _whole(self, record: Record, layout: Layout) -> WholeRow:
        listed = two_turns(record) if self._table.row_is is TWO_TURNS else turns_listed(record, self._choice.separator)
        turns = [turn for value in listed if (turn := turn_of(value, layout))["text"]]
        if not turns:
            raise RowRefused("no_dialogue")
        if not any(turn["speaker"] for turn in turns):
            turns = with_speakers(turns)
        name = checked_id(self._of_file + (name_cell(record, "dialogue_id", LONGEST_ID) or str(record.line)), "")
        return WholeRow(record.line, DialogueRow(name, self._split_of(record), turns, facts=self._facts(record)))

    def _by_dialogue(
        self, rows: Iterator[WholeRow | BadRow], ledger: ImportLedger, recipe: Recipe
    ) -> Iterator[DialogueRow | BadRow]:
        seen: set[str] = set()
        for row in rows:
            if isinstance(row, BadRow):
                yield row
            elif row.dialogue.id in seen:
                reason = RefusalReason("id_twice", {"id": row.dialogue.id})
                yield BadRow(self._name, row.line, reason, excerpt(row.dialogue.turns[0]["text"]))
            else:
                seen.add(row.dialogue.id)
                ledger.kept += 1
                yield row.dialogue._replace(turns=_tagged(row.dialogue.turns, ledger, recipe))

    # ---- of both ------------------------------------------------------------------------------------------------
    def _split_of(self, record: Record) -> str:
        written = name_cell(record, "split", LONGEST_NAME)
        split = SPLITS.get(written.casefold(), written.casefold()) if written else self._split
        if split and split not in set(Split):
            raise RowRefused("split_unknown", split=excerpt(written))
        return split

    def _facts(self, record: Record) -> dict[str, str | int]:
        cells = {excerpt(name): cell_of(record, cell) for cell, name in self._table.others.items()}
        return dict(checked_facts({name: cell for name, cell in cells.items() if cell not in (None, "")}))


def _tagged(turns: Sequence[Turn], ledger: ImportLedger, recipe: Recipe) -> list[Turn]:
    return [Turn(speaker=turn["speaker"], text=with_tags(turn["text"], ledger, recipe)) for turn in turns]
