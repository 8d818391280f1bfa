"""A record: the cells of one row by the names of their columns, before they are judged."""

from collections.abc import Mapping
from typing import NamedTuple

from annotation.domain.text import normalise

from .reasons import Reason, Refused

CELL_LIMIT = 10_000  # characters of a prompt or response


class Record(NamedTuple):
    """``text`` is the first line as written, for the excerpt; with a ``flaw`` the cells are not to be used."""

    line: int
    cells: Mapping[str, object]
    text: str
    flaw: Reason | None = None


def text_cell(record: Record, column: str, limit: int = CELL_LIMIT) -> str:
    """The text of a cell, empty where there is none. Raises ``Refused``."""
    value = record.cells.get(column, "")
    if not isinstance(value, str):
        if value is not None:
            raise Refused("not_text", column=column)
        return ""
    if len(value) > limit:
        raise Refused("cell_too_long", column=column, length=len(value), limit=limit)
    return value


def name_cell(record: Record, column: str, limit: int) -> str:
    """The normalised name or number in a cell, empty where there is none; JSON may give an integer."""
    value = record.cells.get(column, "")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return normalise(text_cell(record, column, limit))
