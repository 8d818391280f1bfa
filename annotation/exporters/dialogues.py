"""Writing a corpus to files: one function per format, each with ``(dialogues, folder) -> number of files``."""

import json
import shutil
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from annotation.domain.corpora.articles import LETTERS, record_of
from annotation.domain.releases.splitting import Split
from annotation.models import Dialogue

TURN_KEYS = ("speaker", "text", "at", "to")  # in the published order; PostgreSQL keeps another
SPLITS = [*map(str, Split), ""]  # in the order in which an import reads their files
ALL = "dialogues"  # name of the file of dialogues without a split, and of all where their order matters
LONGEST_STEM = 200  # bytes: file systems take 255 with the suffix


class NoInstance(ValueError):
    """Raised, with the id, for a dialogue that a format of instances cannot hold."""


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
    """Write train.jsonl, dev.jsonl, test.jsonl and, for dialogues without a split, dialogues.jsonl; no empty files.

    Where the splits do not follow each other in this order, all are in dialogues.jsonl, in the order of the corpus.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = _SplitFiles(folder)
    try:
        for dialogue in dialogues:
            files.of(dialogue.split).write(jsonl_line(dialogue))
    finally:
        files.close()
    return len(files.paths)


class _SplitFiles:
    """A file for each split as long as one follows the other; from then on one for all."""

    def __init__(self, folder: Path) -> None:
        self.paths: list[Path] = []
        self._folder = folder
        self._last = -1  # place of the split that is written, in SPLITS
        self._file: IO[bytes] | None = None

    def of(self, split: str) -> IO[bytes]:
        place = SPLITS.index(split)
        if self._last < place:
            self._open(self._folder / f"{split or ALL}.jsonl")
            self._last = place
        elif place < self._last != len(SPLITS):
            self._join()
            self._last = len(SPLITS)
        assert self._file is not None
        return self._file

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self, path: Path) -> None:
        self.close()
        self.paths.append(path)
        self._file = path.open("wb")

    def _join(self) -> None:
        """Put what is written so far into one file, and go on in that."""
        self.close()
        written, self.paths = self.paths, []
        path = self._folder / f"{ALL}.jsonl.part"
        self._open(path)
        assert self._file is not None
        for part in written:
            with part.open("rb") as file:
                shutil.copyfileobj(file, self._file)
            part.unlink()
        self.paths = [path.rename(self._folder / f"{ALL}.jsonl")]


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
        record["facts"] = dict(sorted(dialogue.facts.items()))
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _stem(name: str) -> str:
    """Return a safe file name for an id: it never leads out of the folder and is never too long."""
    stem = quote(name, safe=" ")
    return stem if len(stem) <= LONGEST_STEM else sha256(name.encode()).hexdigest()
