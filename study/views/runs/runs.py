"""Pages of runs: the list, a new run, and one run with its figures and predictions."""

from datetime import UTC
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.domain.transitions import JobState
from core.exporters import csv as csv
from core.permissions import AuthenticatedRequest, requires, wants_json
from core.presenters import polls
from core.presenters.axis import Axis
from core.presenters.files import streamed
from core.presenters.lists import ShownList
from study.actions.runs import baselines as actions
from study.api.serializers import RunSerializer
from study.exporters import mutual_list
from study.forms.runs import RunFilter
from study.models import Run
from study.permissions import runs_of
from study.presenters.runs.contexts import condition_rows, context_rows, order_rows
from study.presenters.runs.live import lines_of, live_of
from study.presenters.runs.rail import rail_of_runs
from study.presenters.runs.runs import (
    about,
    figures_of,
    length_rows,
    made_of,
    material_of,
    outcomes_of,
    rows_on,
    settings_of,
    study_beside,
    type_rows,
)
from study.presenters.runs.words import models_titled, run_name
from study.selectors.runs.runs import (
    OUTCOMES,
    SHOWN,
    by_target,
    command_of,
    is_rated,
    page_of,
    predictions_of,
    rows_of,
    runs_to_list,
    sorted_runs,
    source_behind,
    state_of,
)
from study.selectors.runs.sources import choices_of


@requires("run.start")
@require_safe
def runs(request: AuthenticatedRequest) -> HttpResponse:
    in_queue = "queue" in request.GET
    form = RunFilter({} if in_queue else request.GET)
    wanted = form.wanted()
    models = models_titled(wanted.get("search", ""))
    found = sorted_runs(runs_to_list(request.user, **wanted, models=models, in_queue=in_queue), form.sorting())
    shown = ShownList(form, found, size=SHOWN, number=request.GET.get("page"), rows=by_target)
    choices = choices_of(request.user)
    context = {
        "rail": rail_of_runs(request, choices),
        "has_choices": any(choice.can_be_asked and choice.count for choice in choices),
        "list": shown,
        "query": "queue=" if in_queue else shown.query,
        "in_queue": in_queue,
        "targets": [rows_on(target) for target in shown.rows],
    }
    return render(request, "study/runs/runs.html", context)


@requires("run.start")
@require_safe
def run(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show a run; to a page that polls, send its progress, or tell it to load again when the run is over."""
    found = _run(request, pk)
    prefetch_related_objects([found], "job__points")  # read by the curve and by the time left
    addresses = {"poll_url": reverse("run", args=[pk]), "log_url": reverse("run_log", args=[pk])}
    live = live_of(found, request.user) | addresses
    state = live["state"]
    if wants_json(request):
        if state not in (JobState.QUEUED, JobState.RUNNING):
            return polls.lead_to(live["poll_url"])
        return polls.parts(render_to_string("study/runs/_live.html", live, request))
    context = live | {
        "run": found,
        "title": run_name(found),
        "about": about(found),
        "command": command_of(found),
        "settings": settings_of(found),
        "material": material_of(found),
        "made": made_of(found),
        "cancel_url": reverse("cancel_run", args=[pk]),
        "rail": rail_of_runs(request, choices_of(request.user, also=[found.on]), found.on),
    }
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
def run_log(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Return a line for each point of the curve that is kept, the oldest first; times are in UTC."""
    found = _run(request, pk)
    points = [point.on_curve for point in found.job.points.all()] if found.job else []
    lines = (f"{line.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}  {line.text}\n" for line in lines_of(points))
    return HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")


@requires("run.start")
@require_safe
def run_json(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Return all that is known of a run but its predictions, as the API has it."""
    answer = JsonResponse(
        RunSerializer(_ended(request, pk)).data, json_dumps_params={"indent": 2, "ensure_ascii": False}
    )
    answer["Content-Disposition"] = f'attachment; filename="run-{pk}.json"'
    return answer


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


def _outcome(request: AuthenticatedRequest, found: Run) -> dict[str, Any]:
    outcome = request.GET.get("outcome", "")
    outcome = outcome if outcome in OUTCOMES else ""
    source = source_behind(found, by=request.user)
    page, shown = page_of(found, outcome=outcome, number=request.GET.get("page", "1"), source=source)
    figures = figures_of(found)
    return {
        "figures": figures,
        "first": next((row for row in figures if row.name in ("R@1", "P@1 · Cut@4")), None),
        "figures_axis": Axis(0.0, 1.0),
        "has_published": study_beside(found, figures),
        "prompts": found.figures["cuts"]["4"]["prompts"] if is_rated(found) else 0,
        "lengths": length_rows(found, source),
        "types": type_rows(found),
        "conditions": condition_rows(found),
        "contexts": context_rows(found),
        "orders": order_rows(found),
        "outcomes": outcomes_of(found),
        "outcome": outcome,
        "query": urlencode({"outcome": outcome}),
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
