"""A preview of a file, before anything is stored."""

from dataclasses import dataclass
from itertools import islice

from annotation.importers.dialogues import DialogueRow
from annotation.importers.headers import sniff
from annotation.importers.layout import GUESS, Layout, LayoutChoice, ParsedHeader
from annotation.importers.pairs import SCHEMA, pair_row
from annotation.importers.reading import Source, opened, rows_of
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.rows import BadRow, ItemRow, PairRow

ROWS = 5


@dataclass(frozen=True, slots=True)
class Preview:
    """The guessed layout and the first five rows; or, with ``layout`` None, the reason why the file cannot be read.

    With a ``parsed_header`` the file could be read if its columns were mapped.
    """

    file: str
    layout: Layout | None = None
    rows: tuple[PairRow | ItemRow | DialogueRow | BadRow, ...] = ()
    refusal: RefusalReason | None = None
    parsed_header: ParsedHeader | None = None


def preview(source: Source, *, file_name: str = "", format: str = "auto", choice: LayoutChoice = GUESS) -> Preview:
    """Return the preview of a path or seekable binary file."""
    parsed_header = None
    with opened(source, file_name) as (file, name):
        try:
            parsed_header = sniff(file, format, SCHEMA, choice)
            layout = parsed_header.layout(SCHEMA, choice)
        except RowRefused as refused:
            return Preview(name, refusal=refused.reason, parsed_header=parsed_header)
        rows = tuple(islice(rows_of(file, name, layout, pair_row), ROWS))
        return seen(name, layout, rows, parsed_header)


def seen(
    name: str, layout: Layout, rows: tuple[PairRow | ItemRow | BadRow, ...], parsed_header: ParsedHeader | None
) -> Preview:
    """Return the preview of a file that has been read; it is refused if no row can be read of it."""
    if rows and isinstance(rows[0], BadRow) and rows[0].line is None:
        return Preview(name, refusal=rows[0].reason, parsed_header=parsed_header)
    return Preview(name, layout, rows, parsed_header=parsed_header)
