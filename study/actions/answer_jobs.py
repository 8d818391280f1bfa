"""Answers given elsewhere that are sent by the API: kept as a file until a job has imported them."""

from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.imports.refused_rows import RowsRefused
from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.domain.text import one_line
from core.domain.transitions import JobState
from core.models import Job, User
from study.actions import imported_answers
from study.actions.runs.upload_jobs import told

KIND = "import_answers"


def receive(*, study: str, file: "File[bytes]", candidates: int | None = None, by: User) -> Job:
    """Keep a file under a generated name, and request a job that imports it. Raises Refused."""
    imported_answers.must_take_answers(slug=study, by=by)
    arguments = {"study": study, "candidates": candidates, "file_name": one_line(Path(file.name or "").name)}
    arguments["file"] = default_storage.save("answers/file", file)
    return jobs.ask_for(kind=KIND, arguments=arguments, scope=None, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    is_stored = job.state == JobState.DONE and not (job.result or {})["refused"]
    return ("results", [job.arguments["study"]]) if is_stored else ("studies", [])


def _forget(job: Job) -> None:
    default_storage.delete(job.arguments["file"])


@handles(
    KIND,
    title=_("Importing the answers"),
    page=_page,
    refusals=imported_answers.REFUSALS,
    abandon=_forget,
    stores=True,
)
def run_import(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Import the file, and delete it; return what import_answers prints, or the refused rows. Raises Refused."""
    result: dict[str, Any] = job.result or _imported(job, report)
    _forget(job)
    return result


@transaction.atomic
def _imported(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Import the answers, and keep what became of them on the job, which then runs twice without a change."""
    assert job.created_by is not None
    wanted = {name: job.arguments[name] for name in ("candidates", "file_name")}
    path = Path(default_storage.path(job.arguments["file"]))
    try:
        outcome = imported_answers.import_answers(
            slug=job.arguments["study"], path=path, **wanted, report=report, by=job.created_by
        )
        result = {"outcome": outcome._asdict(), **told([])}
    except RowsRefused as refused:
        result = told(refused.rows)
    Job.objects.filter(pk=job.pk).update(result=result)
    return result
