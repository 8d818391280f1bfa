"""The rows of a file that a project has no item of yet: found in a stream, kept on disk until they are stored."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Min, Value
from django.utils import timezone

from annotation.domain.workflow import ItemState
from annotation.importers.reasons import RefusalReason
from annotation.importers.registry import Row, importer_of
from annotation.importers.rows import BadRow, ItemRow, Recorded, excerpt
from annotation.models import Import, Item, Project, Purpose, Queue, Slot
from annotation.models.items import ItemQuerySet
from core.actions.jobs import ProgressReport
from core.models.bulk import insert, insert_from, is_one_of

CHUNK = 2_000
BLOCK = 1 << 20  # bytes read at once to count lines
ITEM_FIELDS = (
    "project",
    "purpose",
    "origin",
    "created_at",
    "position",
    "state",
    "digest",
    "group",
    "external_id",
    "source",
    "topic",
    "content",
    "line",
)
KEPT_FIELDS = 7  # the last of these; what follows in a kept row are the files it came with
SLOT_FIELDS = ("queue", "item", "round", "required", "free", "position")

as_json = json.JSONEncoder(ensure_ascii=False).encode  # made once: json.dumps would make one a row


class FoundDuplicate(NamedTuple):
    """A row that is not stored, and where the one stands that is: a line of this file, or of a file stored before."""

    row: Row
    first_line: int | None
    first_file: str = ""


def read(received: Import) -> Iterator[Row | BadRow]:
    """Every row of the file, as a stream."""
    rows = importer_of(received.project).rows(received)
    return rows if received.purpose == Purpose.WORK else (_practised_on(row, received.file_name) for row in rows)


def _practised_on(row: Row | BadRow, file_name: str) -> Row | BadRow:
    """Nobody corrects the transcript of what authors practise on."""
    if isinstance(row, ItemRow) and row.recordings:
        return BadRow(file_name, row.line, RefusalReason("practice_recorded"), excerpt(row.question))
    return row


def count_lines(path: Path) -> int:
    """About how many rows to expect: quick, because nothing is decoded."""
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(BLOCK), b"")) or 1


class Sorter:
    """Tells the rows of one file apart, from one another and from the project's items, chunk by chunk."""

    def __init__(self, project: Project) -> None:
        self.stored = Stored(project)
        self.digest_of = importer_of(project).digest
        self.seen: dict[bytes, int] = {}  # the line in which a text stands first, by the beginning of its digest

    def new(self, rows: Iterable[Row | BadRow]) -> tuple[dict[str, Row], list[FoundDuplicate]]:
        """The rows that neither stand earlier in the file nor in the project, by their digests, and those that do."""
        fresh: dict[str, Row] = {}
        duplicates: list[FoundDuplicate] = []
        for row in rows:
            if isinstance(row, BadRow):
                continue
            key = self.digest_of(row)
            # 128 bits tell the rows of one file apart at half the memory.
            first_line = self.seen.setdefault(bytes.fromhex(key[:32]), row.line)
            if first_line == row.line:
                fresh[key] = row
            else:
                duplicates.append(FoundDuplicate(row, first_line))
        for key, line, file in self.stored.with_digests(fresh).values_list("digest", "line", "origin__file_name"):
            duplicates.append(FoundDuplicate(fresh.pop(key), line, file or ""))
        return fresh, duplicates


class Stored:
    """The items that the project has now."""

    def __init__(self, project: Project) -> None:
        self.project = project
        # Where nothing is, nothing is looked up: PostgreSQL would read all that has come since, for each chunk anew.
        self.is_empty = not project.items.exists()

    def with_digests(self, digests: Collection[str]) -> ItemQuerySet:
        """Those with one of these digests."""
        if self.is_empty:
            return Item.objects.none()
        return Item.objects.filter(is_one_of("digest", list(digests)), project=self.project)


