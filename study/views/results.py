"""Results page of people and models: a sentence, a figure, a table, and the reason for the kind of interval."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.actions.stored_figures import FigureLook
from core.permissions import AuthenticatedRequest, requires, wants_json
from core.presenters.files import FORMATS, csv_download, drawing
from core.presenters.stored_figures import figures_as_drawing, figures_as_file, look_at, look_for_file, state_of
from core.views.jobs import answer_of_progress
from study.actions.results import COMPARISONS, RESULTS, TIMES
from study.domain.results.exclusions import BY_DEFAULT, ON_REQUEST, RuleSwitches
from study.domain.results.small_groups import small_groups
from study.figures import draw_people_and_models
from study.models import Study
from study.permissions import own_study
from study.presenters.results.comparisons import comparison_table
from study.presenters.results.conditions import condition_table
from study.presenters.results.experts import agreement_shown, rows_of_experts
from study.presenters.results.finding import awaits_contrast, finding_of
from study.presenters.results.looks import is_emptied_by_rules, sections_of, sections_of_rules
from study.presenters.results.plots import plots_of
from study.presenters.results.published import rows_published
from study.presenters.results.results import (
    Results,
    candidates_of,
    chance_ends,
    corpora_of,
    guess_of,
    interval_rows,
    is_as_planned,
    is_guessed,
    left_out_by_hand,
    rows_of_models,
    rows_of_people,
    signs_of,
    switched_rules,
    varies_less,
)
from study.presenters.results.results_files import (
    crossing_rows,
    csv_header,
    csv_rows,
    drawn_of,
    file_suffix,
    panels_of,
    panels_of_contexts,
)
from study.selectors.results.annotators import AccuracyElsewhere, accuracy_elsewhere
from study.selectors.results.crossings import (
    MOST_LABELS,
    MOST_PARTS,
    CrossingRefused,
    crossing_of,
    labels_in,
)
from study.selectors.results.results import in_words, is_readable
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.experts import names_of

UNPROCESSABLE = 422
PART = "part"  # in the address at which a page asks how far its comparisons are, once it has its other figures
DRAWINGS_KEPT = 64  # by a process: to draw one takes longer than all else on the page
FIGURES = {"people-models": panels_of, "contexts": panels_of_contexts}
_drawn = lru_cache(DRAWINGS_KEPT)(draw_people_and_models)


@requires("study.view")
@require_safe
def results(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if not is_readable(study):
        return render(request, "study/results/not_yet.html", {"study": study})
    if unknown := _unknown_rules(request):
        return _refused(unknown)
    rules = _rules(request).as_arguments()
    look = look_at(request, RESULTS, study, rules)
    compared = look_at(request, COMPARISONS, study) if look.is_there else FigureLook()
    has_plots = compared.is_there and not study.survey.is_signed_in
    times = (look_at(request, TIMES, study) if has_plots else FigureLook()).content
    awaited = compared if look.is_there and not compared.is_there else look
    polled = awaited if PART in request.GET and wants_json(request) else look
    if answer := answer_of_progress(request, polled, study, _("People and models")):
        return answer
    found = in_words(study, look.content)
    corpora = corpora_of(found)
    corpus = _corpus(request, corpora, is_answered=bool(found["answers"]))
    finding = finding_of(found, corpus, compared.content)
    group = finding.group or None if finding else None
    people, models = rows_of_people(found, corpus), rows_of_models(found, corpus)
    published = rows_published(found, corpus)
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
        **_candidates(found, corpus),
        "finding": finding,
        "awaits_contrast": awaits_contrast(study, compared.content),
        **_rules_shown(found),
        "not_drawn": small_groups(found["cells"], [group.name for group in study.survey.derived_groups]),
        "group": group,
        "rule_sections": sections_of_rules(found, corpus),
        "sections": sections_of(found, corpus, group, demographics_of(study)),
        "contexts": condition_table(found),
        "excludes_all": is_emptied_by_rules(found),
        "groups": groups.items(),
        "signs": signs_of(found),
        "experts": agreement_shown(found, names),
        "elsewhere": _elsewhere(request, study) if found["answers"] else [],
        "has_mrr": any(row.figures.get("MRR") and row.figures["MRR"].value for row in (*people, *published)),
        "intervals": list(interval_rows(found, corpus)),
        "varies_less": varies_less(found, corpus),
        "plots": plots_of(study, times) if times else [],
        "query": urlencode(rules, doseq=True),
        "figure_query": urlencode({**rules, "lang": get_language() or ""}, doseq=True),
        "formats": list(FORMATS),
        "comparisons": comparison_table(compared.content, corpus, found["models"]) if compared.content else None,
        **state_of(request, awaited, study),
    }
    if awaited is compared:
        context["poll_url"] = f"{request.path}?{urlencode({**rules, PART: 'comparisons'}, doseq=True)}"
    return render(request, "study/results/results.html", context)


def _elsewhere(request: AuthenticatedRequest, study: Study) -> list[AccuracyElsewhere]:
    rules = RuleSwitches().as_arguments()
    return accuracy_elsewhere(study, lambda other: look_at(request, RESULTS, other, rules).content, by=request.user)


def _candidates(found: Results, corpus: str | None) -> dict[str, Any]:
    """Return how many candidates the questions have, and what guessing among them gives."""
    return {
        "candidates": candidates_of(found, corpus),
        "is_guessed": is_guessed(found, corpus),
        "guess": guess_of(found, corpus),
        "chance_ends": chance_ends(found, corpus),
    }


def _rules_shown(found: Results) -> dict[str, Any]:
    """Return which rules are switched, and what of those that apply is not of the plan."""
    return {
        "switched": switched_rules(found),
        "is_as_planned": is_as_planned(found),
        "by_hand": left_out_by_hand(found),
    }


@requires("study.view")
@require_safe
def results_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = readable(request, slug)
    if unknown := _unknown_rules(request):
        return _refused(unknown)
    if labels := labels_in(request.GET.get("by", "")):
        return _crossing_csv(request, study, labels)

    def file_of(content: Any) -> HttpResponse:
        found = in_words(study, content)
        return csv_download(f"{study.slug}-results{file_suffix(found)}", csv_header(found), csv_rows(found))

    look = look_for_file(request, RESULTS, study, _rules(request).as_arguments())
    return figures_as_file(request, look, _page(request, study), file_of)


@requires("study.view")
@require_safe
def results_figure(request: AuthenticatedRequest, slug: str, format: str) -> HttpResponse:
    """Return a figure in a theme and a size; a download is always the wide light one."""
    study, of = readable(request, slug), request.GET.get("of", "people-models")
    if unknown := _unknown_rules(request):
        return _refused(unknown)

    def file_of(content: Any) -> HttpResponse:
        found = in_words(study, content)
        corpus, corpora = request.GET.get("corpus"), corpora_of(found)
        if corpus and corpus not in corpora:
            said = _("Unknown corpus: %(corpus)s. The corpora here are: %(corpora)s.")
            return _refused(said % {"corpus": corpus, "corpora": _(", ").join(corpora)})
        drawn = drawn_of(found, study.survey.derived_groups)
        panels = tuple(FIGURES[of](drawn)) if of in FIGURES else ()
        if not panels:
            raise Http404
        draw = partial(_drawn, panels, axis=_("R@1, %"), chance=_("chance"))
        return drawing(request.GET, draw, name=f"{study.slug}-{of}{file_suffix(found)}", format=format)

    look = look_at(request, RESULTS, study, _rules(request).as_arguments())
    return figures_as_drawing(request, look, _page(request, study), file_of)


def _crossing_csv(request: HttpRequest, study: Study, labels: list[str]) -> HttpResponse:
    try:
        header, *rows = crossing_rows(labels, crossing_of(study, _rules(request), labels))
    except CrossingRefused as refused:
        if refused.unknown:
            said = _("Unknown: %(unknown)s. At most %(labels)s labels and %(parts)s parts; labels are %(known)s.")
        else:
            said = _("Too many parts. At most %(labels)s labels and %(parts)s parts; labels are %(known)s.")
        told = {"unknown": refused.unknown, "known": refused.known, "labels": MOST_LABELS, "parts": f"{MOST_PARTS:,}"}
        return _refused(said % told)
    return csv_download(f"{study.slug}-results-by-{'-'.join(labels)}", header, rows)


def _refused(said: str) -> HttpResponse:
    return HttpResponse(said, status=UNPROCESSABLE, content_type="text/plain; charset=utf-8")


def _page(request: HttpRequest, study: Study) -> str:
    query = urlencode(_rules(request).as_arguments(), doseq=True)
    return f"{reverse('results', args=[study.slug])}{query and '?'}{query}"


def readable(request: AuthenticatedRequest, slug: str) -> Study:
    """Return a study whose figures may be seen, or raise 404."""
    study = own_study(request, slug)
    if not is_readable(study):
        raise Http404
    return study


def _corpus(request: HttpRequest, corpora: Sequence[str], *, is_answered: bool) -> str | None:
    """Return the corpus that the address names, or the only one; None for all. Raises Http404 for an unknown one."""
    corpus = request.GET.get("corpus") or (corpora[0] if len(corpora) == 1 else None)
    if corpus and corpus not in corpora and is_answered:
        raise Http404
    return corpus


def _unknown_rules(request: HttpRequest) -> str:
    """Return what to answer where the address switches a rule that there is not; "" where it does not."""
    for name, known in (("without", BY_DEFAULT), ("also", sorted(ON_REQUEST))):
        if unknown := sorted({*request.GET.getlist(name)} - {*known}):
            said = {"name": name, "unknown": ", ".join(unknown), "known": ", ".join(known)}
            return _("Unknown in %(name)s: %(unknown)s. Rules are %(known)s.") % said
    return ""


def _rules(request: HttpRequest) -> RuleSwitches:
    """Return the rules that the address switches; a form sends those that are on, marked by `chosen`."""
    query = request.GET
    if "chosen" in query:
        on = {*query.getlist("rule")}
        return RuleSwitches(without={*BY_DEFAULT} - on, also=ON_REQUEST & on)
    return RuleSwitches({*BY_DEFAULT} & {*query.getlist("without")}, ON_REQUEST & {*query.getlist("also")})
