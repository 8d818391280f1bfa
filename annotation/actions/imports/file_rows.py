"""Find the rows of a file that a project does not have yet: read as a stream, kept on disk until they are stored."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import numpy as np
import orjson
from django.db import connection
from django.db.models import Min, Value
from django.utils import timezone

from annotation.domain.corpora.dialogue import Turn
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
    "dialogue",
    "content",
    "line",
)
KEPT_FIELDS = 8  # the last ITEM_FIELDS; in a kept row the files it came with follow
# The first state of an item: people first check the machine's transcript of one with recordings.
OPEN, RECORDED = ItemState.OPEN.value, ItemState.RECORDED.value
SLOT_FIELDS = ("queue", "item", "round", "required", "free", "position")


class FoundDuplicate(NamedTuple):
    """A row that is not stored, and where its text occurs first: on a line of this file, or in a file stored before.

    `first_opening` is the beginning of the dialogue there: the same question may be asked about another dialogue.
    """

    row: Row
    first_line: int | None
    first_file: str = ""
    first_opening: str = ""


def read(received: Import) -> Iterator[Row | BadRow]:
    """Yield every row of the file as a stream."""
    rows = importer_of(received.project).rows(received)
    return rows if received.purpose == Purpose.WORK else (_practised_on(row, received.file_name) for row in rows)


def _practised_on(row: Row | BadRow, file_name: str) -> Row | BadRow:
    """Refuse a practice row with a recording: transcripts of practice items are not corrected."""
    if isinstance(row, ItemRow) and row.recordings:
        return BadRow(file_name, row.line, RefusalReason("practice_recorded"), excerpt(row.question))
    return row


def rows_expected(received: Import) -> int | None:
    """Return roughly the number of rows; None where the lines of the file are not its rows."""
    layout = importer_of(received.project).preview_of(received).layout
    return count_lines(Path(received.file.path)) if layout and layout.has_lines else None


def count_lines(path: Path) -> int:
    """Return roughly the number of rows to expect; quick, because nothing is decoded."""
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(BLOCK), b"")) or 1


def opening_of(turns: Iterable[Turn]) -> str:
    return excerpt(" / ".join(": ".join(filter(None, (turn["speaker"], turn["text"]))) for turn in turns))


class Sorter:
    """Splits the rows of a file into new ones and those with the text of another row or of an item, by chunk."""

    def __init__(self, project: Project) -> None:
        self.stored = Stored(project)
        self.digest_of = importer_of(project).digest
        self.seen: dict[bytes, int] = {}  # line of a text's first occurrence, by the beginning of its digest
        self.openings: dict[bytes, str] = {}  # of the dialogues there

    def new(self, rows: Iterable[Row | BadRow]) -> tuple[dict[str, Row], list[FoundDuplicate]]:
        """Return the new rows by their digests, and the duplicates of rows of the file or of the project."""
        fresh: dict[str, Row] = {}
        duplicates: list[FoundDuplicate] = []
        for row in rows:
            if isinstance(row, BadRow):
                continue
            key = self.digest_of(row)
            # 128 bits tell the rows of one file apart at half the memory. Several rows may be on one line.
            known, short = len(self.seen), bytes.fromhex(key[:32])
            first_line = self.seen.setdefault(short, row.line)
            if len(self.seen) == known:
                duplicates.append(FoundDuplicate(row, first_line, first_opening=self.openings.get(short, "")))
                continue
            fresh[key] = row
            if isinstance(row, ItemRow):
                self.openings[short] = opening_of(row.turns)
        stored = self.stored.with_digests(fresh)
        for key, line, file, turns in stored.values_list("digest", "line", "origin__file_name", "content__turns"):
            first = line if file else None, file or ""
            duplicates.append(FoundDuplicate(fresh.pop(key), *first, opening_of(turns or ())))
        return fresh, duplicates


class Stored:
    """Items that the project has now."""

    def __init__(self, project: Project) -> None:
        self.project = project
        # An empty project is not searched: PostgreSQL would read all rows added since, once for each chunk.
        self.is_empty = not project.items.exists()

    def with_digests(self, digests: Collection[str]) -> ItemQuerySet:
        """Return the items that have one of these digests."""
        if self.is_empty:
            return Item.objects.none()
        return Item.objects.filter(is_one_of("digest", list(digests)), project=self.project)


class Kept:
    """New rows of a file kept on disk between check and store, so that storing holds its locks only shortly.

    The file is beside the upload. A line is a chunk: a JSON array of rows, each an array of the last eight ITEM_FIELDS
    and of the files that it came with (importers.rows.Recorded), if any. The file's name contains how the upload was
    read, so that rows read with another choice of columns are never taken for these.
    """

    def __init__(self, received: Import) -> None:
        self._upload = Path(received.file.path)
        self.path = Path(f"{self._upload}.{received.reading}.rows")
        self._importer, self._seed = importer_of(received.project), received.project.seed

    @contextmanager
    def writing(self) -> Iterator[Callable[[Mapping[str, Row]], object]]:
        """Yield a function that keeps rows by their digests, chunk by chunk. If an error occurs, none is kept."""
        with NamedTemporaryFile(dir=self.path.parent, suffix=".part", delete=False) as part:
            try:
                yield lambda fresh: part.write(_line([self._ready(key, row) for key, row in fresh.items()]))
            except BaseException:
                Path(part.name).unlink()
                raise
        Path(part.name).replace(self.path)

    def _ready(self, key: str, row: Row) -> tuple[Any, ...]:
        made = self._importer.make(row, self._seed)
        names = row.external_id, row.source, row.topic, row.dialogue
        row_kept = key, made.group, *names, orjson.dumps(made.content).decode(), row.line
        return (*row_kept, *made.recordings)

    @property
    def is_there(self) -> bool:
        """Tell whether the rows were checked with the present way of reading, and neither stored nor dropped since."""
        return self.path.exists()

    def chunks(self) -> Iterator[list[list[Any]]]:
        """Yield the kept rows by chunk, digest first."""
        with self.path.open("rb") as lines:
            yield from map(orjson.loads, lines)

    def drop(self) -> None:
        """Delete the kept rows, those of earlier choices too."""
        for rows in self._upload.parent.glob(f"{self._upload.name}.*.rows"):
            rows.unlink(missing_ok=True)


def _line(rows: list[tuple[Any, ...]]) -> bytes:
    return orjson.dumps(rows, default=list, option=orjson.OPT_APPEND_NEWLINE)  # a named tuple is an array


def store_items(received: Import, tail: int, report: ProgressReport) -> int:
    """Store the kept rows that the project does not have, at positions after `tail` drawn from the seed. Return how
    many.
    """
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
    # One stream for all rows: the database stores some while the next are read.
    insert(
        Item,
        ITEM_FIELDS,
        (
            (*of_all, position, RECORDED if len(row) > KEPT_FIELDS else OPEN, *row[:KEPT_FIELDS])
            for position, row in zip(positions[:new].tolist(), _others(received, there, report), strict=True)
        ),
    )
    return new


def before_all(received: Import) -> int:
    """Return a position for rows that are never claimed, such as practice; it is below zero, as for gold."""
    lowest = received.project.items.aggregate(Min("position"))["position__min"] or 0
    return min(int(lowest), 0) - received.good - 1


def recorded(received: Import) -> Iterator[tuple[str, list[Recorded]]]:
    """Yield the digest and the files of each kept row that came with files."""
    for chunk in Kept(received).chunks():
        for row in chunk:
            if len(row) > KEPT_FIELDS:
                yield row[0], [Recorded(*file) for file in row[KEPT_FIELDS:]]


def _there(received: Import) -> set[str]:
    """Return the digests of the kept rows that another file has brought into the project since the check."""
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
    """Open a slot for each item of the file, for as many people as the project requires.

    Items with recordings are left out; actions/transcription/recordings.py opens their slots.
    """
    required = Value(importer_of(received.project).required(received.project))
    items = received.items.filter(state=ItemState.OPEN).order_by("pk")
    insert_from(Slot, SLOT_FIELDS, items.values_list(Value(queue.pk), "pk", Value(1), required, required, "position"))
