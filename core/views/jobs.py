"""Pages to watch a long job and to cancel it."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from core.actions import jobs
from core.permissions import AuthenticatedRequest, jobs_of, requires, wants_json
from core.presenters import polls
from core.presenters.jobs import frame_of, watch


@requires("jobs.watch")
@require_safe
def job(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show a job; to a page that polls, send its progress, or the address of its outcome when it is over."""
    found = watch(get_object_or_404(jobs_of(request.user), pk=pk))
    context = {"watch": found, "job": found.job}
    if not wants_json(request):
        return render(request, "core/jobs/job.html", context | frame_of(found.job))
    if found.job.is_over:
        return polls.lead_to(found.page)
    return polls.parts(render_to_string("_components/job_progress.html", context, request))


@requires("jobs.watch")
@require_POST
def cancel(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(jobs_of(request.user), pk=pk)
    jobs.cancel(job=found, by=request.user)
    return redirect(watch(found).page)
