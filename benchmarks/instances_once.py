"""One part of the benchmark of instances (benchmarks/instances.py), on the database of DATABASE_URL.

python -m benchmarks.instances_once 10197 8860
"""

import json
import sys
import tempfile
from pathlib import Path

import django

django.setup()

import numpy as np  # noqa: E402
from django.core.files import File  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from django.db.models import TextField  # noqa: E402
from django.db.models.functions import Cast  # noqa: E402

from annotation.actions.imports import imports  # noqa: E402
from annotation.actions.imports.file_rows import ITEM_FIELDS  # noqa: E402
from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.releases import releases  # noqa: E402
from annotation.domain.releases.plus import SAFE_REPLIES  # noqa: E402
from annotation.models import Import, Item, Project, Queue, Release, Step  # noqa: E402
from annotation.selectors.releases.audits import audit_report  # noqa: E402
from annotation.selectors.releases.releases import formats_of, instances_of, write  # noqa: E402
from benchmarks import dialogues, loading  # noqa: E402
from benchmarks.parts import TimedPart, measure  # noqa: E402
from core.models import Role, User  # noqa: E402
from core.models.bulk import insert  # noqa: E402
from tests import factories  # noqa: E402


def main(questions: int, accepted: int) -> None:
    call_command("migrate", verbosity=0)
    by = factories.person("rui", Role.RESEARCHER)
    project = projects.create(slug="bench", kind="rewriting", by=by)
    with tempfile.TemporaryDirectory() as name:
        received = import_rows(project, questions, Path(name), by)
        raw_items(received, projects.create(slug="raw", kind="rewriting", by=by))
        accept(project, accepted, by)
        export(freeze(project, accepted), accepted, Path(name))


def import_rows(project: Project, questions: int, folder: Path, by: User) -> Import:
    path = folder / "items.jsonl"
    dialogues.write(path, questions)
    with path.open("rb") as file:
        received = imports.receive(project=project, file=File(file), name=path.name, by=by)
    parts = [TimedPart(f"{questions:,}", "check")]
    received = imports.check(received=received, report=factories.no_progress, by=by)
    parts[-1].ends(received.rows)
    parts.append(TimedPart(f"{questions:,}", "store"))
    received = imports.store(received=received, partial=False, report=factories.no_progress, by=by)
    parts[-1].ends(received.stored)
    TimedPart.both(parts, received.stored)
    return received


def raw_items(received: Import, into: Project) -> None:
    """Insert the items of the file again, for another project."""
    own = Item.objects.filter(origin=received).annotate(text=Cast("content", TextField()))
    fields = [field for field in ITEM_FIELDS if field not in ("project", "content", "origin")]
    items = [(into.pk, text, *values) for text, *values in own.values_list("text", *fields)]
    part = TimedPart(f"{len(items):,}", "raw, ready in memory")
    with transaction.atomic():
        insert(Item, ("project", "content", *fields), items)
    part.ends(len(items))


def accept(project: Project, count: int, by: User) -> None:
    """Store the first items as written and accepted, with four candidates of about an utterance's words each."""
    words = dialogues.ZipfWords(np.random.default_rng(1))
    candidates = (json.dumps([words(dialogues.WORDS) for _part in range(4)]) for _item in range(count))
    queues = {queue.step: queue for queue in Queue.objects.filter(project=project)}
    loading.load_accepted(queues[Step.WRITE], queues[Step.INSPECT], by, candidates)


def freeze(project: Project, accepted: int) -> Release:
    release = measure(
        "freeze", accepted, lambda: releases.freeze(project=project, seed=0, report=factories.no_progress, by=None)
    )
    assert release.counts["instances"] == accepted, release.counts
    measure("audit", accepted, lambda: audit_report(release, report=factories.no_progress))
    return measure(
        "freeze with plus",
        accepted,
        lambda: releases.freeze(
            project=project, seed=1, safe_replies=SAFE_REPLIES, report=factories.no_progress, by=None
        ),
    )


def export(release: Release, accepted: int, folder: Path) -> None:
    for format in formats_of(release.project):
        measure(format, accepted, lambda: write(release, format=format, folder=folder / format))  # noqa: B023
    measure("jsonl, plus", accepted, lambda: write(release, format="jsonl", variant="plus", folder=folder / "plus"))
    instances = list(instances_of(release))
    measure("raw json, in memory", accepted, lambda: (folder / "raw").write_text("\n".join(map(json.dumps, instances))))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
