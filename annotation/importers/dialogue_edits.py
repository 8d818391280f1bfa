"""Edits of the dialogues of a corpus as jsonl: {"id", "turns": [TEXT, …]}, {"id", "leave_out": true} or
{"id", "clear": true}, one a line.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from annotation.domain.corpora.edits import CLEARED, LEFT_OUT, DialogueChange, edit
from annotation.importers.encoding import recognise_encoding
from annotation.importers.jsonl import json_object
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reading import opened
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow, excerpt

SWITCHES = {"leave_out": LEFT_OUT, "clear": CLEARED}


class DialogueEditRow(NamedTuple):
    """What a line changes of the dialogue with this id."""

    line: int
    id: str
    change: DialogueChange


def read(path: Path) -> Iterator[DialogueEditRow | BadRow]:
    """Yield the edits of a file; one BadRow without line if it is refused as a whole."""
    with opened(path, "") as (file, name):
        try:
            encoding = recognise_encoding(file)
        except RowRefused as refused:
            yield BadRow(name, None, refused.reason)
            return
        seen: set[str] = set()
        for line in read_lines(file, encoding):
            if line.is_blank:
                continue
            try:
                yield _row(line, seen)
            except RowRefused as refused:
                yield BadRow(name, line.number, refused.reason, excerpt(line.text))


def _row(line: FileLine, seen: set[str]) -> DialogueEditRow:
    if line.flaw:
        raise RowRefused(line.flaw.code, **line.flaw.params)
    record = json_object(line.text)
    id = record.get("id")
    if not isinstance(id, str):
        raise RowRefused("not_text", column="id")
    if id in seen:
        raise RowRefused("id_twice", id=excerpt(id))
    seen.add(id)
    return DialogueEditRow(line.number, id, _change(record))


def _change(record: dict[str, Any]) -> DialogueChange:
    match [name for name in ("turns", *SWITCHES) if name in record]:
        case ["turns"]:
            texts = record["turns"]
            if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
                return edit(texts)
        case [switch] if record[switch] is True:
            return DialogueChange(SWITCHES[switch])
    raise RowRefused("change_unknown")
