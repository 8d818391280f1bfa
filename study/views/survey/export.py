"""Export of a closed study as a zip: at once, or by a job where it is large."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.permissions import AuthenticatedRequest, requires, wants_json
from core.presenters import polls
from core.presenters.jobs import watch
from core.tasks import dispatch
from study.actions.survey import exports
from study.exporters.study_tables import FORMATS
from study.permissions import own_study
from study.presenters.study_exports import study_zip
from study.selectors.results.export import is_exportable, small_cells_of, tables_of
from study.selectors.results.results import is_large


@requires("study.view")
@require_safe
def export(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show what is in the files; return the progress of a job to a page that polls."""
    study = own_study(request, slug)
    context: dict[str, Any] = {"study": study, "is_ready": is_exportable(study), "formats": FORMATS}
    if not context["is_ready"]:
        return render(request, "study/survey/export.html", context)
    job = exports.last_export(study)
    under_way = job if job is not None and not job.is_over else None
    context |= {
        "is_large": is_large(study),
        "watch": watch(under_way),
        "poll_url": reverse("study_export", args=[slug]),
        "ended": watch(job) if job is not None and job.came_to_nothing else None,
    }
    if wants_json(request):
        if under_way:
            return polls.parts(render_to_string("_components/job_progress.html", context, request))
        return polls.lead_to(context["poll_url"])
    context |= {
        "made": [format for format in FORMATS if context["is_large"] and exports.made(study, format)],
        "small": small_cells_of(study),
        "tables": tables_of(study),
    }
    return render(request, "study/survey/export.html", context)


@requires("study.view")
@require_safe
def export_file(request: AuthenticatedRequest, slug: str, format: str) -> HttpResponseBase:
    """Return the zip; of a large study that is not made yet, lead to the page that makes it."""
    study = own_study(request, slug)
    if format not in FORMATS or not is_exportable(study):
        raise Http404
    answer: FileResponse | None = study_zip(study, format)
    return answer or redirect("study_export", slug)


@requires("study.view")
@require_POST
def make(request: AuthenticatedRequest, slug: str, format: str) -> HttpResponse:
    """Begin a job that makes the file of a large study."""
    study = own_study(request, slug)
    if format not in FORMATS or not is_exportable(study):
        raise Http404
    dispatch(exports.ask_for(study=study, format=format, by=request.user))
    messages.success(request, _("The file is being generated. It can be downloaded here."))
    return redirect("study_export", slug)
