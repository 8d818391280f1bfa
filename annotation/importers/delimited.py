"""Records of csv and tsv."""

import csv
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from annotation.importers.encoding import LINE_LIMIT
from annotation.importers.layout import Layout
from annotation.importers.lines import FileLine
from annotation.importers.reasons import RefusalReason
from annotation.importers.records import CELL_LIMIT, Record

if TYPE_CHECKING:
    from _csv import Dialect

csv.field_size_limit(sys.maxsize)  # lines are bounded already
RECORD_LINES = CELL_LIMIT  # no cell that is accepted has more lines
WRAPPED = re.compile(r'"((?:[^"]|"")*)"')


def tsv_records(lines: Iterable[FileLine], layout: Layout) -> Iterator[Record]:
    """Yield one record for each line.

    Under a header, quotes around a whole cell were added by the program that wrote the table, and where a line has too
    few or too many cells, what is within quotes may hold tabs or go on in the next lines; without a header the file is
    plain text, in which every quote belongs to the text.
    """
    rest = _Rewindable(lines)
    for line in rest:
        if line.is_blank:
            continue
        cells = line.text.split("\t")
        if layout.header is not None and '"' in line.text:
            is_uneven = len(cells) != len(layout.columns) and not line.flaw
            cells = (is_uneven and _quoted_cells(line, rest, layout)) or [_unquoted(cell.strip()) for cell in cells]
        yield _record(line, cells, layout)


def _unquoted(cell: str) -> str:
    wrapped = WRAPPED.fullmatch(cell)
    return wrapped[1].replace('""', '"') if wrapped else cell


def csv_records(lines: Iterable[FileLine], layout: Layout) -> Iterator[Record]:
    """Yield the records of a csv file, in which a cell in quotes may run over several lines.

    A quote that is never closed costs only its own line: reading goes on with the line after it.
    """
    rest = _Rewindable(lines)
    for line in rest:
        if line.is_blank:
            continue
        if '"' in line.text and not line.flaw:
            yield _quoted_record(line, rest, layout)
        else:
            yield _record(line, line.text.split(layout.delimiter), layout)


class _Rewindable(Iterator[FileLine]):
    """Lines that can be given back and read again."""

    def __init__(self, lines: Iterable[FileLine]) -> None:
        self._lines = iter(lines)
        self._again: deque[FileLine] = deque()

    def __next__(self) -> FileLine:
        return self._again.popleft() if self._again else next(self._lines)

    def give_back(self, lines: Sequence[FileLine]) -> None:
        self._again.extendleft(reversed(lines))


def _quoted_record(line: FileLine, rest: _Rewindable, layout: Layout) -> Record:
    taken, is_closed = _take_record(line, rest)
    if not is_closed:
        rest.give_back(taken[1:])
        return Record(line.number, {}, line.text, RefusalReason("quote_open"))
    cells = _parse(taken, layout)
    if cells is None:
        rest.give_back(taken[1:])
        return Record(line.number, {}, line.text, RefusalReason("quote_misplaced"))
    is_row = len(cells) == len(layout.columns) and max(map(len, cells)) <= CELL_LIMIT
    if len(taken) > 1 and not is_row:
        return Record(line.number, {}, line.text, RefusalReason("quote_far", {"last": taken[-1].number}))
    return _record(line, cells, layout)


def _take_record(line: FileLine, rest: _Rewindable) -> tuple[list[FileLine], bool]:
    """Return the lines up to the one after which all quotes are closed, and whether there is such a line."""
    taken = [line]
    size = len(line.text)
    is_open = line.text.count('"') % 2 == 1
    while is_open and size <= LINE_LIMIT and len(taken) < RECORD_LINES:
        following = next(rest, None)
        if following is None:
            break
        taken.append(following)
        if following.flaw:
            break
        size += len(following.text)
        is_open ^= following.text.count('"') % 2 == 1
    return taken, not is_open


@cache
def _dialect(delimiter: str) -> "Dialect":
    """Return the dialect, made once: making it for each quoted line would take longer than parsing the line."""
    return csv.reader([], delimiter=delimiter, skipinitialspace=True, strict=True).dialect


def _parse(taken: Sequence[FileLine], layout: Layout) -> list[str] | None:
    """Return the cells of exactly one record, or None."""
    end = layout.encoding.newline.decode()
    lines = [line.text + end for line in taken]
    try:
        records = list(csv.reader(lines, _dialect(layout.delimiter)))
    except csv.Error:
        return None
    return records[0] if len(records) == 1 else None


def _quoted_cells(line: FileLine, rest: _Rewindable, layout: Layout) -> list[str] | None:
    """Return the cells of a record that has tabs or ends of lines within quotes; None where they make no whole one."""
    taken, is_closed = _take_record(line, rest)
    cells = _parse(taken, layout) if is_closed else None
    if cells and len(cells) == len(layout.columns):
        return cells
    rest.give_back(taken[1:])
    return None


def _record(line: FileLine, cells: Sequence[str], layout: Layout) -> Record:
    flaw = line.flaw
    if flaw is None and len(cells) != len(layout.columns):
        flaw = RefusalReason("column_count", {"found": len(cells), "expected": len(layout.columns)})
        if layout.header is None and len(cells) == 1 and layout.format == "tsv":
            flaw = RefusalReason("no_tab")
    return Record(line.number, dict(zip(layout.columns, cells, strict=False)), line.text, flaw)


OF_LINES: dict[str, Callable[[Iterable[FileLine], Layout], Iterator[Record]]] = {"csv": csv_records, "tsv": tsv_records}
