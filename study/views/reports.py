"""Reports of a study: the list, making one by a job, reading one, and its folder as a zip."""

from mimetypes import guess_type
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires, wants_json
from core.presenters import polls
from core.presenters.jobs import watch
from core.tasks import dispatch
from study.actions import reports as actions
from study.models import Report
from study.permissions import own_study
from study.presenters.reports.shown import article_of, report_zip
from study.selectors.reports.reports import file_of, last_job, reports_of
from study.selectors.results.export import is_exportable


@requires("study.view")
@require_safe
def reports(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the reports; return the progress of a job to a page that polls."""
    study = own_study(request, slug)
    job = last_job(study)
    under_way = job if job is not None and not job.is_over else None
    context: dict[str, Any] = {
        "study": study,
        "watch": watch(under_way),
        "poll_url": reverse("study_reports", args=[slug]),
        "ended": watch(job) if job is not None and job.came_to_nothing else None,
    }
    if wants_json(request):
        if under_way:
            return polls.parts(render_to_string("_components/job_progress.html", context, request))
        return polls.lead_to(watch(job).page if job else context["poll_url"])
    context |= {"is_ready": is_exportable(study), "reports": reports_of(study)}
    return render(request, "study/reports/reports.html", context)


@requires("study.view")
@require_POST
def make(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Begin a job that freezes a report."""
    study = own_study(request, slug)
    try:
        dispatch(actions.ask_for(study=study, by=request.user))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("study_reports", slug)


@requires("study.view")
@require_safe
def report(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """Show the text of a report; what it refers to is below this address, as in its folder."""
    found = _report(request, slug, number)
    return render(
        request, "study/reports/report.html", {"study": found.study, "report": found, "article": article_of(found)}
    )


@requires("study.view")
@require_safe
def report_file(request: AuthenticatedRequest, slug: str, number: int, name: str) -> HttpResponse:
    content = file_of(_report(request, slug, number), name)
    if content is None:
        raise Http404
    kind = guess_type(name)[0] or "application/octet-stream"
    return HttpResponse(content, content_type=f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)


@requires("study.view")
@require_safe
def report_folder(request: AuthenticatedRequest, slug: str, number: int) -> FileResponse:
    return report_zip(_report(request, slug, number))


def _report(request: AuthenticatedRequest, slug: str, number: int) -> Report:
    found = Report.objects.select_related("study", "frozen_by").filter(study=own_study(request, slug))
    return get_object_or_404(found, number=number)
