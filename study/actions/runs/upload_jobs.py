"""Predictions that are sent on a page or by the API: kept as a file, and imported by a job."""

from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.imports.refused_rows import RowsRefused, kept_row
from annotation.importers.rows import BadRow
from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.domain.transitions import JobState
from core.models import Job, User
from study.actions.runs import refusals, uploads
from study.actions.runs.plans import named_source

KIND = "import_predictions"
ROWS_TOLD = 1_000  # refused rows listed in the result of a job
REFUSALS = refusals.REFUSALS | uploads.REFUSALS | {"deleted_meanwhile": refusals.REFUSALS["no_such_source"]}
ALL_STORED = _("There is nothing left to import from this file.")


def receive(*, on: str, label: str, file: "File[bytes]", seed: int = 0, partial: bool = False, by: User) -> Job:
    """Keep a file under a generated name, and request a job that imports it. Raises Refused."""
    arguments: dict[str, Any] = {"on": named_source(on, by=by).name, "label": uploads.checked_label(label, by=by)}
    arguments |= {"seed": seed, "partial": partial, "file_name": one_line(Path(file.name or "").name)}
    arguments["file"] = default_storage.save("predictions/file", file)
    return jobs.ask_for(kind=KIND, arguments=arguments, scope=None, by=by)


@transaction.atomic
def ask_for_others(*, job: Job, by: User) -> Job:
    """Request a job that imports the good rows of a file of which others were refused. Raises Refused."""
    result = job.result or {}
    if "rows" not in result or "run" in result:
        raise Refused("nothing_left", ALL_STORED)
    return jobs.ask_for(kind=KIND, arguments={**job.arguments, "partial": True}, scope=None, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    result = job.result or {}
    is_whole = job.state == JobState.DONE and "run" in result and not result["refused"]
    return ("run", [result["run"]]) if is_whole else ("upload_outcome", [job.pk])


def _forget(job: Job) -> None:
    default_storage.delete(job.arguments["file"])


@handles(KIND, title=_("Importing the predictions"), page=_page, refusals=REFUSALS, abandon=_forget)
def run_import(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Import the file; return the key of its run, or the refused rows, which its page shows. Raises Refused."""
    wanted = {name: job.arguments[name] for name in ("on", "label", "seed", "partial", "file_name")}
    path = Path(default_storage.path(job.arguments["file"]))
    if job.created_by is None:
        raise refusals.refusal("no_such_source")
    try:
        found = uploads.import_predictions(**wanted, path=path, job=job, by=job.created_by)
    except RowsRefused as refused:
        return told(refused.rows)
    return {"run": found.run.pk, **told(found.refused)}


def told(rows: list[BadRow]) -> dict[str, Any]:
    """Return how many rows of a file were refused, and the first of them, as the result of a job."""
    return {"refused": len(rows), "rows": [kept_row(row) for row in rows[:ROWS_TOLD]]}
