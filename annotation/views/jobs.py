"""Long work as one watches it: how far it is, and a way to stop it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.actions import jobs
from annotation.models import Job, User
from annotation.permissions import jobs_of, requires, wants_json
from annotation.views import polls
from annotation.views.job_watch import watch


@requires("project.view")
@require_safe
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of a job; for a page that polls, its progress, and the way to its outcome when it is over."""
    found = watch(_job(request.user, pk))
    frame = "annotation/project.html" if found.job.project else "base.html"
    context = {"watch": found, "job": found.job, "project": found.job.project, "frame": frame}
    if not wants_json(request):
        return render(request, "annotation/job.html", context)
    if found.job.is_over:
        return polls.lead_to(found.page)
    return polls.parts(request, "_components/job_progress.html", context)


@requires("project.view")
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    found = _job(request.user, pk)
    jobs.cancel(job=found, by=request.user)
    return redirect(watch(found).page)


def _job(person: User, pk: int) -> Job:
    return get_object_or_404(jobs_of(person).select_related("project"), pk=pk)
