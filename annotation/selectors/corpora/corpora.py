"""Corpora for other apps: one of the modules that study may import from annotation."""

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from django.db.models import QuerySet

from annotation.domain.releases.splitting import Split
from annotation.exporters.corpora import CORPUS_EXPORTERS
from annotation.models import Corpus, Dialogue
from annotation.permissions import corpora_of
from core.exporters.zips import write_zip
from core.models import User

CHUNK = 2_000
PLACES = 20  # in which a part of a corpus is read


def named(name: str, *, by: User) -> tuple[Corpus, str]:
    """Return the corpus and the split named by NAME or NAME:split; an empty split means all of it.

    Raises Corpus.DoesNotExist, also where the split is not train, dev or test, or the person may not read corpora.
    """
    own_name, colon, split = name.partition(":")
    if colon and split not in set(Split):
        raise Corpus.DoesNotExist
    return corpora_of(by).get(name=own_name), split


def names_of(by: User) -> list[str]:
    """Return the names of the corpora and splits that a person may choose, the newest corpus first."""
    return list(sizes_of(by))


def sizes_of(by: User) -> dict[str, int]:
    """Return how many dialogues the corpora and splits have that a person may choose, the newest corpus first.

    An archived corpus is not among them, though its name can still be given.
    """
    sizes = {}
    for corpus in corpora_of(by).filter(archived_at=None).order_by("-created_at", "-pk"):
        splits = splits_of(corpus)
        sizes[corpus.name] = sum(splits.values())
        sizes |= {f"{corpus.name}:{split}": size for split, size in splits.items() if split and len(splits) > 1}
    return sizes


def dialogues_of(corpus: Corpus, split: str = "") -> Generator[Dialogue, None, None]:
    """Yield the dialogues by position, optionally of one split. Close the generator if you leave it before its end."""
    dialogues = corpus.dialogues.filter(split=split) if split else corpus.dialogues.all()
    yield from dialogues.order_by("position").iterator(chunk_size=CHUNK)


def rows_of(
    corpus: Corpus, fields: Sequence[str], split: str = "", most: int | None = None
) -> Generator[tuple[Any, ...], None, None]:
    """Yield these fields of the dialogues in any order, optionally of one split. Close it as `dialogues_of`.

    With `most`, yield no more than so many: a few in a row from each of several places, all over the split.
    """
    dialogues = corpus.dialogues.filter(split=split) if split else corpus.dialogues.all()
    if most is not None and most < size_of(corpus, split):
        dialogues = dialogues.filter(position__in=_places(dialogues.order_by("position"), most))
    yield from dialogues.order_by().values_list(*fields).iterator(chunk_size=CHUNK)


def _places(in_order: QuerySet[Dialogue], most: int) -> set[int]:
    """Return the positions of at most so many dialogues: some in a row from each of PLACES.

    Each place is found by the index, so that the cost does not depend on how many dialogues there are.
    """
    positions = in_order.values_list("position", flat=True)
    first, last = positions.first(), positions.last()
    places, found = min(PLACES, most), set[int]()
    if first is None or last is None:
        return found
    for number in range(places):
        start = first + (last + 1 - first) * number // places
        found.update(positions.filter(position__gte=start)[: most // places])
    return found


def candidates_of(corpus: Corpus, split: str = "") -> int | None:
    """Return how many candidates an instance has, optionally of one split, by the first; None without instances."""
    instances = corpus.dialogues.filter(candidates__isnull=False, **({"split": split} if split else {}))
    candidates = instances.order_by().values_list("candidates", flat=True).first()
    return len(candidates) if candidates else None


def splits_of(corpus: Corpus) -> dict[str, int]:
    """Return the number of dialogues in each split, in the order train, dev, test, and without a split last."""
    blocks = corpus.statistics
    return {split: blocks[split]["dialogues"] for split in [*map(str, Split), ""] if split in blocks}


def size_of(corpus: Corpus, split: str = "") -> int:
    """Return the number of dialogues, optionally of one split."""
    return splits_of(corpus).get(split, 0) if split else sum(splits_of(corpus).values())


def formats_of(corpus: Corpus) -> list[str]:
    """Return the formats that can hold the corpus: MuTual's takes only instances, Ubuntu's needs their answers."""
    blocks = [corpus.statistics[split] for split in splits_of(corpus)]
    can_hold = {
        "mutual": all(block["instances"] == block["dialogues"] for block in blocks),
        "ubuntu-csv": all(block["instances"] == block["answers"] for block in blocks),
    }
    return [format for format in CORPUS_EXPORTERS if can_hold.get(format, True)]


def write(corpus: Corpus, *, format: str, folder: Path) -> int:
    """Write the corpus in one format and return the number of files. Raises exporters.dialogues.NoInstance."""
    with closing(dialogues_of(corpus)) as dialogues:
        return CORPUS_EXPORTERS[format](dialogues, folder)


def zipped(corpus: Corpus, *, format: str) -> IO[bytes]:
    """Return the corpus in one zip: an open temporary file, at its beginning, that is deleted when it is closed.

    Raises NoInstance.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(corpus, format=format, folder=root)
        archive = TemporaryFile()  # noqa: SIM115 - closed by the caller, after sending
        write_zip((path for path in root.rglob("*") if path.is_file()), root, archive)
    archive.seek(0)
    return archive
