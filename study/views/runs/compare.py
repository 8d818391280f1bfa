"""Two runs on the same instances."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download, latex_download
from study.models import Run
from study.permissions import runs_of
from study.presenters.runs import compare as presenter
from study.presenters.runs import compare_files as files
from study.presenters.runs.rail import rail_of_runs
from study.selectors.runs.bodies import measures_of
from study.selectors.runs.comparing import beside, comparison, seed_pairs
from study.selectors.runs.runs import source_behind
from study.selectors.runs.sources import choices_of


@requires("run.start")
@require_safe
def compare(request: AuthenticatedRequest) -> HttpResponse:
    """Compare the first two runs that the address names; with one, the newest other run on the same instances.

    Where it names none, the first is the newest run of all.
    """
    named = _pair(request)
    if named is None:
        messages.info(request, _("Tick two models to compare them."))
        return redirect("runs")
    first, second, choices = named
    return render(request, "study/runs/compare.html", _context(request, first, second, choices))


@requires("run.start")
@require_safe
def compare_csv(request: AuthenticatedRequest) -> HttpResponse:
    shown, parts = _compared(request)
    return csv_download(files.name_of(shown), files.csv_header(shown), files.csv_rows(shown, parts))


@requires("run.start")
@require_safe
def compare_latex(request: AuthenticatedRequest) -> HttpResponse:
    shown, parts = _compared(request)
    return latex_download(files.name_of(shown), files.latex_of(shown, parts))


def _pair(request: AuthenticatedRequest) -> tuple[Run, Run, list[Run]] | None:
    """Return the two runs of the address, and those that they may be exchanged for; None where nothing has ended."""
    ended = runs_of(request.user).counting().filter(ended_at__isnull=False).order_by("-pk").values_list("pk", flat=True)
    named = request.GET.getlist("run")[:2] or [str(pk) for pk in ended[:1]]
    if not named:
        return None
    first = _run(request, named[0])
    choices = list(beside(first, by=request.user))
    others = [run for run in choices if run.pk != first.pk]
    second = _run(request, named[1]) if len(named) > 1 else next(iter(others), first)
    if second.pk == first.pk and others:
        second = others[0]
    return first, second, choices


def _compared(request: AuthenticatedRequest) -> tuple[presenter.ComparedRuns, list[presenter.PartTable]]:
    """Return what the files show. Raises Http404 where two runs cannot be compared."""
    named = _pair(request)
    if named is None:
        raise Http404
    source = source_behind(named[0], by=request.user)
    shown = presenter.compared(comparison(named[0], named[1], request.GET.get("measure", ""), source))
    if shown is None:
        raise Http404
    return shown, presenter.parts_of(shown.found, source)


def _context(request: AuthenticatedRequest, first: Run, second: Run, choices: list[Run]) -> dict[str, Any]:
    source = source_behind(first, by=request.user)
    found = comparison(first, second, request.GET.get("measure", ""), source)
    shown = presenter.compared(found)
    context: dict[str, Any] = {
        "rail": rail_of_runs(request, choices_of(request.user, also=[first.on]), first.on),
        "first": first,
        "second": second,
        "choices": [presenter.choice_of(run) for run in choices],
        "is_alone": first.pk == second.pk,
        "measure": found.measure,
        "measures": [name for name in measures_of(first) if name in measures_of(second)],
        "found": found,
        "shown": shown,
    }
    if shown:
        cell = request.GET.get("cell", "one")
        page, examples = presenter.examples_of(found, source, cell=cell, number=request.GET.get("page", "1"))
        query = [("run", first.pk), ("run", second.pk), ("measure", found.measure)]
        context |= {
            "base_query": urlencode(query),
            "query": urlencode([*query, ("cell", cell)]),
            "cells": presenter.cells_of(found),
            "cell": cell,
            "page": page,
            "examples": examples,
            "file_query": urlencode(query),
            "parts": presenter.parts_of(found, source),
            "seeds": presenter.seed_pairs_of(shown, seed_pairs(found, by=request.user)),
        }
    return context


def _run(request: AuthenticatedRequest, pk: str) -> Run:
    ended = runs_of(request.user).counting().filter(ended_at__isnull=False)
    return get_object_or_404(ended, pk=int(pk) if pk.isdecimal() and len(pk) < 19 else 0)
