"""Records of jsonl: one object a line."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from annotation.importers.columns import folded_name
from annotation.importers.layout import Layout
from annotation.importers.lines import FileLine
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record
from annotation.importers.rows import excerpt

ESCAPED = re.compile("[\0\ud800-\udfff]")  # characters that a line cannot have, but a JSON escape can


def jsonl_records(lines: Iterable[FileLine], layout: Layout) -> Iterator[Record]:
    """Yield the object of each line, its keys folded and renamed like column names."""
    for line in lines:
        if line.is_blank:
            continue
        if line.flaw:
            yield Record(line.number, {}, line.text, line.flaw)
            continue
        try:
            yield Record(line.number, _cells(line.text, layout.renaming), line.text)
        except RowRefused as refused:
            yield Record(line.number, {}, line.text, refused.reason)


def _cells(text: str, renaming: Mapping[str, str]) -> dict[str, object]:
    value = json_object(text)
    for key, cell in value.items():
        if isinstance(cell, str) and not cell.isprintable() and (broken := ESCAPED.search(cell)):
            raise RowRefused("nul") if broken[0] == "\0" else RowRefused("lone_surrogate", column=excerpt(key))
    folded = {folded_name(key): cell for key, cell in value.items()}
    return {renaming.get(key, key): cell for key, cell in folded.items()} if renaming else folded


def json_object(text: str) -> dict[str, object]:
    """Return the object that a text is. Raises RowRefused."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise RowRefused("json_broken", position=error.colno) from None
    except RecursionError:
        raise RowRefused("json_deep") from None
    except ValueError:  # a number with more digits than Python reads
        raise RowRefused("json_number") from None
    if not isinstance(value, dict):
        raise RowRefused("json_no_object")
    return value
