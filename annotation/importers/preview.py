"""A first look at a file, before anything is stored."""

from dataclasses import dataclass
from itertools import islice

from annotation.importers.layout import GUESS, Choice, Layout, Sheet, survey
from annotation.importers.pairs import SCHEMA, pair_row
from annotation.importers.reading import Source, opened, rows_of
from annotation.importers.reasons import Reason, Refused
from annotation.importers.rows import BadRow, ItemRow, PairRow

ROWS = 5


@dataclass(frozen=True, slots=True)
class Preview:
    """What was guessed and the first five rows; or, with ``layout`` None, why the file cannot be read.

    With a ``sheet`` it could be if its columns were named.
    """

    file: str
    layout: Layout | None = None
    rows: tuple[PairRow | ItemRow | BadRow, ...] = ()
    refusal: Reason | None = None
    sheet: Sheet | None = None


def preview(source: Source, *, file_name: str = "", format: str = "auto", choice: Choice = GUESS) -> Preview:
    """The preview of a path or seekable binary file."""
    sheet = None
    with opened(source, file_name) as (file, name):
        try:
            sheet = survey(file, format, SCHEMA, choice)
            layout = sheet.layout(SCHEMA, choice.columns)
        except Refused as refused:
            return Preview(name, refusal=refused.reason, sheet=sheet)
        rows = tuple(islice(rows_of(file, name, layout, pair_row), ROWS))
        return Preview(name, layout, rows, sheet=sheet)
