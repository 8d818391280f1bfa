"""Pages to watch a long job and to cancel it, alone or in the place of the figures that it computes."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from core.actions import jobs
from core.actions.stored_figures import FigureLook
from core.permissions import AuthenticatedRequest, jobs_of, requires, wants_json
from core.presenters import polls
from core.presenters.jobs import frame_of, watch
from core.presenters.refusals import refusals_shown
from core.presenters.stored_figures import state_of


@requires("jobs.watch")
@require_safe
def job(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show a job; to a page that polls, send its progress, or the address of its outcome when it is over."""
    found = watch(get_object_or_404(jobs_of(request.user), pk=pk))
    context = {"watch": found, "job": found.job}
    if not wants_json(request):
        return render(request, "core/jobs/job.html", context | frame_of(found.job.scope))
    if found.job.is_over:
        return polls.lead_to(found.page)
    return polls.parts(render_to_string("_components/job_progress.html", context, request))


@requires("jobs.watch")
@require_POST
def cancel(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(jobs_of(request.user), pk=pk)
    with refusals_shown(request):
        jobs.cancel(job=found, by=request.user)
    return redirect(watch(found).page)


def answer_of_progress(request: AuthenticatedRequest, found: FigureLook, scope: Any, title: str) -> HttpResponse | None:
    """Return the answer to a page that polls for progress, or a page of progress where there is no figure yet.

    None where the page has figures to show.
    """
    context = state_of(request, found, scope)
    if wants_json(request):
        if context["watch"] is None:
            return polls.lead_to(context["poll_url"])
        return polls.parts(render_to_string("_components/job_progress.html", context, request))
    if found.content is not None:
        return None
    return render(request, "core/figures/computing.html", context | frame_of(scope) | {"title": title})
