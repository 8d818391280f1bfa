"""A corpus written to files: one function a format, each with ``(dialogues, folder) -> number of files``."""

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from annotation.domain.corpora.articles import LETTERS, record_of
from annotation.models import Dialogue

LONGEST_STEM = 200  # bytes: file systems take 255 with the suffix


class NoInstance(ValueError):
    """A dialogue that MuTual's format cannot hold, by its id: it has no candidates, or more than there are letters."""


def write_mutual(dialogues: Iterable[Dialogue], folder: Path) -> int:
    """train/train_1.txt and so on, one JSON object a file; raises NoInstance."""
    files = 0
    folder.mkdir(parents=True, exist_ok=True)
    for dialogue in dialogues:
        path = folder / dialogue.split / f"{_stem(dialogue.external_id)}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(mutual_record(dialogue), ensure_ascii=False), encoding="utf-8")
        files += 1
    return files


def mutual_record(dialogue: Dialogue) -> dict[str, Any]:
    """An instance as MuTual writes it, as the source wrote it where that was kept."""
    if dialogue.as_written:
        written: dict[str, Any] = json.loads(dialogue.as_written)
        return written
    if not dialogue.candidates or len(dialogue.candidates) > len(LETTERS):
        raise NoInstance(dialogue.external_id)
    record: dict[str, Any] = record_of(dialogue.external_id, dialogue.turns, dialogue.candidates, dialogue.answer)
    return record


def write_jsonl(dialogues: Iterable[Dialogue], folder: Path) -> int:
    """train.jsonl, dev.jsonl, test.jsonl and, without a split, dialogues.jsonl: those that have a row."""
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
    """One line in the published order of keys; what is not known or not there is left out."""
    turns = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in dialogue.turns]
    record: dict[str, Any] = {"id": dialogue.external_id, "split": dialogue.split, "turns": turns}
    if dialogue.candidates is not None:
        record["candidates"] = dialogue.candidates
    if dialogue.answer is not None:
        record["answer"] = dialogue.answer
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _stem(name: str) -> str:
    """A file name that every id has, and no id leads elsewhere with."""
    stem = quote(name, safe=" ")
    return stem if len(stem) <= LONGEST_STEM else sha256(name.encode()).hexdigest()


CORPUS_EXPORTERS: dict[str, Callable[[Iterable[Dialogue], Path], int]] = {"mutual": write_mutual, "jsonl": write_jsonl}
