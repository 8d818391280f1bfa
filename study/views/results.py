"""Results page of people and models: a sentence, a figure, a table, and the reason for the kind of interval."""

from functools import partial
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.drawings import FORMATS, drawing
from core.presenters.tables import csv_download
from study.domain.survey.exclusions import RULES
from study.figures import Panel, ShareRow, draw_people_and_models
from study.models import Study
from study.presenters.results import (
    Results,
    candidates_of,
    chance_of,
    corpora_of,
    finding_of,
    interval_rows,
    rows_of_models,
    rows_of_people,
    rows_published,
)
from study.presenters.studies import own_study
from study.selectors.results.results import is_readable, standing_results

CSV = (
    "who",
    "corpus",
    "group",
    "form",
    "condition",
    "turns",
    "metric",
    "estimator",
    "k",
    "n",
    "p",
    "people_mean",
    "people",
    "questions",
    "icc",
    "design_effect",
    "n_eff",
    "headline_low",
    "headline_high",
    "headline_why",
    "flag",
    "starred",
    "bootstrap_low",
    "bootstrap_high",
    "wald_low",
    "wald_high",
    "wilson_low",
    "wilson_high",
    "jeffreys_low",
    "jeffreys_high",
    "agresti_coull_low",
    "agresti_coull_high",
    "clopper_pearson_low",
    "clopper_pearson_high",
)
INTERVALS = ("headline", "bootstrap", "wald", "wilson", "jeffreys", "agresti_coull", "clopper_pearson")


@requires("study.view")
@require_safe
def results(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if not is_readable(study):
        return render(request, "study/results/not_yet.html", {"study": study})
    without = without_of(request.GET)
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
        "query": _query(without),
        "figure_query": _query(without, lang=get_language() or ""),
        "formats": list(FORMATS),
    }
    return render(request, "study/results/results.html", context)


@requires("study.view")
@require_safe
def results_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = _readable(request, slug)
    found = standing_results(study, without=without_of(request.GET))
    people = [{"who": "people", **_with_ends(cell)} for cell in found["cells"]]
    models = [{"who": row["model"], **_with_ends(row | {"headline": row["ci"]})} for row in found["models"]]
    rows = ([row.get(name) for name in CSV] for row in (*people, *models))
    return csv_download(f"{study.slug}-results", CSV, rows)


@requires("study.view")
@require_safe
def results_figure(request: AuthenticatedRequest, slug: str, format: str) -> HttpResponse:
    """Return the figure in a theme and a size; a download is always the wide light one."""
    study = _readable(request, slug)
    panels = _panels(standing_results(study, without=without_of(request.GET)))
    if not panels:
        raise Http404
    draw = partial(draw_people_and_models, panels, axis=_("R@1, %"), chance=_("chance"))
    return drawing(request, draw, name=f"{study.slug}-people-models", format=format)


def without_of(query: QueryDict) -> list[str]:
    """Return the rules that the address switches off; a form sends those that are on, marked by `chosen`."""
    if "chosen" in query:
        return sorted(set(RULES) - set(query.getlist("rule")))
    return sorted(set(RULES) & set(query.getlist("without")))


def _query(without: list[str], **others: str) -> str:
    query = QueryDict(mutable=True)
    query.setlist("without", without)
    query.update(others)
    return query.urlencode()


def _panels(found: Results) -> list[Panel]:
    """Return a panel for each corpus, with the same rows in each; a single one where no corpus has a name."""
    shown: list[str | None] = [*corpora_of(found)] or [None]
    rows = {corpus: _named(_drawn(found, corpus)) for corpus in shown}
    names = list(dict.fromkeys(name for of_corpus in rows.values() for name in of_corpus))
    return [
        Panel(
            title=corpus or "",
            note=_candidates(candidates_of(found, corpus)),
            chance=chance_of(found, corpus),
            rows=tuple(_drawn_row(rows[corpus].get(name), *name) for name in names),
        )
        for corpus in shown
        if names
    ]


def _drawn(found: Results, corpus: str | None) -> list[Any]:
    people = rows_of_people(found, corpus)
    groups = people[:-1] if len(people) > 1 else people
    return [*groups, *rows_of_models(found, corpus)]


def _named(rows: list[Any]) -> dict[tuple[str, str], Any]:
    """Return the rows by the name and kind they have in every panel. Later runs of one model are numbered."""
    runs: dict[str, list[int]] = {}
    for row in sorted(rows, key=lambda row: row.run):
        runs.setdefault(row.name, []).append(row.run)

    def name(row: Any) -> str:
        number = runs[row.name].index(row.run) + 1
        return row.name if number == 1 else f"{row.name} ({number})"

    return {(name(row), row.kind): row for row in rows}


def _drawn_row(row: Any, name: str, kind: str) -> ShareRow:
    first = row.figures["R@1"] if row else None
    return ShareRow(name, first and first.value, first and first.ends, kind == "people")


def _candidates(count: int | None) -> str:
    return _("%(count)s candidates") % {"count": count} if count else ""


def _with_ends(row: dict[str, Any]) -> dict[str, Any]:
    ends = {name: row.get(name) or ("", "") for name in INTERVALS}
    return row | {
        f"{name}_{end}": ends[name][position] for name in ends for position, end in enumerate(("low", "high"))
    }


def _readable(request: AuthenticatedRequest, slug: str) -> Study:
    study = own_study(request, slug)
    if not is_readable(study):
        raise Http404
    return study
