"""A record: the cells of one row by column name, before they are checked."""

from collections.abc import Mapping
from typing import NamedTuple

from annotation.importers.reasons import RefusalReason, RowRefused
from core.domain.text import normalise

CELL_LIMIT = 10_000  # characters of a prompt or response


class Record(NamedTuple):
    """The cells of a row; ``text`` is its first line, for the excerpt. With a ``flaw`` the cells are not valid."""

    line: int
    cells: Mapping[str, object]
    text: str
    flaw: RefusalReason | None = None


def text_cell(record: Record, column: str, limit: int = CELL_LIMIT) -> str:
    """Return the text of a cell, empty where there is none. Raises RowRefused."""
    value = record.cells.get(column, "")
    if not isinstance(value, str):
        if value is not None:
            raise RowRefused("not_text", column=column)
        return ""
    return within(value, column, limit)


def within(text: str, column: str, limit: int) -> str:
    """Return the text if it is not too long to be stored: texts are never cut. Raises RowRefused."""
    if len(text) > limit:
        raise RowRefused("cell_too_long", column=column, length=len(text), limit=limit)
    return text


def name_cell(record: Record, column: str, limit: int) -> str:
    """Return the normalised name or number in a cell, empty where there is none; JSON may give an integer."""
    value = record.cells.get(column)
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        return within(normalise(within(value, column, limit)), column, limit)  # normalising may lengthen
    if isinstance(value, int) and not isinstance(value, bool):
        return within(str(value), column, limit)
    raise RowRefused("not_text", column=column)
