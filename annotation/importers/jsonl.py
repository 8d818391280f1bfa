"""Records of jsonl, one object a line, and of a JSON array of objects."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from annotation.importers import prodigy
from annotation.importers.columns import folded_name
from annotation.importers.exports import flattened
from annotation.importers.json_array import DECODER, ArrayEntry, entries
from annotation.importers.layout import Layout
from annotation.importers.lines import FileLine
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.records import CONTROL, Record
from annotation.importers.rows import excerpt
from annotation.importers.zipped_exports import ZippedLine, zipped_lines


def jsonl_records(lines: Iterable[FileLine], layout: Layout) -> Iterator[Record]:
    """Yield the objects of each line, their keys folded and renamed like column names."""
    for line in lines:
        if line.is_blank:
            continue
        try:
            if line.flaw:
                raise RowRefused(line.flaw.code, **line.flaw.params)
            for row in flattened(json_object(line.text)):
                yield Record(line.number, _cells(row, layout), line.text)
        except RowRefused as refused:
            yield Record(line.number, {}, line.text, refused.reason)


def array_records(file: BinaryIO, layout: Layout) -> Iterator[Record]:
    """Yield the objects of each entry of a JSON array. Raises RowRefused where the rest of it cannot be read."""
    return _records(entries(file, layout.encoding), layout)


def zipped_records(file: BinaryIO, layout: Layout) -> Iterator[Record]:
    """Yield the objects of the files in a .zip. Raises RowRefused where the rest of it cannot be read."""
    return _records(zipped_lines(file), layout)


def _records(found: Iterable[ArrayEntry | ZippedLine], layout: Layout) -> Iterator[Record]:
    for each in found:
        try:
            if isinstance(each.value, RefusalReason):
                raise RowRefused(each.value.code, **each.value.params)
            if not isinstance(each.value, dict):
                raise RowRefused("json_no_object")
            for row in flattened(each.value):
                yield Record(each.number, _cells(row, layout), each.text)
        except RowRefused as refused:
            yield Record(each.number, {}, each.text, refused.reason)


def _cells(value: Mapping[str, object], layout: Layout) -> dict[str, object]:
    for key, cell in value.items():
        if isinstance(cell, str) and not cell.isprintable() and (broken := CONTROL.search(cell)):
            raise RowRefused("nul") if broken[0] == "\0" else RowRefused("lone_surrogate", column=excerpt(key))
    folded = {folded_name(key): cell for key, cell in value.items()}
    cells = {layout.renaming.get(key, key): cell for key, cell in folded.items()}
    if layout.has_verdicts and str(value.get(prodigy.VERDICT)) in prodigy.NOT_ACCEPTED:
        cells["counted"] = False
    return cells


def json_object(text: str, decoder: json.JSONDecoder = DECODER) -> dict[str, object]:
    """Return the object that a text is. Raises RowRefused."""
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        raise RowRefused("json_broken", position=error.colno) from None
    except RecursionError:
        raise RowRefused("json_deep") from None
    except ValueError:  # a number with more digits than Python reads
        raise RowRefused("json_number") from None
    if not isinstance(value, dict):
        raise RowRefused("json_no_object")
    return value
