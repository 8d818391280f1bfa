"""Records of the sheet of a workbook."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.importers.layout import Layout
from annotation.importers.reasons import RefusalReason
from annotation.importers.records import CONTROL, Record
from annotation.importers.sheet_xml import SheetRow
from annotation.importers.workbook import Workbook

SHOWN = " · "  # between the cells of a refused row


def sheet_records(file: BinaryIO, layout: Layout) -> Iterator[Record]:
    """Yield a record for each row below the header. Raises RowRefused, at any row, where the rest cannot be read."""
    for row in Workbook(file).rows(layout.sheet):
        if row.number > layout.header_row:
            cells = {name: row.cells.get(column, "") for column, name in enumerate(layout.columns)}
            text = SHOWN.join(cell for cell in row.cells.values() if isinstance(cell, str))
            yield Record(row.number, cells, text, _flaw(row))


def _flaw(row: SheetRow) -> RefusalReason | None:
    for column, cell in row.cells.items():
        if isinstance(cell, str) and not cell.isprintable() and (broken := CONTROL.search(cell)):
            name = str(column + 1)
            return RefusalReason("nul") if broken[0] == "\0" else RefusalReason("lone_surrogate", {"column": name})
    return None
