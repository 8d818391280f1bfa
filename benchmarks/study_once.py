"""The study at its size (benchmarks/study.py), on the database of DATABASE_URL.

python -m benchmarks.study_once 105825
"""

import csv
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.files import File  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db.models import Sum  # noqa: E402

from annotation.actions.cleaning import cleaning_rules, cleaning_scan  # noqa: E402
from annotation.actions.cleaning.simulated_cleaning import simulate_cleaning  # noqa: E402
from annotation.actions.imports import imports  # noqa: E402
from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.rating import simulation  # noqa: E402
from annotation.actions.releases import releases  # noqa: E402
from annotation.domain.workflow import ItemState  # noqa: E402
from annotation.models import CleaningDecision, Project, Release  # noqa: E402
from annotation.selectors.agreement.agreement import agreement_report  # noqa: E402
from annotation.selectors.cleaning.cleaning import ledger_of, waiting_in  # noqa: E402
from annotation.selectors.rating.rating_rows import FORMATS, written  # noqa: E402
from annotation.selectors.releases.releases import formats_of, write  # noqa: E402
from benchmarks import chinese, loading, study_readers  # noqa: E402
from benchmarks.parts import TimedPart  # noqa: E402
from benchmarks.study_readers import same  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import factories  # noqa: E402

PEOPLE, RATERS = 4, 2
DUPLICATE, BROKEN = 200, 100  # duplicate rows of the file, and rows without a response
MARKED_EACH, HINTED_EACH = 100, 100  # one of so many pairs or prompts
WORDS = "暗语\n黑话\n"
MARKS = (
    "加我13812345678",
    "发到lin@example.com",
    "扣扣123456789",
    "看www.example.com",
    "微信lin_12345",
    "中山路12号",
    "说暗语",
    "讲黑话",
)
HINT = "今天天气怎么样"

Row = dict[str, str]


def main(pairs: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = measure("write a file", pairs, lambda: rows_of(pairs, folder))
        project, by = begin()
        import_rows(project, rows, folder / "study.csv", by)
        clean(project, rows, by)
        report = rate(project, by)
        release = freeze(project, report, by)
        export(project, release, folder)
        study_readers.read_back(release, report, rows, folder, measure)
    print(f"{'':28} {same.count:,} comparisons held")


def measure(name: str, rows: int, work: Callable[[], Any]) -> Any:
    part = TimedPart(f"{rows:,}", name)
    result = work()
    part.ends(rows)
    return result


def begin() -> tuple[Project, User]:
    call_command("migrate", verbosity=0)
    by = factories.person("rui", Role.RESEARCHER)
    return projects.create(slug="study", kind="rating", title="5-grade", source_licence="CC-BY-4.0", by=by), by


# ---- the material ---------------------------------------------------------------------------------------------------
def rows_of(pairs: int, folder: Path) -> list[Row]:
    """Return the pairs, some with what cleaning looks for. study.csv has them, some duplicates and some broken rows."""
    chinese.write(folder / "clean.csv", pairs)
    with (folder / "clean.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    prompts = {prompt: number for number, prompt in enumerate(dict.fromkeys(row["prompt"] for row in rows))}
    for number, row in enumerate(rows):
        if number % MARKED_EACH == 0:
            row["response"] += MARKS[number // MARKED_EACH % len(MARKS)]
        if prompts[row["prompt"]] % HINTED_EACH == 0:
            row["prompt"] = HINT + row["prompt"]
    with (folder / "study.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
        writer.writerows({**row, "id": f"duplicate-{row['id']}"} for row in rows[:DUPLICATE])
        writer.writerows({**row, "id": f"broken-{row['id']}", "response": ""} for row in rows[:BROKEN])
    return rows


def is_marked(row: Row) -> bool:
    return row["prompt"].startswith(HINT) or row["response"].endswith(MARKS)


# ---- the steps ------------------------------------------------------------------------------------------------------
def import_rows(project: Project, rows: list[Row], path: Path, by: User) -> None:
    with path.open("rb") as file:
        received = imports.receive(project=project, file=File(file), name=path.name, by=by)
    of_file = len(rows) + DUPLICATE + BROKEN
    received = measure("check", of_file, lambda: imports.check(received=received, report=factories.no_progress, by=by))
    same("rows of the file", received.rows, of_file)
    same("rows twice, rows refused", (received.duplicate, received.refused), (DUPLICATE, BROKEN))
    measure(
        "store", len(rows), lambda: imports.store(received=received, partial=True, report=factories.no_progress, by=by)
    )
    same("pairs stored", project.items.count(), len(rows))
    loading.gather_statistics()


def clean(project: Project, rows: list[Row], by: User) -> None:
    marked = sum(map(is_marked, rows))
    cleaning_rules.put_words(project=project, name="own", file=io.BytesIO(WORDS.encode()), by=by)
    found = measure("scan", len(rows), lambda: cleaning_scan.scan(project=project, report=factories.no_progress, by=by))
    same("pairs that are marked", (found["found"], found["waiting"]), (marked, marked))
    decided = measure(
        "clean", marked, lambda: simulate_cleaning(project=project, people=PEOPLE, report=factories.no_progress, by=by)
    )
    ledger = ledger_of(project)
    same("decisions", sum(tally.decided for tally in ledger.by_person.values()), decided)
    removed = CleaningDecision.objects.of_project(project).aggregate(Sum("removed"))["removed__sum"]
    same("pairs removed by them", removed, cleaned(project))
    same("pairs that wait still", waiting_in(project), 0)


def rate(project: Project, by: User) -> dict[str, Any]:
    """Return the report of agreement on the grades of four people."""
    wanted = RATERS * (project.items.count() - cleaned(project))
    given = measure(
        "rate",
        wanted,
        lambda: simulation.simulate_annotators(project=project, people=PEOPLE, report=factories.no_progress, by=by),
    )
    same("grades", given, wanted)
    loading.gather_statistics()
    report = measure("agreement", given, lambda: agreement_report(project))
    same("pairs of the report", RATERS * report["items"], given)
    same("pairs kept", report["kept"], project.items.filter(state=ItemState.KEPT).count())
    same("pairs removed", report["removed"], project.items.filter(state=ItemState.REMOVED).count())
    return dict(report)


def freeze(project: Project, report: dict[str, Any], by: User) -> Release:
    release: Release = measure(
        "freeze", report["kept"], lambda: releases.freeze(project=project, seed=0, report=factories.no_progress, by=by)
    )
    same("instances", release.counts["instances"], report["kept"])
    same("agreement of the release", release.agreement["after"], report["after"])
    return release


def export(project: Project, release: Release, folder: Path) -> None:
    kept = release.counts["instances"]
    for format in formats_of(project):
        measure(format, kept, lambda: write(release, format=format, folder=folder / format))  # noqa: B023
    for format in FORMATS:
        with (folder / f"grades.{format}").open("wb") as file:
            pieces = written(project, format=format)
            measure(f"all grades, {format}", RATERS * release.agreement["items"], lambda: file.writelines(pieces))  # noqa: B023


def cleaned(project: Project) -> int:
    return project.items.filter(state=ItemState.CLEANED).count()


if __name__ == "__main__":
    main(int(sys.argv[1]))
