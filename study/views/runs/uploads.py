"""Pages on which predictions of other systems are sent, and that say what became of the file."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.importers.reasons import RefusalReason, reason_text
from core.actions.refusals import Refused
from core.models import Job
from core.permissions import AuthenticatedRequest, jobs_of, requires
from core.presenters.files import csv_download
from core.presenters.jobs import watch
from core.presenters.refusals import refusals_shown
from core.tasks import dispatch
from study.actions.runs import upload_jobs as actions
from study.forms.uploads import UploadForm
from study.presenters.runs.rail import rail_of_runs
from study.selectors.runs.sources import NoSuchSource, choices_of, source_of

UNPROCESSABLE = 422
LISTED = 100  # refused rows on the page; the file has all that are kept


@requires("run.start")
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Show the form, and receive a file of predictions for NAME or NAME:split."""
    try:
        source = source_of(name, by=request.user)
    except NoSuchSource as unknown:
        raise Http404 from unknown
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            job = actions.receive(on=name, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(refused.field or None, str(refused))
        else:
            dispatch(job)
            return redirect("upload_outcome", job.pk)
    rail = rail_of_runs(request, choices_of(request.user, also=[source.name]), source.name)
    context = {"source": source, "form": form, "rail": rail, "drawn": source.question_set or source.study}
    return render(request, "study/runs/upload.html", context, status=UNPROCESSABLE if form.errors else None)


@requires("run.start")
@require_safe
def outcome(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show what becomes of a file; go to its run when that is stored."""
    job = _job(request, pk)
    result = job.result or {}
    if result.get("run") and not result["refused"]:
        return redirect("run", result["run"])
    on = job.arguments["on"]
    context = {
        "job": job,
        "on": on,
        "rail": rail_of_runs(request, choices_of(request.user, also=[on]), on),
        "watch": None if job.is_over else watch(job),
        "ended": watch(job) if job.came_to_nothing else None,
        "result": result,
        "rows": _refused(job)[:LISTED],
        "whole": next((row["reason"] for row in _refused(job) if row["line"] is None), ""),
    }
    return render(request, "study/runs/upload_outcome.html", context)


@requires("run.start")
@require_POST
def store_others(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Import the good rows of a file of which others were refused."""
    with refusals_shown(request):
        job = actions.ask_for_others(job=_job(request, pk), by=request.user)
        dispatch(job)
        return redirect("upload_outcome", job.pk)
    return redirect("upload_outcome", pk)


@requires("run.start")
@require_safe
def refused_csv(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    rows = ([row["line"], row["reason"], row["excerpt"]] for row in _refused(_job(request, pk)))
    return csv_download(f"predictions-{pk}-refused", [_("line"), _("reason"), _("text")], rows)


def _job(request: AuthenticatedRequest, pk: int) -> Job:
    return get_object_or_404(jobs_of(request.user), pk=pk, kind=actions.KIND)


def _refused(job: Job) -> list[dict[str, object]]:
    """Return the refused rows that a job kept, each with its reason in the reader's language."""
    rows = (job.result or {}).get("rows", [])
    return [{**row, "reason": reason_text(RefusalReason(row["code"], row["params"]))} for row in rows]
