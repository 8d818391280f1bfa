"""The rows of a file that a project has no item of yet: found in a stream, kept on disk until they are stored."""

import json
import os
import pickle
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Value
from django.utils import timezone

from annotation.actions.jobs import Report
from annotation.domain.batches import batched
from annotation.domain.workflow import ItemState
from annotation.importers.intake import Row, intake_of
from annotation.importers.rows import BadRow
from annotation.models import Import, Item, Place, Project, Purpose, Queue
from annotation.models.bulk import among, insert, insert_from
from annotation.models.items import ItemQuerySet

CHUNK = 2_000
BLOCK = 1 << 20  # bytes read at once to count lines
ITEM_FIELDS = (
    "project", "purpose", "state", "origin", "created_at", "position",
    "digest", "group", "external_id", "source", "topic", "content", "line",
)  # fmt: skip
PLACE_FIELDS = ("queue", "item", "round", "slots", "free", "position")

as_json = json.JSONEncoder(ensure_ascii=False).encode  # made once: json.dumps would make one a row


class Double(NamedTuple):
    """A row that is not stored, and where the one stands that is: a line of this file, or of a file stored before."""

    row: Row
    first_line: int | None
    first_file: str = ""


def read(received: Import) -> Iterator[Row | BadRow]:
    """Every row of the file, as a stream."""
    return intake_of(received.project).rows(received)


def count_lines(path: Path) -> int:
    """About how many rows to expect: quick, because nothing is decoded."""
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(BLOCK), b"")) or 1


class Sorter:
    """Tells the rows of one file apart, from one another and from the project's items, chunk by chunk."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.digest_of = intake_of(project).digest
        self.seen: dict[bytes, int] = {}  # the line in which a text stands first, by the beginning of its digest
        # Where nothing is, nothing is looked up: PostgreSQL would read all that has come since, for each chunk anew.
        self.is_first = not project.items.exists()

    def each_once(self, rows: Iterable[Row | BadRow]) -> tuple[dict[str, Row], list[Double]]:
        """The rows that do not stand earlier in the file, by their digests, and those that do."""
        fresh: dict[str, Row] = {}
        doubles: list[Double] = []
        for row in rows:
            if isinstance(row, BadRow):
                continue
            key = self.digest_of(row)
            # 128 bits tell the rows of one file apart at half the memory.
            first_line = self.seen.setdefault(bytes.fromhex(key[:32]), row.line)
            if first_line == row.line:
                fresh[key] = row
            else:
                doubles.append(Double(row, first_line))
        return fresh, doubles

    def new(self, rows: Iterable[Row | BadRow]) -> tuple[list[Row], list[Double]]:
        """The rows that neither stand earlier in the file nor in the project, and those that do."""
        fresh, doubles = self.each_once(rows)
        for key, line, file in self.stored(fresh).values_list("digest", "line", "origin__file_name"):
            doubles.append(Double(fresh.pop(key), line, file or ""))
        return list(fresh.values()), doubles

    def stored(self, digests: Collection[str]) -> ItemQuerySet:
        """The items that the project had of these when the sorter was made, and more where it had any."""
        if self.is_first:
            return Item.objects.none()
        return Item.objects.filter(among("digest", list(digests)), project=self.project)


@contextmanager
def spooled(received: Import, report: Report) -> Iterator[IO[bytes]]:
    """The file's rows on disk, digest first, as `store_items` takes them: what takes long is done before anybody
    waits."""
    intake, seed = intake_of(received.project), received.project.seed
    sorter = Sorter(received.project)
    done = 0
    with TemporaryFile() as spool:
        for chunk in batched(read(received), CHUNK):
            fresh, _doubles = sorter.each_once(chunk)
            rows = []
            for key, row in fresh.items():
                made = intake.make(row, seed)
                rows.append((key, made.group, row.external_id, row.source, row.topic, as_json(made.content), row.line))
            pickle.dump(rows, spool)
            done += len(chunk)
            report(done, received.rows)
        yield spool


def store_items(received: Import, tail: int, spool: IO[bytes]) -> int:
    """The spooled rows that the project has no item of, at places after `tail` that the seed draws. How many."""
    generator = np.random.default_rng([received.project.seed % 2**64, tail])
    positions = tail + 1 + generator.permutation(received.good)
    of_all: tuple[Any, ...] = (
        received.project_id, Purpose.WORK.value, ItemState.OPEN.value, received.pk,
        connection.ops.adapt_datetimefield_value(timezone.now()),
    )  # fmt: skip
    there, new = _there_and_new(received.project, spool)
    rows = (row for chunk in _chunks(spool) for row in chunk if row[0] not in there)
    # One stream for all: the database stores rows while the next ones are read.
    insert(Item, ITEM_FIELDS, (
        (*of_all, position, *row) for position, row in zip(map(int, positions[:new]), rows, strict=True)
    ))  # fmt: skip
    return new


def _there_and_new(project: Project, spool: IO[bytes]) -> tuple[set[str], int]:
    """The digests of those spooled rows that the project has, which may be from another file meanwhile, and the number
    of the others."""
    sorter = Sorter(project)
    there: set[str] = set()
    spooled = 0
    for chunk in _chunks(spool):
        there.update(sorter.stored([row[0] for row in chunk]).values_list("digest", flat=True))
        spooled += len(chunk)
    return there, spooled - len(there)


def _chunks(spool: IO[bytes]) -> Iterator[list[tuple[Any, ...]]]:
    spool.seek(0)
    size = os.fstat(spool.fileno()).st_size
    while spool.tell() < size:
        yield pickle.load(spool)  # noqa: S301 - written a moment ago, into a file without a name


def open_places(received: Import, queue: Queue) -> None:
    """A place for every item of the file, with room for as many people as the project wants."""
    slots = Value(intake_of(received.project).slots(received.project))
    items = received.items.order_by("position")
    insert_from(Place, PLACE_FIELDS, items.values_list(Value(queue.pk), "pk", Value(1), slots, slots, "position"))
