"""Corpora as others read them: one of the doors from study down to annotation."""

from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from annotation.domain.releases.splitting import Split
from annotation.exporters.archive import write_zip
from annotation.exporters.dialogues import CORPUS_EXPORTERS
from annotation.models import Corpus, Dialogue
from annotation.permissions import corpora_of
from core.models import User

CHUNK = 2_000


def named(name: str, *, by: User) -> tuple[Corpus, str]:
    """The corpus and the split that NAME or NAME:split stands for; an empty split is all of it.

    Raises Corpus.DoesNotExist, also where the split is none of train, dev and test or the person may read no corpora.
    """
    own_name, colon, split = name.partition(":")
    if colon and split not in set(Split):
        raise Corpus.DoesNotExist
    return corpora_of(by).get(name=own_name), split


def names_of(by: User) -> list[str]:
    """The names by which a person may use corpora and their splits, the newest corpus first."""
    names = []
    for corpus in corpora_of(by).order_by("-created_at", "-pk"):
        splits = splits_of(corpus)
        names += [corpus.name, *(f"{corpus.name}:{split}" for split in splits if split and len(splits) > 1)]
    return names


def dialogues_of(corpus: Corpus, split: str = "") -> Generator[Dialogue, None, None]:
    """The dialogues by position, streamed; of one split if one is named. Close it if you leave it before its end."""
    dialogues = corpus.dialogues.filter(split=split) if split else corpus.dialogues.all()
    yield from dialogues.order_by("position").iterator(chunk_size=CHUNK)


def splits_of(corpus: Corpus) -> dict[str, int]:
    """How many dialogues each split has, in the order train, dev, test, and without a split last."""
    blocks = corpus.statistics
    return {split: blocks[split]["dialogues"] for split in [*map(str, Split), ""] if split in blocks}


def formats_of(corpus: Corpus) -> list[str]:
    """The formats that can hold the corpus: MuTual's takes instances alone."""
    has_instances = all(block["instances"] == block["dialogues"] for block in corpus.statistics.values())
    return [format for format in CORPUS_EXPORTERS if format != "mutual" or has_instances]


def write(corpus: Corpus, *, format: str, folder: Path) -> int:
    """The corpus in one format; how many files that makes. Raises exporters.dialogues.NoInstance."""
    return CORPUS_EXPORTERS[format](dialogues_of(corpus), folder)


def zipped(corpus: Corpus, *, format: str) -> IO[bytes]:
    """The same in one zip: a temporary file, open at its beginning, that is gone when it is closed."""
    archive = TemporaryFile()  # noqa: SIM115 - whoever sends the file closes it
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(corpus, format=format, folder=root)
        write_zip((path for path in root.rglob("*") if path.is_file()), root, archive)
    archive.seek(0)
    return archive
