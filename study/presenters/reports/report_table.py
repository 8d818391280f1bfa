"""A table of a report: cells as they are printed, and the rows of the csv file that has the same numbers in full."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.exporters import csv
from core.exporters.latex import LatexTable, written

NONE = "–"
DIGITS = str.maketrans("", "", "0123456789.,/")

Row = dict[str, Any]
Groups = Sequence[tuple[str, Sequence[Sequence[str]]]]


@dataclass(frozen=True)
class ReportTable:
    """A table: `columns` and `groups` of rows as printed, the first cell naming the row; `rows` by name, for its file.

    `marked` is the column of the figure that matters most, -1 for none. A page shows one that `is_short` group by group
    in a line each.
    """

    key: str
    caption: str
    columns: Sequence[str]
    groups: Groups
    rows: Sequence[Row]
    marked: int = -1
    is_short: bool = False

    @property
    def numbers(self) -> list[int]:
        """The columns of single numbers; the others have names, intervals and words."""
        cells = [row for _title, rows in self.groups for row in rows]
        return [at for at in range(1, len(self.columns)) if all(is_number(row[at]) for row in cells)]

    @property
    def is_empty(self) -> bool:
        return not any(rows for _title, rows in self.groups)

    def as_csv(self) -> bytes:
        """Return the file: a row of the table is a row of it, and there may be more."""
        header = list(dict.fromkeys(name for row in self.rows for name in row))
        return b"".join(csv.lines(header, ([row.get(name) for name in header] for row in self.rows)))

    def as_latex(self) -> bytes:
        return written(LatexTable(self.key, self.caption, self.columns, self.groups))


def is_number(cell: str) -> bool:
    """Return whether a printed cell is one number, a part of a whole, or the dash of a missing one.

    >>> [is_number(cell) for cell in ("−15.0", "976/1,370", "–", "< .001", "65.3–76.5", "movie")]
    [True, True, True, True, False, False]
    """
    return cell == NONE or not cell.lstrip("<+−. ").translate(DIGITS)


def count(number: int | None) -> str:
    """Format a number of people or answers."""
    return NONE if number is None else f"{number:,}"


def percent(value: float | None) -> str:
    """Format a share in per cent.

    >>> percent(0.7125)
    '71.2'
    """
    return NONE if value is None else f"{100 * value:.1f}"


def interval(low: float | None, high: float | None) -> str:
    """Format an interval in per cent; a dash where there is none."""
    return NONE if low is None or high is None else f"{percent(low)}–{percent(high)}"
