"""Comma-separated values with a header, safe to open in a spreadsheet.

A text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return would run as a formula, so it gets an
apostrophe in front; so does a text that begins with an apostrophe, to tell the two apart. To read the texts back,
remove one leading apostrophe. Texts are quoted and numbers are not; lists are JSON within their cell, without an
apostrophe. UTF-8 without a byte order mark; lines end in a line feed.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain
from typing import Any

from core.domain.batches import batched

ROWS_AT_ONCE = 1_000
RISKY = ("=", "+", "-", "@", "\t", "\r", "'")


def lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield a table as bytes to send in pieces: the header, then the rows, many at a time."""
    for some in batched(chain([columns], rows), ROWS_AT_ONCE):
        yield _written(some)


def row(cells: Iterable[Any]) -> bytes:
    """Return one line of a file."""
    return _written([cells])


def _written(rows: Iterable[Iterable[Any]]) -> bytes:
    text = StringIO(newline="")
    # Quoting every text keeps a lone carriage return inside its cell in every version of Python.
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows(map(_cell, cells) for cells in rows)
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(RISKY) else value
    return as_json(value) if isinstance(value, list) else value


def as_json(value: list[Any]) -> str:
    """Return a list as it is in a cell."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
