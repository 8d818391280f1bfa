"""Jobs that read and store the files of a project: requested on its page, run by the worker."""

from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.imports.file_rows import rows_expected
from annotation.actions.imports.imports import (
    REFUSALS,
    FileContents,
    check,
    counts,
    locked,
    must_be_idle,
    must_be_storable,
    refusal,
    store,
    write_down,
)
from annotation.importers.layout import LayoutChoice
from annotation.importers.rater_columns import one_name
from annotation.importers.registry import importer_of
from annotation.importers.rows import BadRow
from annotation.models import GradesAre, Import, Kind
from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.models import Job, User

QUICK_BYTES = 1 << 22
QUICK_WORKBOOK_BYTES = 1 << 19
QUICK_LINES = 20_000


def is_quick(job: Job) -> bool:
    """Tell whether the job's file is so small that its page reads or stores it in about half a second.

    Where lines say little about rows, as in a workbook or a JSON array, its size alone does.
    """
    received = _import_of(job)
    if received.project.kind != Kind.RATING or received.file.size >= QUICK_BYTES:
        return False
    expected = rows_expected(received)
    if expected is None:
        return received.file.size < QUICK_WORKBOOK_BYTES
    return expected <= QUICK_LINES


def _page(job: Job) -> tuple[str, list[Any]]:
    return "import", [job.scope.slug, job.arguments["import"]]


def _import_of(job: Job) -> Import:
    return Import.objects.select_related("project").get(pk=job.arguments["import"])


@handles("check_import", title=_("Reading the file"), page=_page, refusals=REFUSALS, is_quick=is_quick)
def run_check(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Check the file and return its `counts`."""
    return counts(check(received=_import_of(job), report=report, by=job.created_by))


@handles("store_import", title=_("Storing the rows"), page=_page, refusals=REFUSALS, is_quick=is_quick, stores=True)
def run_store(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Store the file and return its `counts`."""
    return counts(store(received=_import_of(job), partial=job.arguments["partial"], report=report, by=job.created_by))


@transaction.atomic
def ask_for_check(
    *, received: Import, format: str | None = None, choice: LayoutChoice | None = None, by: User
) -> Job | None:
    """Request a job that reads the file, in another format or layout if one is given. Raises Refused.

    Return None if the preview already shows that the file is refused; the refusal is stored at once.
    """
    received = locked(received)
    must_be_idle(received)
    if not received.is_open:
        raise refusal("not_waiting")
    received.format = received.format if format is None else format
    received.choice = received.choice if choice is None else asdict(choice)
    received.save(update_fields=["format", "choice"])
    if unreadable := importer_of(received.project).preview_of(received).refusal:
        whole = BadRow(received.file_name, None, unreadable)
        write_down(received, FileContents(refused=1, bad=[whole]), by=by)
        return None
    return jobs.ask_for(kind="check_import", arguments={"import": received.pk}, scope=received.project, by=by)


@transaction.atomic
def decide_grades(*, received: Import, grades_are: GradesAre, rater: str = "", by: User) -> Job | None:
    """Say what the column of grades is, and who gave those that name no one; request a job that reads the file so.

    Raises Refused.
    """
    received = locked(received)
    must_be_idle(received)
    received.grades_are, received.rater = grades_are, one_name(rater)
    received.save(update_fields=["grades_are", "rater"])
    return ask_for_check(received=received, by=by)


@transaction.atomic
def ask_for_store(*, received: Import, partial: bool, reading: str | None = None, by: User) -> Job:
    """Request a job that stores the good rows. Raises Refused, also if the file is no longer read the way `reading`
    says.
    """
    received = locked(received)
    must_be_idle(received)
    must_be_storable(received, partial)
    if reading not in (None, received.reading):
        raise refusal("read_anew")
    arguments = {"import": received.pk, "partial": partial}
    return jobs.ask_for(kind="store_import", arguments=arguments, scope=received.project, by=by)
