"""Audit a corpus or a release in the background: the job, and the part of its findings that is kept."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.models import Corpus, Release
from annotation.selectors.releases.audits import KIND, Subject, arguments_of, audit_report, last_audit
from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.models import Job, User

ROWS_KEPT = 1_000  # of each list, in the result of a job


@transaction.atomic
def ask_for(*, subject: Subject, by: User) -> Job:
    """Request a job that audits the subject, or return the one that is running."""
    job = last_audit(subject)
    if job is not None and not job.is_over:
        return job
    project = subject.project if isinstance(subject, Release) else None
    return jobs.ask_for(kind=KIND, arguments=arguments_of(subject), scope=project, by=by)


def _subject(job: Job) -> Subject:
    found: Subject
    if "corpus" in job.arguments:
        found = Corpus.objects.get(pk=job.arguments["corpus"])
    else:
        found = Release.objects.select_related("project").get(pk=job.arguments["release"])
    return found


def _page(job: Job) -> tuple[str, list[Any]]:
    subject = _subject(job)
    if isinstance(subject, Corpus):
        return "audit_corpus", [subject.name]
    return "audit_release", [subject.project.slug, subject.number]


@handles(KIND, title=_("Auditing for leaks and shortcuts"), page=_page, refusals={})
def run_audit(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Return the audit report, with its lists cut to the first rows."""
    found = audit_report(_subject(job), report)
    for listed in (found["leaks"], found["shortcuts"]["equal_options"]):
        del listed["rows"][ROWS_KEPT:]
    return found
