"""Pages to watch a long job and to cancel it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from core.actions import jobs
from core.models import Job, User
from core.permissions import SCOPES, AuthenticatedRequest, jobs_of, requires, wants_json
from core.presenters import polls
from core.presenters.jobs import watch


@requires("jobs.watch")
@require_safe
def job(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show a job; to a page that polls, send its progress, or the address of its outcome when it is over."""
    found = watch(_job(request.user, pk))
    context = {"watch": found, "job": found.job}
    if not wants_json(request):
        return render(request, "core/jobs/job.html", context | _frame(found.job))
    if found.job.is_over:
        return polls.lead_to(found.page)
    return polls.parts(request, "_components/job_progress.html", context)


@requires("jobs.watch")
@require_POST
def cancel(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    found = _job(request.user, pk)
    jobs.cancel(job=found, by=request.user)
    return redirect(watch(found).page)


def _job(person: User, pk: int) -> Job:
    return get_object_or_404(jobs_of(person), pk=pk)


def _frame(job: Job) -> dict[str, Any]:
    """Return the template that the page extends, with the project it shows, if the job has one."""
    scope = SCOPES.get(job.scope_kind)
    return {"frame": scope.frame, scope.name: job.scope} if scope else {"frame": "base.html"}
