"""Freeze what a study found as a folder, and take out what is of people when one of them withdraws."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions import jobs
from core.actions.events import record
from core.actions.jobs import JobPage, ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Job, User
from core.models.snapshot import consistent_read
from study.actions.survey.locks import locked_study
from study.domain.reports import INDEX, PEOPLE, ReportedFile, checksum_of
from study.domain.survey.phases import StudyState
from study.models import Report, ReportFile, Study
from study.selectors.reports.reports import last_job, next_number
from study.selectors.results.results import people_withdrawn

KIND = "report"
REFUSALS = {
    "still_open": _("No report while the study is open: close it first."),
    "not_opened": _("A draft has no report: open the study, and close it once people have answered."),
    "no_answers": _("There is nothing to report: no answer counts in this study."),
    "withdrawn": _("Nothing was frozen: a person has withdrawn in the meantime. Create the report again."),
}


@dataclass(frozen=True)
class WrittenReport:
    """Files of a report; its page is written once the number, time and checksum are known, and gets the report."""

    files: Sequence[ReportedFile]
    page: Callable[[Report], bytes]
    summary: dict[str, Any]


ReportWriter = Callable[[Study, ProgressReport], WrittenReport]
WRITERS: list[ReportWriter] = []  # one: what writes texts is above the actions, so it is registered


def register(writer: ReportWriter) -> None:
    """Set what writes reports. It reads in one snapshot of the database."""
    WRITERS[:] = [writer]


def freeze(*, study: Study, report: ProgressReport, job: Job | None = None, by: User | None) -> Report:
    """Freeze a report; where nothing has changed since the last one, return that. Raises Refused."""
    if job is not None and (made := Report.objects.filter(job=job).first()):
        return made
    check(study)
    with consistent_read():
        withdrawn = people_withdrawn(study)
        [writer] = WRITERS
        written = writer(study, report)
    if not written.summary["answers"]:
        raise refusal("no_answers")
    jobs.begin_storing(job)
    return _store(study, written, withdrawn, job, by)


def check(study: Study) -> None:
    """Refuse a study whose figures may not be seen yet. Raises Refused."""
    if study.state == StudyState.OPEN:
        raise refusal("still_open")
    if study.state == StudyState.DRAFT:
        raise refusal("not_opened")


def refusal(code: str) -> Refused:
    """Return the refusal of `REFUSALS` with this code."""
    return Refused(code, REFUSALS[code])


@transaction.atomic
def _store(study: Study, written: WrittenReport, withdrawn: int, job: Job | None, by: User | None) -> Report:
    locked = locked_study(study)
    if people_withdrawn(locked) != withdrawn:
        raise refusal("withdrawn")
    checksum = checksum_of({file.name: file.checksum for file in written.files})
    newest = locked.reports.first()
    if newest and (newest.checksum, newest.language) == (checksum, locked.language):
        return newest
    report = Report.objects.create(
        study=locked,
        number=next_number(locked),
        language=locked.language,
        checksum=checksum,
        summary=written.summary,
        job=job,
        frozen_by=by,
    )
    ReportFile.objects.bulk_create(
        ReportFile(
            report=report,
            name=file.name,
            checksum=file.checksum,
            size=len(file.content),
            packed=zlib.compress(file.content, 9),
            is_of_people=file.name in PEOPLE,
        )
        for file in (*written.files, ReportedFile(INDEX, written.page(report)))
    )
    record(report, became="frozen", scope=locked, by=by)
    return report


@transaction.atomic
def take_out_people(study: Study) -> None:
    """Empty the person-level files of a study's reports in which a person withdraws; the rest stays as frozen."""
    ReportFile.take_out(study, timezone.now())


@transaction.atomic
def ask_for(*, study: Study, by: User) -> Job:
    """Request a job that freezes a report, or return the one that is under way. Raises Refused."""
    check(study)
    locked = locked_study(study)
    job = last_job(locked)
    if job is not None and not job.is_over:
        return job
    return jobs.ask_for(kind=KIND, arguments={}, scope=locked, by=by)


def _page(job: Job) -> JobPage:
    if job.state == JobState.DONE and job.result:
        return "report", [job.scope.slug, job.result["report"]]
    return "study_reports", [job.scope.slug]


@handles(KIND, title=_("Creating the report"), page=_page, refusals=REFUSALS)
def run_freeze(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Freeze a report and return its number and checksum."""
    frozen = freeze(study=job.scope, report=report, job=job, by=job.created_by)
    return {"report": frozen.number, "checksum": frozen.checksum}
