"""Pages of runs: the list, a new run, and one run with its figures and predictions."""

from itertools import chain
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.exporters import csv as csv
from core.permissions import AuthenticatedRequest, requires, wants_json
from core.presenters import polls
from core.presenters.files import streamed
from core.presenters.jobs import watch
from core.tasks import dispatch
from study.actions.runs import baselines as actions
from study.exporters import mutual_list
from study.forms.runs import RunForm
from study.models import Run
from study.permissions import runs_of
from study.presenters.runs import about, figures_of, made_of, outcomes_of, rows_on, settings_of, title_of
from study.selectors.runs.runs import (
    OUTCOMES,
    command_of,
    is_rated,
    page_of,
    predictions_of,
    rows_of,
    runs_by_target,
    state_of,
)

UNPROCESSABLE = 422


@requires("run.start")
@require_safe
def runs(request: AuthenticatedRequest) -> HttpResponse:
    return render(request, "study/runs/runs.html", _listed(request, RunForm(person=request.user)))


@requires("run.start")
@require_POST
def start(request: AuthenticatedRequest) -> HttpResponse:
    form = RunForm(request.POST, person=request.user)
    if not form.is_valid():
        return render(request, "study/runs/runs.html", _listed(request, form), status=UNPROCESSABLE)
    try:
        run = actions.ask_for_run(**form.cleaned_data, by=request.user)
    except Refused as refused:
        form.add_error(None, str(refused))
        return render(request, "study/runs/runs.html", _listed(request, form), status=UNPROCESSABLE)
    if run.job:
        dispatch(run.job)
    return redirect("run", run.pk)


@requires("run.start")
@require_safe
def run(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show a run; to a page that polls, send its progress, or tell it to load again when the run is over."""
    found = _run(request, pk)
    state = state_of(found)
    is_over = state not in (JobState.QUEUED, JobState.RUNNING)
    context: dict[str, Any] = {
        "run": found,
        "state": state,
        "title": title_of(found.model),
        "about": about(found),
        "command": command_of(found),
        "settings": settings_of(found),
        "made": made_of(found),
        "watch": watch(found.job),
        "poll_url": reverse("run", args=[pk]),
        "cancel_url": reverse("cancel_run", args=[pk]),
    }
    if wants_json(request) and is_over:
        return polls.lead_to(context["poll_url"])
    if wants_json(request):
        return polls.parts(render_to_string("_components/job_progress.html", context, request))
    if state == JobState.DONE:
        context |= _outcome(request, found)
    return render(request, "study/runs/run.html", context)


@requires("run.start")
@require_POST
def cancel(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    actions.cancel(run=_run(request, pk), by=request.user)
    return redirect("run", pk)


@requires("run.start")
@require_safe
def predictions_csv(request: AuthenticatedRequest, pk: int) -> HttpResponseBase:
    found = _ended(request, pk)
    header = [_("id"), _("candidate"), _("score"), _("grade") if is_rated(found) else _("true"), _("text")]
    lines = map(csv.row, chain([header], rows_of(found, by=request.user)))
    return streamed(f"run-{pk}-predictions.csv", lines, "text/csv; charset=utf-8")


@requires("run.start")
@require_safe
def predictions_list(request: AuthenticatedRequest, pk: int) -> HttpResponseBase:
    """Return a line for each instance, its candidates best first, in the format of MuTual's list."""
    lines = mutual_list.lines(predictions_of(_ended(request, pk)).iterator())
    return streamed(f"run-{pk}-predictions.txt", lines, "text/plain; charset=utf-8")


def _listed(request: AuthenticatedRequest, form: RunForm) -> dict[str, Any]:
    return {"form": form, "targets": [rows_on(target) for target in runs_by_target(request.user)]}


def _outcome(request: AuthenticatedRequest, found: Run) -> dict[str, Any]:
    outcome = request.GET.get("outcome", "")
    outcome = outcome if outcome in OUTCOMES else ""
    page, shown = page_of(found, outcome=outcome, number=request.GET.get("page", "1"), by=request.user)
    return {
        "figures": figures_of(found),
        "outcomes": outcomes_of(found),
        "outcome": outcome,
        "page": page,
        "predictions": shown,
    }


def _run(request: AuthenticatedRequest, pk: int) -> Run:
    found = runs_of(request.user).select_related("job", "created_by", "study", "question_set")
    return get_object_or_404(found, pk=pk)


def _ended(request: AuthenticatedRequest, pk: int) -> Run:
    found = _run(request, pk)
    if state_of(found) != JobState.DONE:
        raise Http404
    return found
