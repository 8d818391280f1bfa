"""A record: the cells of one row by the names of their columns, before they are judged."""

from collections.abc import Mapping
from typing import NamedTuple

from annotation.importers.reasons import RefusalReason, RowRefused
from core.domain.text import normalise

CELL_LIMIT = 10_000  # characters of a prompt or response


class Record(NamedTuple):
    """``text`` is the first line as written, for the excerpt; with a ``flaw`` the cells are not to be used."""

    line: int
    cells: Mapping[str, object]
    text: str
    flaw: RefusalReason | None = None


def text_cell(record: Record, column: str, limit: int = CELL_LIMIT) -> str:
    """The text of a cell, empty where there is none. Raises ``Refused``."""
    value = record.cells.get(column, "")
    if not isinstance(value, str):
        if value is not None:
            raise RowRefused("not_text", column=column)
        return ""
    return within(value, column, limit)


def within(text: str, column: str, limit: int) -> str:
    """The text, where it is no longer than what is stored: nothing is ever cut. Raises ``Refused``."""
    if len(text) > limit:
        raise RowRefused("cell_too_long", column=column, length=len(text), limit=limit)
    return text


def name_cell(record: Record, column: str, limit: int) -> str:
    """The normalised name or number in a cell, empty where there is none; JSON may give an integer."""
    value = record.cells.get(column, "")
    if isinstance(value, int) and not isinstance(value, bool):
        return within(str(value), column, limit)
    return within(normalise(text_cell(record, column, limit)), column, limit)  # normalising may lengthen
