"""Audits of question sets: made once of each, which never changes, and stored."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.models.jobs import Job
from core.models.people import User
from study.models import QuestionAudit, QuestionSet
from study.selectors.questions.audits import audit_report, stored_report

KIND = "audit_questions"


def report_of(question_set: QuestionSet, *, by: User) -> dict[str, Any]:
    """Return the audit of a set; make and store it where there is none. Made twice at a time, the first stays."""
    if (stored := stored_report(question_set)) is not None:
        return stored
    report = audit_report(question_set, by=by)
    made, _is_new = QuestionAudit.objects.get_or_create(question_set=question_set, defaults={"report": report})
    found: dict[str, Any] = made.report
    return found


def last_audit(question_set: QuestionSet) -> Job | None:
    """Return the newest job that audits the set."""
    return Job.objects.filter(kind=KIND, arguments={"name": question_set.name}).first()


@transaction.atomic
def ask_for(*, question_set: QuestionSet, by: User) -> Job:
    """Request a job that audits the set, or return the one that is under way."""
    job = last_audit(question_set)
    if job is not None and not job.is_over:
        return job
    return jobs.ask_for(kind=KIND, arguments={"name": question_set.name}, scope=None, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    return "audit_questions", [job.arguments["name"]]


@handles(KIND, title=_("Auditing the questions"), page=_page, refusals={})
def run_audit(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Audit a set, and return the names of what was found."""
    assert job.created_by is not None
    question_set = QuestionSet.objects.get(name=job.arguments["name"])
    return {"findings": report_of(question_set, by=job.created_by)["findings"]}
