"""Small corpora for tests: dialogues and instances written for them, as files and as stored."""

import io
import json
import tarfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db.models import QuerySet

from annotation.actions.corpora import corpora
from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers.archive import Member
from annotation.importers.dialogues import DialogueRow, Reader, Recipe
from annotation.importers.rows import BadRow
from annotation.models import Corpus, Dialogue
from core.models import User
from tests.factories import no_progress

SPLITS = ("train", "dev", "test")


def instance(number: int, split: str = "dev", **details: Any) -> dict[str, Any]:
    """Return a record in MuTual's format; the right option is the third."""
    return {
        "answers": "C",
        "options": [f"m : {word} lamp number {number} ." for word in ("buy", "sell", "mend", "paint")],
        "article": f"m : lamp {number} is broken . f : which one , the {number}th ? m : yes .",
        "id": f"{split}_{number}",
        **details,
    }


def folder_of(records: Mapping[str, Any]) -> dict[str, bytes]:
    """Return files by name; a value that is neither text nor bytes is written as JSON."""
    written = {}
    for name, content in records.items():
        text = content if isinstance(content, str | bytes) else json.dumps(content, ensure_ascii=False)
        written[name] = text.encode() if isinstance(text, str) else text
    return written


def mutual_files(*numbers: int, split: str = "dev", variant: str = "mutual") -> dict[str, bytes]:
    return folder_of({f"{variant}/{split}/{split}_{n}.txt": instance(n, split) for n in numbers})


def tar_of(path: Path, files: Mapping[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def dialogue(number: int, turns: int = 6, **details: Any) -> dict[str, Any]:
    """Return a dialogue that shares no turn with any other number's."""
    said = [{"speaker": "AB"[turn % 2], "text": f"Line {turn} of story {number}."} for turn in range(turns)]
    return {"id": f"d{number}", "split": "dev", "turns": said, **details}


def jsonl_of(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


def stored(name: str, rows: Iterable[Mapping[str, Any]], *, by: User) -> Corpus:
    """Store these dialogues as a corpus."""
    with TemporaryDirectory() as folder:
        path = jsonl_of(Path(folder) / "dialogues.jsonl", rows)
        return imported(name, path, by=by).corpus


class FilesRead:
    """What a reader makes of files: the rows, those refused, and a ledger that adds up."""

    def __init__(self, reader: Reader, folder: Path, files: Mapping[str, str | bytes], **recipe: Any) -> None:
        members = []
        for number, (name, content) in enumerate(files.items()):
            path = folder / str(number)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            members.append(Member(name, path))
        assert reader.fits(members)
        self.ledger = ImportLedger()
        found = list(reader.read(members, self.ledger, Recipe(**recipe)))
        self.rows = [row for row in found if isinstance(row, DialogueRow)]
        self.refused = [row for row in found if isinstance(row, BadRow)]
        self.ledger.dropped["refused"] += len(self.refused)
        assert self.ledger.adds_up

    @property
    def texts(self) -> list[list[str]]:
        """The turns of each dialogue as "speaker text"."""
        return [[f"{turn['speaker']} {turn['text']}" for turn in row.turns] for row in self.rows]

    @property
    def dropped(self) -> Counter[str]:
        return +self.ledger.dropped

    @property
    def changed(self) -> Counter[str]:
        return +self.ledger.changed


def imported(
    name: str,
    path: Path,
    *,
    by: User,
    format: str = "jsonl",
    recipe: Recipe = corpora.RECIPE,
    partial: bool = False,
) -> corpora.Imported:
    return corpora.import_corpus(
        name=name, path=path, format=format, recipe=recipe, partial=partial, report=no_progress, by=by
    )


def flag(corpus: Corpus, *ids: str) -> None:
    """Flag dialogues of a corpus, as an import does where a word of the word lists stands in them."""
    flagged = QuerySet(Dialogue).filter(corpus=corpus, external_id__in=ids)
    assert flagged.update(flagged=True) == len(ids)
