"""Results page of people and models: a sentence, a figure, a table, and the reason for the kind of interval."""

from functools import partial
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import FORMATS, csv_download, drawing
from study.domain.results.results import RULES
from study.figures import draw_people_and_models
from study.models import Study
from study.permissions import own_study
from study.presenters.results.results import (
    candidates_of,
    chance_of,
    corpora_of,
    finding_of,
    interval_rows,
    rows_of_models,
    rows_of_people,
    rows_published,
)
from study.presenters.results.results_files import HEADER, csv_rows, panels_of
from study.selectors.results.results import is_readable, standing_results


@requires("study.view")
@require_safe
def results(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if not is_readable(study):
        return render(request, "study/results/not_yet.html", {"study": study})
    without = _without(request)
    found = standing_results(study, without=without)
    corpora = corpora_of(found)
    corpus = request.GET.get("corpus") or (corpora[0] if len(corpora) == 1 else None)
    if corpus and corpus not in corpora:
        raise Http404
    people, models, published = rows_of_people(found, corpus), rows_of_models(found, corpus), rows_published(corpus)
    context = {
        "study": study,
        "results": found,
        "corpora": corpora,
        "corpus": corpus,
        "candidates": candidates_of(found, corpus),
        "chance": chance_of(found, corpus),
        "finding": finding_of(found, corpus),
        "groups": [(name, rows) for name, rows in (("people", people), ("models", models), ("published", published))],
        "has_mrr": any(row.figures.get("MRR") and row.figures["MRR"].value for row in (*people, *published)),
        "intervals": list(interval_rows(found, corpus)),
        "query": urlencode({"without": without}, doseq=True),
        "figure_query": urlencode({"without": without, "lang": get_language() or ""}, doseq=True),
        "formats": list(FORMATS),
    }
    return render(request, "study/results/results.html", context)


@requires("study.view")
@require_safe
def results_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = _readable(request, slug)
    found = standing_results(study, without=_without(request))
    return csv_download(f"{study.slug}-results", HEADER, csv_rows(found))


@requires("study.view")
@require_safe
def results_figure(request: AuthenticatedRequest, slug: str, format: str) -> HttpResponse:
    """Return the figure in a theme and a size; a download is always the wide light one."""
    study = _readable(request, slug)
    panels = panels_of(standing_results(study, without=_without(request)))
    if not panels:
        raise Http404
    draw = partial(draw_people_and_models, panels, axis=_("R@1, %"), chance=_("chance"))
    return drawing(request.GET, draw, name=f"{study.slug}-people-models", format=format)


def _readable(request: AuthenticatedRequest, slug: str) -> Study:
    study = own_study(request, slug)
    if not is_readable(study):
        raise Http404
    return study


def _without(request: HttpRequest) -> list[str]:
    """Return the rules that the address switches off; a form sends those that are on, marked by `chosen`."""
    if "chosen" in request.GET:
        return sorted(set(RULES) - set(request.GET.getlist("rule")))
    return sorted(set(RULES) & set(request.GET.getlist("without")))
