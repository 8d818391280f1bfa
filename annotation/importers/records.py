"""A record: the cells of one row by column name, before they are checked."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from annotation.importers.reasons import RefusalReason, RowRefused
from core.domain.text import normalise

CONTROL = re.compile("[\0\ud800-\udfff]")  # characters that a line cannot have, but an escape can
CELL_LIMIT = 10_000  # characters of a prompt or response


class Record(NamedTuple):
    """The cells of a row; ``text`` is its first line, for the excerpt. With a ``flaw`` the cells are not valid.

    ``line`` is the number of the row in a sheet, and of the entry in a JSON array, which is often one line. A cell that
    cannot be read is the reason why.
    """

    line: int
    cells: Mapping[str, object]
    text: str
    flaw: RefusalReason | None = None


def cell_of(record: Record, column: str) -> object:
    """Return the value of a cell, None where there is none. Raises RowRefused where it cannot be read."""
    value = record.cells.get(column)
    if isinstance(value, RefusalReason):
        raise RowRefused(value.code, **{"column": column, **value.params})
    return value


def text_cell(record: Record, column: str, limit: int = CELL_LIMIT) -> str:
    """Return the text of a cell, empty where there is none. Raises RowRefused."""
    value = cell_of(record, column)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RowRefused("not_text", column=column)
    return value if len(value) <= limit else within(value, column, limit)


def within(text: str, column: str, limit: int) -> str:
    """Return the text if it is not too long to be stored: texts are never cut. Raises RowRefused."""
    if len(text) > limit:
        raise RowRefused("cell_too_long", column=column, length=len(text), limit=limit)
    return text


def name_cell(record: Record, column: str, limit: int) -> str:
    """Return the normalised name or number in a cell, empty where there is none; JSON may give an integer."""
    value = cell_of(record, column)
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        name = normalise(value) if len(value) <= limit else value  # normalising may lengthen
    elif isinstance(value, int) and not isinstance(value, bool):
        name = str(value)
    else:
        raise RowRefused("not_text", column=column)
    return name if len(name) <= limit else within(name, column, limit)
