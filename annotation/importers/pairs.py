"""Prompt-response pairs: columns prompt, response [, id, source, topic, dialogue]; or prompt TAB response."""

from collections.abc import Iterator

from annotation.importers.columns import Schema
from annotation.importers.layout import GUESS, Layout, LayoutChoice
from annotation.importers.reading import Source, read_rows
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, name_cell, text_cell
from annotation.importers.rows import BadRow, PairRow

NAMES = (("id", 200), ("source", 100), ("topic", 100), ("dialogue", 200))  # the greatest lengths that are stored
SCHEMA = Schema(required=("prompt", "response"), bare_tsv=True, optional=tuple(name for name, _limit in NAMES))


def read(
    source: Source, *, file_name: str = "", format: str = "auto", choice: LayoutChoice = GUESS
) -> Iterator[PairRow | BadRow]:
    """Yield the pairs of a csv, tsv or jsonl file (path or seekable binary file), normalised, spaced Chinese joined.

    Columns may be in any order and case; others are ignored. A pair may come twice: the caller counts duplicates.
    """
    return read_rows(source, file_name, format, SCHEMA, pair_row, choice)


def pair_row(record: Record, layout: Layout) -> PairRow:
    """Return the pair of a record. Raises RowRefused."""
    prompt = layout.tidy(text_cell(record, "prompt"))
    response = layout.tidy(text_cell(record, "response"))
    if not prompt:
        raise RowRefused("no_prompt")
    if not response:
        is_bare = layout.format == "tsv" and layout.header is None
        raise RowRefused("no_response_after_tab" if is_bare else "no_response")
    return PairRow(record.line, prompt, response, *[name_cell(record, column, limit) for column, limit in NAMES])
