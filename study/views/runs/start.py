"""The page that starts runs. Everything on it is calculated from what is filled in, with or without a script."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires, wants_json
from core.presenters import polls
from core.tasks import dispatch
from study.actions.runs import baselines as actions
from study.forms.runs import KEEP, LEAVE, RunForm, spelled
from study.models import Run
from study.permissions import runs_of
from study.presenters.runs.rail import rail_of_runs
from study.presenters.runs.start import start_page
from study.selectors.runs.runs import settings_given

UNPROCESSABLE = 422
ASKED_FOR = ("model", "weights", "on", "train", "dev", "device", "label", "ablations")


@requires("run.start")
@require_safe
def new(request: AuthenticatedRequest) -> HttpResponse:
    """Show the form, filled in as the address says: a model, what it is asked about, or a run to repeat (`like`)."""
    named = {name: request.GET[name] for name in ("model", "on") if request.GET.get(name)}
    form = RunForm(person=request.user, initial=_like(request) | named)
    return render(request, "study/runs/start.html", _context(request, form))


@requires("run.start")
@require_POST
def start(request: AuthenticatedRequest) -> HttpResponse:
    """Start a run for each seed, or a trial with the first; with `check`, only show what these would be."""
    form = RunForm(request.POST, person=request.user)
    if "check" in request.POST:
        context = _context(request, form, is_checked=True)
        if wants_json(request):
            return polls.parts(render_to_string("study/runs/_start_form.html", context, request))
        return render(request, "study/runs/start.html", context)
    if not form.is_valid():
        return render(request, "study/runs/start.html", _context(request, form), status=UNPROCESSABLE)
    is_trial = "trial" in request.POST
    seeds = form.cleaned_data["seeds"][:1] if is_trial else form.cleaned_data["seeds"]
    try:
        runs = actions.ask_for_runs(
            seeds=seeds, key=form.cleaned_data["key"], **form.plan(), is_trial=is_trial, by=request.user
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return render(request, "study/runs/start.html", _context(request, form), status=UNPROCESSABLE)
    waiting = hand_over(runs)
    if len(runs) == 1:
        return redirect("run", runs[0].pk)
    if not waiting:  # all of them ended since the form was sent for the first time
        return redirect("runs")
    messages.success(request, in_the_queue(waiting))
    return redirect(f"{reverse('runs')}?queue")


def hand_over(runs: Sequence[Run]) -> int:
    """Pass the runs to the broker, but for those that have ended. Return how many these are."""
    waiting = [run.job for run in runs if run.job and not run.job.is_over]
    for job in waiting:
        dispatch(job)
    return len(waiting)


def in_the_queue(runs: int) -> str:
    return ngettext("%(n)s run is in the queue.", "%(n)s runs are in the queue.", runs) % {"n": runs}


def _like(request: AuthenticatedRequest) -> dict[str, Any]:
    """Return what a run was asked for with, to fill the form; {} for one that the person may not see."""
    pk = request.GET.get("like", "")
    run = runs_of(request.user).filter(pk=int(pk)).first() if pk.isdecimal() and len(pk) < 19 else None
    if run is None:
        return {}
    settings = {f"set_{name}": spelled(value) for name, value in settings_given(run).items()}
    overlap = LEAVE if run.leaves_out_overlap else KEEP
    asked = {name: getattr(run, name) for name in ASKED_FOR}
    return {**asked, "seeds": str(run.seed), "overlap": overlap, **settings}


def _context(request: AuthenticatedRequest, form: RunForm, *, is_checked: bool = False) -> dict[str, Any]:
    page = start_page(form, request.user)
    if is_checked:
        form.errors.pop("weights", None)  # not typed yet is no mistake
    return {"form": form, "start": page, "rail": rail_of_runs(request, form.choices)}
