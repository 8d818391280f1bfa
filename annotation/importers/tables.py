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
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record
from annotation.importers.rows import BadRow, excerpt

Row = TypeVar("Row")
Aliases = Mapping[str, Sequence[str]]  # our name of a column, and those that files give it
DELIMITERS = ",;"
FEWEST_KNOWN = 2  # required columns by which a csv file is meant for a format


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


def lacking(files: Sequence[Member], aliases: Aliases, required: Sequence[str]) -> RowRefused | None:
    """Return what is wrong with a csv file that has two or more of the required columns and lacks others.

    The only file may have any name. None where no file is meant for such a table.
    """
    for member in sorted(files):
        if len(files) == 1 or _may_be_table(PurePosixPath(member.name)):
            known = columns_of(member, aliases)
            missing = [aliases[ours][0] for ours in required if ours not in known]
            if missing and len(required) - len(missing) >= FEWEST_KNOWN:
                return _columns_missing(member, missing)
    return None


def refuse_any_table(files: Sequence[Member], aliases: Aliases, required: Sequence[str]) -> None:
    """Raise RowRefused for a csv file, with the columns that it lacks: its lines are no text to be read."""
    if refused := lacking(files, aliases, required):
        raise refused
    for member in sorted(files):
        if _may_be_table(PurePosixPath(member.name)):
            known = columns_of(member, aliases)
            raise _columns_missing(member, [aliases[ours][0] for ours in required if ours not in known])


def _columns_missing(member: Member, missing: Sequence[str]) -> RowRefused:
    header = [*first_lines([member], 1), ""][0]
    code = "missing_column" if len(missing) == 1 else "missing_columns"
    return RowRefused(code, missing=", ".join(missing), found=excerpt(header))


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
