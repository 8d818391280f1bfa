"""Results page of people and models: a sentence, a figure, a table, and the reason for the kind of interval."""

from dataclasses import replace
from functools import lru_cache, partial
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import FORMATS, csv_download, drawing
from core.presenters.stored_figures import answer_without_figures, look_at, look_for_file, state_of
from core.views.jobs import answer_of_progress
from study.actions.results import RESULTS
from study.domain.results.exclusions import OF_PLAN, ON_REQUEST, RuleSwitches
from study.figures import draw_people_and_models
from study.models import Study
from study.permissions import own_study
from study.presenters.results.conditions import condition_table
from study.presenters.results.experts import agreement_shown, rows_of_experts
from study.presenters.results.looks import combinations_of, rows_of_rules, sections_of
from study.presenters.results.results import (
    candidates_of,
    chance_ends,
    chance_of,
    corpora_of,
    finding_of,
    interval_rows,
    rows_of_models,
    rows_of_people,
    rows_published,
    signs_of,
)
from study.presenters.results.results_files import csv_header, csv_rows, panels_of, panels_of_contexts
from study.selectors.results.results import in_words, is_readable
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.experts import names_of

DRAWINGS_KEPT = 64  # by a process: to draw one takes longer than all else on the page
FIGURES = {"people-models": panels_of, "contexts": panels_of_contexts}
_drawn = lru_cache(DRAWINGS_KEPT)(draw_people_and_models)


@requires("study.view")
@require_safe
def results(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if not is_readable(study):
        return render(request, "study/results/not_yet.html", {"study": study})
    rules = _rules(request).as_arguments()
    look = look_at(request, RESULTS, study, rules)
    if answer := answer_of_progress(request, look, study, _("People and models")):
        return answer
    found = in_words(study, look.content)
    corpora = corpora_of(found)
    corpus = request.GET.get("corpus") or (corpora[0] if len(corpora) == 1 else None)
    if corpus and corpus not in corpora and found["answers"]:
        raise Http404
    finding = finding_of(found, corpus)
    group = finding.group or None if finding else None
    people, models, published = rows_of_people(found, corpus), rows_of_models(found, corpus), rows_published(corpus)
    names = names_of(study) if found["experts"] else {}
    experts = rows_of_experts(found, names) if corpus is None or len(corpora) == 1 else []
    if experts:
        people[-1] = replace(people[-1], name=_("Together"))
    groups = {"experts": experts, "people": people, "models": models, "published": published}
    context = {
        "study": study,
        "results": found,
        "corpora": corpora,
        "corpus": corpus,
        "candidates": candidates_of(found, corpus),
        "chance": chance_of(found, corpus),
        "finding": finding,
        "group": group,
        "rule_rows": rows_of_rules(found, corpus, group),
        "combinations": combinations_of(found, corpus, group),
        "sections": sections_of(found, corpus, group, demographics_of(study)),
        "contexts": condition_table(found),
        "excludes_all": not found["answers"] and any(rule["applied"] and rule["people"] for rule in found["rules"]),
        "chance_ends": chance_ends(found, corpus),
        "groups": groups.items(),
        "signs": signs_of(found),
        "experts": agreement_shown(found, names),
        "has_mrr": any(row.figures.get("MRR") and row.figures["MRR"].value for row in (*people, *published)),
        "intervals": list(interval_rows(found, corpus)),
        "query": urlencode(rules, doseq=True),
        "figure_query": urlencode({**rules, "lang": get_language() or ""}, doseq=True),
        "formats": list(FORMATS),
        **state_of(request, look, study),
    }
    return render(request, "study/results/results.html", context)


@requires("study.view")
@require_safe
def results_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = readable(request, slug)
    found = look_for_file(request, RESULTS, study, _rules(request).as_arguments())
    if not found.is_there:
        return _without_figures(request, study)
    shown = in_words(study, found.content)
    return csv_download(f"{study.slug}-results", csv_header(shown), csv_rows(shown))


@requires("study.view")
@require_safe
def results_figure(request: AuthenticatedRequest, slug: str, format: str) -> HttpResponse:
    """Return a figure in a theme and a size; a download is always the wide light one.

    On a page with figures of a moment ago it is of these.
    """
    study = readable(request, slug)
    found = look_at(request, RESULTS, study, _rules(request).as_arguments())
    if not found.is_there and ("download" in request.GET or found.content is None):
        return _without_figures(request, study)
    of = request.GET.get("of", "people-models")
    panels = tuple(FIGURES[of](in_words(study, found.content))) if of in FIGURES else ()
    if not panels:
        raise Http404
    draw = partial(_drawn, panels, axis=_("R@1, %"), chance=_("chance"))
    return drawing(request.GET, draw, name=f"{study.slug}-{of}", format=format)


def _without_figures(request: HttpRequest, study: Study) -> HttpResponse:
    query = urlencode(_rules(request).as_arguments(), doseq=True)
    page = f"{reverse('results', args=[study.slug])}{query and '?'}{query}"
    return answer_without_figures(request, page)


def readable(request: AuthenticatedRequest, slug: str) -> Study:
    """Return a study whose figures may be seen, or raise 404."""
    study = own_study(request, slug)
    if not is_readable(study):
        raise Http404
    return study


def _rules(request: HttpRequest) -> RuleSwitches:
    """Return the rules that the address switches; a form sends those that are on, marked by `chosen`."""
    query = request.GET
    if "chosen" in query:
        on = {*query.getlist("rule")}
        return RuleSwitches(without={*OF_PLAN} - on, also=ON_REQUEST & on)
    return RuleSwitches({*OF_PLAN} & {*query.getlist("without")}, ON_REQUEST & {*query.getlist("also")})
