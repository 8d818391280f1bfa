"""Writing a corpus to files: one function per format, each with ``(dialogues, folder) -> number of files``."""

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from annotation.domain.corpora.articles import LETTERS, record_of
from annotation.models import Dialogue

TURN_KEYS = ("speaker", "text", "at", "to")  # in the published order; PostgreSQL keeps another
LONGEST_STEM = 200  # bytes: file systems take 255 with the suffix


class NoInstance(ValueError):
    """Raised, with the id, for a dialogue that MuTual's format cannot hold: no candidates, or more than 26."""


def write_mutual(dialogues: Iterable[Dialogue], folder: Path) -> int:
    """Write train/train_1.txt and so on, one JSON object a file. Raises NoInstance."""
    files = 0
    folder.mkdir(parents=True, exist_ok=True)
    for dialogue in dialogues:
        path = folder / dialogue.split / f"{_stem(dialogue.external_id)}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(mutual_record(dialogue), ensure_ascii=False), encoding="utf-8")
        files += 1
    return files


def mutual_record(dialogue: Dialogue) -> dict[str, Any]:
    """Return an instance as a MuTual record, or the source's own record where that was kept."""
    if dialogue.as_written:
        written: dict[str, Any] = json.loads(dialogue.as_written)
        return written
    if not dialogue.candidates or len(dialogue.candidates) > len(LETTERS):
        raise NoInstance(dialogue.external_id)
    record: dict[str, Any] = record_of(dialogue.external_id, dialogue.turns, dialogue.candidates, dialogue.answer)
    return record


def write_jsonl(dialogues: Iterable[Dialogue], folder: Path) -> int:
    """Write train.jsonl, dev.jsonl, test.jsonl and, for dialogues without a split, dialogues.jsonl; no empty files."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, IO[bytes]] = {}
    try:
        for dialogue in dialogues:
            if dialogue.split not in files:
                files[dialogue.split] = (folder / f"{dialogue.split or 'dialogues'}.jsonl").open("wb")
            files[dialogue.split].write(jsonl_line(dialogue))
    finally:
        for file in files.values():
            file.close()
    return len(files)


def jsonl_line(dialogue: Dialogue) -> bytes:
    """Return one line with the keys in the published order; keys without a value are left out."""
    turns = [{key: turn[key] for key in TURN_KEYS if key in turn} for turn in dialogue.turns]
    record: dict[str, Any] = {"id": dialogue.external_id, "split": dialogue.split, "turns": turns}
    if dialogue.candidates is not None:
        record["candidates"] = dialogue.candidates
    if dialogue.answer is not None:
        record["answer"] = dialogue.answer
    if dialogue.conversation != dialogue.digest:
        record["conversation"] = dialogue.conversation
    if dialogue.facts:
        record["facts"] = dialogue.facts
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _stem(name: str) -> str:
    """Return a safe file name for an id: it never leads out of the folder and is never too long."""
    stem = quote(name, safe=" ")
    return stem if len(stem) <= LONGEST_STEM else sha256(name.encode()).hexdigest()


CORPUS_EXPORTERS: dict[str, Callable[[Iterable[Dialogue], Path], int]] = {"mutual": write_mutual, "jsonl": write_jsonl}
