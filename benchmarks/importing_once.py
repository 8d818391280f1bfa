"""One part of the benchmark of importing (benchmarks/importing.py), on the database of DATABASE_URL.

python -m benchmarks.importing_once 1000000
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import django

django.setup()

from django.core.files import File  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.models import TextField  # noqa: E402
from django.db.models.functions import Cast  # noqa: E402

from annotation.actions.imports import imports  # noqa: E402
from annotation.actions.imports.file_rows import ITEM_FIELDS, SLOT_FIELDS  # noqa: E402
from annotation.actions.projects import projects  # noqa: E402
from annotation.models import Import, Item, Project, Queue, Slot, Step  # noqa: E402
from benchmarks import chinese, loading  # noqa: E402
from benchmarks.parts import TimedPart  # noqa: E402
from core.models import Role, User  # noqa: E402
from core.models.bulk import insert  # noqa: E402
from tests import factories  # noqa: E402


def main(stored: int) -> None:
    call_command("migrate", verbosity=0)
    by = factories.person("rui", Role.RESEARCHER)
    queue = Queue.objects.get(project=projects.create(slug="bench", kind="rating", by=by), step=Step.RATE)
    loading.load_pairs(queue, stored)
    loading.gather_statistics()
    received = _received(queue.project, by)
    parts = [TimedPart(f"{stored:,}", "check")]
    received = imports.check(received=received, report=_unheard, by=by)
    parts[-1].ends(received.rows)
    parts.append(TimedPart(f"{stored:,}", "store"))
    received = imports.store(received=received, partial=False, report=_unheard, by=by)
    parts[-1].ends(received.stored)
    TimedPart.both(parts, received.stored)
    raw(stored, received, projects.create(slug="raw", kind="rating", by=by))
    in_workbook(stored, projects.create(slug="sheet", kind="rating", by=by), by)


def in_workbook(stored: int, project: Project, by: User) -> None:
    """Check and store the same pairs from a workbook."""
    received = _received(project, by, chinese.write_workbook, "pairs.xlsx")
    parts = [TimedPart(f"{stored:,}", "check xlsx")]
    received = imports.check(received=received, report=_unheard, by=by)
    parts[-1].ends(received.rows)
    parts.append(TimedPart(f"{stored:,}", "store xlsx"))
    received = imports.store(received=received, partial=False, report=_unheard, by=by)
    parts[-1].ends(received.stored)


def raw(stored: int, received: Import, into: Project) -> None:
    """Insert the items and slots of the file again, for another project."""
    queue, own = (
        into.queues.get(step=Step.RATE),
        Item.objects.filter(origin=received).annotate(text=Cast("content", TextField())),
    )
    fields = [field for field in ITEM_FIELDS if field not in ("project", "content", "origin", "created_at")]
    at = connection.ops.adapt_datetimefield_value(received.stored_at)
    items = [(into.pk, text, at, *values) for text, *values in own.values_list("text", *fields)]
    part = TimedPart(f"{stored:,}", "raw, ready in memory")
    with transaction.atomic():
        insert(Item, ("project", "content", "created_at", *fields), items)
        numbers = Item.objects.filter(project=into).values_list("pk", "position")
        insert(Slot, SLOT_FIELDS, [(queue.pk, item, 1, 2, 2, position) for item, position in numbers])
    part.ends(len(items))


def _received(
    project: Project, by: User, write: Callable[[Path], None] = chinese.write, name: str = "pairs.csv"
) -> Import:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        with path.open("rb") as file:
            return imports.receive(project=project, file=File(file), name=path.name, by=by)


def _unheard(done: int, total: int | None = None) -> None:
    """Ignore progress."""


if __name__ == "__main__":
    main(int(sys.argv[1]))
