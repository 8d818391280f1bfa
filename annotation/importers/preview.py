"""A first look at a file, before anything is stored."""

from dataclasses import dataclass
from itertools import islice

from .layout import Layout, recognise
from .pairs import SCHEMA, pair_row
from .reading import Source, opened, rows_of
from .reasons import Reason, Refused
from .rows import BadRow, ItemRow, PairRow

ROWS = 5


@dataclass(frozen=True, slots=True)
class Preview:
    """What was guessed and the first five rows; or, with ``layout`` None, why the file cannot be read."""

    file: str
    layout: Layout | None = None
    rows: tuple[PairRow | ItemRow | BadRow, ...] = ()
    refusal: Reason | None = None


def preview(source: Source, *, file_name: str = "", format: str = "auto") -> Preview:
    """The preview of a path or seekable binary file."""
    with opened(source, file_name) as (file, name):
        try:
            layout = recognise(file, format, SCHEMA)
        except Refused as refused:
            return Preview(name, refusal=refused.reason)
        return Preview(name, layout, tuple(islice(rows_of(file, name, layout, pair_row), ROWS)))
