"""Exports of large studies, made once by a job and kept as files until something of the study changes."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.domain.text import digest
from core.models import Job
from core.models.people import User
from core.models.scoped import scope_of
from study.models import Study
from study.selectors.results.export import write_zipped
from study.selectors.results.results import fingerprint

KIND = "export_study"


def made(study: Study, format: str) -> Path | None:
    """Return the file of an export of the study as it is now; None where it is not made yet."""
    path = _path(study, format)
    return path if path.exists() else None


def last_export(study: Study) -> Job | None:
    """Return the newest job that exports the study."""
    return Job.objects.filter(kind=KIND, **scope_of(study)).first()


@transaction.atomic
def ask_for(*, study: Study, format: str, by: User) -> Job:
    """Request a job that makes the file, or return the one that is under way."""
    job = last_export(study)
    if job is not None and not job.is_over:
        return job
    return jobs.ask_for(kind=KIND, arguments={"format": format}, scope=study, by=by)


@handles(KIND, title=_("Exporting the study"), page=lambda job: ("study_export", [job.scope.slug]), refusals={})
def export(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Write the file, and delete those of before."""
    study, format = job.scope, job.arguments["format"]
    path = _path(study, format)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, delete=False) as archive:
        write_zipped(study, format=format, archive=archive)
    for old in path.parent.glob(f"{study.pk}-*-{format}.zip"):
        old.unlink(missing_ok=True)
    Path(archive.name).replace(path)
    return {"format": format}


def forget(study: Study) -> None:
    """Delete the files of a study in which a person withdraws."""
    for path in files_of(study):
        path.unlink(missing_ok=True)


def files_of(study: Study) -> list[Path]:
    """Return the files that were made of a study."""
    return list(_folder().glob(f"{study.pk}-*.zip"))


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "exports"


def _path(study: Study, format: str) -> Path:
    marked = digest(fingerprint(study), str(sorted(study.decisions.values_list("pk", "decision"))))
    return _folder() / f"{study.pk}-{marked[:16]}-{format}.zip"