class Kept:
    """The new rows of a file on disk, ready to be stored: what takes long is done once, and before anybody waits.

    They lie beside the upload, a chunk a line: a JSON array of rows, each an array of the last seven ITEM_FIELDS and of
    the files that it came with (importers.rows.Recorded), if any. Their name holds how the file was read: what an
    earlier choice of columns found is never taken for what a later one finds.
    """

    def __init__(self, received: Import) -> None:
        self._upload = Path(received.file.path)
        self.path = Path(f"{self._upload}.{received.reading}.rows")
        self._importer, self._seed = importer_of(received.project), received.project.seed

    @contextmanager
    def writing(self) -> Iterator[Callable[[Mapping[str, Row]], None]]:
        """Takes rows by their digests, chunk by chunk. All of them are kept, or, where something breaks, none."""
        with NamedTemporaryFile("w", encoding="utf-8", dir=self.path.parent, suffix=".part", delete=False) as part:
            try:
                yield lambda fresh: print(as_json([self._ready(key, row) for key, row in fresh.items()]), file=part)
            except BaseException:
                Path(part.name).unlink()
                raise
        Path(part.name).replace(self.path)

    def _ready(self, key: str, row: Row) -> tuple[Any, ...]:
        made = self._importer.make(row, self._seed)
        row_kept = key, made.group, row.external_id, row.source, row.topic, as_json(made.content), row.line
        return (*row_kept, *made.recordings)

    @property
    def is_there(self) -> bool:
        """Whether the file was checked as it is to be read now, and neither stored nor dropped."""
        return self.path.exists()

    def chunks(self) -> Iterator[list[list[Any]]]:
        """The rows as they were taken, digest first."""
        with self.path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def drop(self) -> None:
        """Once they are stored, or never will be: those of earlier choices too."""
        for rows in self._upload.parent.glob(f"{self._upload.name}.*.rows"):
            rows.unlink(missing_ok=True)


def store_items(received: Import, tail: int, report: ProgressReport) -> int:
    """The kept rows that the project has no item of, at slots after `tail` that the seed draws. How many."""
    generator = np.random.default_rng([received.project.seed % 2**64, tail % 2**64])
    positions = tail + 1 + generator.permutation(received.good)
    of_all: tuple[Any, ...] = (
        received.project_id,
        received.purpose,
        received.pk,
        connection.ops.adapt_datetimefield_value(timezone.now()),
    )
    there = _there(received)
    new = received.good - len(there)
    # One stream for all: the database stores rows while the next ones are read.
    insert(
        Item,
        ITEM_FIELDS,
        (
            (*of_all, position, _first_state(row), *row[:KEPT_FIELDS])
            for position, row in zip(map(int, positions[:new]), _others(received, there, report), strict=True)
        ),
    )
    return new


def before_all(received: Import) -> int:
    """The position after which the rows fit that nobody comes to by claiming: below zero, like gold."""
    lowest = received.project.items.aggregate(Min("position"))["position__min"] or 0
    return min(int(lowest), 0) - received.good - 1


def _first_state(row: Sequence[Any]) -> str:
    """People come first to what a machine wrote down of a recording."""
    return ItemState.RECORDED.value if len(row) > KEPT_FIELDS else ItemState.OPEN.value


def recorded(received: Import) -> Iterator[tuple[str, list[Recorded]]]:
    """The digests of the kept rows that came with files, and these files."""
    for chunk in Kept(received).chunks():
        for row in chunk:
            if len(row) > KEPT_FIELDS:
                yield row[0], [Recorded(*file) for file in row[KEPT_FIELDS:]]


def _there(received: Import) -> set[str]:
    """The digests of those kept rows that the project has by now: another file brought them since the check."""
    stored = Stored(received.project)
    if stored.is_empty:
        return set()
    digests = ([row[0] for row in chunk] for chunk in Kept(received).chunks())
    return {digest for some in digests for digest in stored.with_digests(some).values_list("digest", flat=True)}


def _others(received: Import, there: set[str], report: ProgressReport) -> Iterator[list[Any]]:
    done = 0
    for chunk in Kept(received).chunks():
        yield from (row for row in chunk if row[0] not in there)
        done += len(chunk)
        report(done, received.good)


def open_slots(received: Import, queue: Queue) -> None:
    """A slot for every item of the file, with room for as many people as the project wants. Those that came with
    recordings have theirs elsewhere (actions/recordings.py).
    """
    required = Value(importer_of(received.project).required(received.project))
    items = received.items.filter(state=ItemState.OPEN).order_by("position")
    insert_from(Slot, SLOT_FIELDS, items.values_list(Value(queue.pk), "pk", Value(1), required, required, "position"))
