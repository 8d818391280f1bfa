"""The rows of a file that a project has no item of yet: found in a stream, stored without model instances."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

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

CHUNK = 2_000
BLOCK = 1 << 20  # bytes read at once to count lines
ITEM_FIELDS = (
    "project", "purpose", "state", "position", "digest", "group", "external_id", "source", "topic", "content",
    "origin", "line", "created_at",
)  # fmt: skip
PLACE_FIELDS = ("queue", "item", "round", "slots", "free", "position")

as_json = json.JSONEncoder(ensure_ascii=False).encode  # made once: json.dumps would make one a row

NewRow = tuple[Row, str]  # with its digest
Seen = dict[bytes, int]  # the line in which a text stands first, by the beginning of its digest


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


def sorted_out(project: Project, rows: Iterable[Row | BadRow], seen: Seen) -> tuple[list[NewRow], list[Double]]:
    """The rows that neither stand earlier in the file nor in the project, and those that do."""
    digest_of = intake_of(project).digest
    fresh: dict[str, Row] = {}
    doubles: list[Double] = []
    for row in rows:
        if isinstance(row, BadRow):
            continue
        key = digest_of(row)
        # 128 bits tell the rows of one file apart at half the memory.
        first_line = seen.setdefault(bytes.fromhex(key[:32]), row.line)
        if first_line == row.line:
            fresh[key] = row
        else:
            doubles.append(Double(row, first_line))
    stored = Item.objects.filter(among("digest", list(fresh)), project=project)
    for key, line, file in stored.values_list("digest", "line", "origin__file_name"):
        doubles.append(Double(fresh.pop(key), line, file or ""))
    return [(row, key) for key, row in fresh.items()], doubles


def store_items(received: Import, tail: int, report: Report) -> int:
    """The file's new rows as items, at places after `tail` that the seed draws. How many there were."""
    generator = np.random.default_rng([received.project.seed % 2**64, tail])
    positions = tail + 1 + generator.permutation(received.good)
    created_at = connection.ops.adapt_datetimefield_value(timezone.now())
    intake, seed = intake_of(received.project), received.project.seed
    seen: Seen = {}
    stored = 0
    for chunk in batched(read(received), CHUNK):
        new, _doubles = sorted_out(received.project, chunk, seen)
        here = positions[stored : stored + len(new)].tolist()
        insert(Item, ITEM_FIELDS, (
            (
                received.project_id, Purpose.WORK.value, ItemState.OPEN.value, position, key, made.group,
                row.external_id, row.source, row.topic, as_json(made.content),
                received.pk, row.line, created_at,
            )
            for (row, key), position in zip(new, here, strict=True)
            for made in [intake.make(row, seed)]
        ))  # fmt: skip
        stored += len(new)
        report(stored, received.good)
    return stored


def open_places(received: Import, queue: Queue) -> None:
    """A place for every item of the file, with room for as many people as the project wants."""
    slots = Value(intake_of(received.project).slots(received.project))
    items = received.items.order_by("position")
    insert_from(Place, PLACE_FIELDS, items.values_list(Value(queue.pk), "pk", Value(1), slots, slots, "position"))
