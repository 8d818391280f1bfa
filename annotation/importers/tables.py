"""The tables of a corpus: csv files whose columns have one of several names."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from annotation.importers.archive import Member
from annotation.importers.columns import Schema, folded_name
from annotation.importers.dialogues import LONGEST_LINE, first_lines
from annotation.importers.layout import Layout, LayoutChoice
from annotation.importers.reading import read_rows
from annotation.importers.records import Record
from annotation.importers.rows import BadRow

Row = TypeVar("Row")
Aliases = Mapping[str, Sequence[str]]  # our name of a column, and those that files give it
DELIMITERS = ",;"


def tables(files: Sequence[Member], aliases: Aliases, required: Sequence[str]) -> list[Member]:
    """Return the csv files that have the required columns, by name; a single file may have any name."""
    return sorted(
        member
        for member in files
        if (len(files) == 1 or _may_be_table(PurePosixPath(member.name)))
        and columns_of(member, aliases).keys() >= set(required)
    )


def columns_of(member: Member, aliases: Aliases) -> dict[str, str]:
    """Return the file's own name for each of our columns that its header has."""
    header = [*first_lines([member], 1), ""][0]
    found: dict[str, str] = {}
    for delimiter in DELIMITERS:
        names = {folded_name(name) for name in next(csv.reader([header], delimiter=delimiter), [])}
        known = {ours: next((name for name in theirs if name in names), "") for ours, theirs in aliases.items()}
        found = max(found, {ours: name for ours, name in known.items() if name}, key=len)
    return found


def table_rows(
    member: Member, aliases: Aliases, required: Sequence[str], make_row: Callable[[Record], Row]
) -> Iterator[Row | BadRow]:
    """Yield a row for each record, its cells by our names; what cannot be read is a refused row."""

    def made(record: Record, _layout: Layout) -> Row:
        return make_row(record)

    choice = LayoutChoice(header=True, columns=columns_of(member, aliases), longest_line=LONGEST_LINE)
    yield from read_rows(member.path, member.name, "csv", Schema(tuple(required)), made, choice)


def _may_be_table(path: PurePosixPath) -> bool:
    is_hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not is_hidden and path.suffix.lower() == ".csv"
