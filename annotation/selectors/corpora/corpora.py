"""Corpora for other apps: one of the modules that study may import from annotation."""

from collections.abc import Generator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from annotation.domain.releases.splitting import Split
from annotation.exporters.corpora import CORPUS_EXPORTERS
from annotation.models import Corpus, Dialogue
from annotation.permissions import corpora_of
from core.exporters.zips import write_zip
from core.models import User

CHUNK = 2_000


def named(name: str, *, by: User) -> tuple[Corpus, str]:
    """Return the corpus and the split named by NAME or NAME:split; an empty split means all of it.

    Raises Corpus.DoesNotExist, also where the split is not train, dev or test, or the person may not read corpora.
    """
    own_name, colon, split = name.partition(":")
    if colon and split not in set(Split):
        raise Corpus.DoesNotExist
    return corpora_of(by).get(name=own_name), split


def names_of(by: User) -> list[str]:
    """Return the names of the corpora and splits that a person may use, the newest corpus first."""
    names = []
    for corpus in corpora_of(by).order_by("-created_at", "-pk"):
        splits = splits_of(corpus)
        names += [corpus.name, *(f"{corpus.name}:{split}" for split in splits if split and len(splits) > 1)]
    return names


def dialogues_of(corpus: Corpus, split: str = "") -> Generator[Dialogue, None, None]:
    """Yield the dialogues by position, optionally of one split. Close the generator if you leave it before its end."""
    dialogues = corpus.dialogues.filter(split=split) if split else corpus.dialogues.all()
    yield from dialogues.order_by("position").iterator(chunk_size=CHUNK)


def rows_of(corpus: Corpus, fields: Sequence[str], split: str = "") -> Generator[tuple[Any, ...], None, None]:
    """Yield these fields of the dialogues in any order, optionally of one split. Close it as `dialogues_of`."""
    dialogues = corpus.dialogues.filter(split=split) if split else corpus.dialogues.all()
    yield from dialogues.order_by().values_list(*fields).iterator(chunk_size=CHUNK)


def candidates_of(corpus: Corpus, split: str = "") -> int | None:
    """Return how many candidates an instance has, optionally of one split, by the first; None without instances."""
    instances = corpus.dialogues.filter(candidates__isnull=False, **({"split": split} if split else {}))
    candidates = instances.order_by().values_list("candidates", flat=True).first()
    return len(candidates) if candidates else None


def splits_of(corpus: Corpus) -> dict[str, int]:
    """Return the number of dialogues in each split, in the order train, dev, test, and without a split last."""
    blocks = corpus.statistics
    return {split: blocks[split]["dialogues"] for split in [*map(str, Split), ""] if split in blocks}


def formats_of(corpus: Corpus) -> list[str]:
    """Return the formats that can hold the corpus: MuTual's takes only instances, Ubuntu's needs their answers."""
    blocks = corpus.statistics.values()
    can_hold = {
        "mutual": all(block["instances"] == block["dialogues"] for block in blocks),
        "ubuntu-csv": all(block["instances"] == block["answers"] for block in blocks),
    }
    return [format for format in CORPUS_EXPORTERS if can_hold.get(format, True)]


def write(corpus: Corpus, *, format: str, folder: Path) -> int:
    """Write the corpus in one format and return the number of files. Raises exporters.dialogues.NoInstance."""
    return CORPUS_EXPORTERS[format](dialogues_of(corpus), folder)


def zipped(corpus: Corpus, *, format: str) -> IO[bytes]:
    """Return the corpus in one zip: an open temporary file, at its beginning, that is deleted when it is closed."""
    archive = TemporaryFile()  # noqa: SIM115 - closed by the caller, after sending
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(corpus, format=format, folder=root)
        write_zip((path for path in root.rglob("*") if path.is_file()), root, archive)
    archive.seek(0)
    return archive
