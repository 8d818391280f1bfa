"""One part of the benchmark of exports (benchmarks/exporting.py), on the database of DATABASE_URL.

python -m benchmarks.exporting_once 105825
"""

import csv
import sys
import tempfile
from pathlib import Path

import django

django.setup()

from django.core.files import File  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models.functions import Mod  # noqa: E402

from annotation.actions.imports import imports  # noqa: E402
from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.releases import releases  # noqa: E402
from annotation.domain.releases.statistics import rating_statistics  # noqa: E402
from annotation.domain.workflow import ItemState  # noqa: E402
from annotation.models import Item, Project, Rating, Slot, Step  # noqa: E402
from annotation.selectors.rating.rating_rows import COLUMNS, FORMATS, written  # noqa: E402
from annotation.selectors.releases.releases import formats_of, instances_of, write  # noqa: E402
from benchmarks import chinese, loading  # noqa: E402
from benchmarks.parts import measure  # noqa: E402
from core.models import Role  # noqa: E402
from tests import factories  # noqa: E402

REMOVED = (9, 40)  # (some, of): so many pairs have grades two apart, the study's 22.5 %


def main(pairs: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = load(pairs, folder / "pairs.csv")
        release = measure(
            "freeze", pairs, lambda: releases.freeze(project=project, seed=0, report=factories.no_progress, by=None)
        )
        kept = release.counts["instances"]
        measure("of it, statistics", kept, lambda: rating_statistics(instances_of(release)))
        for format in formats_of(project):
            measure(format, kept, lambda: write(release, format=format, folder=folder / format))  # noqa: B023
        for format in FORMATS:
            measure(f"all grades, {format}", 2 * pairs, lambda: save(project, format, folder / "grades"))  # noqa: B023
        measure("all grades, raw", 2 * pairs, lambda: raw(project, folder / "raw.csv"))


def save(project: Project, format: str, path: Path) -> None:
    with path.open("wb") as file:
        file.writelines(written(project, format=format))


def raw(project: Project, path: Path) -> None:
    rows = Rating.objects.filter(assignment__slot__item__project=project).order_by("pk").values_list(*COLUMNS.values())
    query, values = rows.query.sql_with_params()
    with connection.cursor() as cursor, path.open("wb") as file:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY ({query}) TO STDOUT WITH (FORMAT csv)", values) as copy:
                file.writelines(copy)
        else:
            cursor.execute(query, values)
            with path.open("w", encoding="utf-8", newline="") as text:
                csv.writer(text).writerows(cursor)


def load(pairs: int, path: Path) -> Project:
    """Create a project with these pairs, each graded by two people and settled."""
    call_command("migrate", verbosity=0)
    by = factories.person("rui", Role.RESEARCHER)
    project = projects.create(slug="bench", kind="rating", by=by)
    chinese.write(path, pairs)
    with path.open("rb") as file:
        received = imports.receive(project=project, file=File(file), name=path.name, by=by)
    received = imports.check(received=received, report=factories.no_progress, by=by)
    imports.store(received=received, partial=True, report=factories.no_progress, by=by)
    stored = Item.objects.count()
    for slot_number, grade in ((1, first_grade), (2, second_grade)):
        person = factories.person(f"p{slot_number}", project=project)
        loading.load_grades(project.queues.get(step=Step.RATE), person, slot_number, range(1, stored + 1), grade)
    some, of = REMOVED
    apart = Slot.objects.alias(rest=Mod("pk", of)).filter(rest__lt=some)
    Item.objects.update(state=ItemState.KEPT)
    Item.objects.filter(pk__in=apart.values("item")).update(state=ItemState.REMOVED)
    loading.gather_statistics()
    return project


def first_grade(position: int) -> int:
    return 1 + position // REMOVED[1] % 5


def second_grade(position: int) -> int:
    """Return a grade two apart for the first of each forty, else equal or one apart."""
    some, of = REMOVED
    first, step = first_grade(position), 2 if position % of < some else position % 2
    return first + step if first + step <= 5 else first - step


if __name__ == "__main__":
    main(int(sys.argv[1]))
