"""Models beside the people of a study, and the start of several at once."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download, latex_download
from core.presenters.stored_figures import look_at, state_of
from core.views.jobs import answer_of_progress
from study.actions.results import COMPARISONS, MODELS_BESIDE, RESULTS
from study.actions.runs import baselines as actions
from study.baselines.registry import BASELINES
from study.forms.runs import SentOnceForm, key_of
from study.permissions import own_study
from study.presenters.results.finding import awaits_contrast, finding_of
from study.presenters.results.results import Results, candidates_of, chance_of, corpora_of
from study.presenters.runs.models_files import BESIDE_METRICS, beside_csv, beside_latex
from study.presenters.runs.study_models import BesideRow, model_rows, not_run_yet, people_rows
from study.selectors.results.results import in_words, is_readable
from study.selectors.runs.estimates import RunSize
from study.selectors.runs.runs import models_waiting, runs_to_open
from study.selectors.runs.sources import every_source, usual_dev, usual_training
from study.views.runs.start import hand_over, in_the_queue


@requires("study.view")
@require_safe
def study_models(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if not is_readable(study):
        return render(request, "study/runs/not_yet.html", {"study": study})
    looks = look_at(request, RESULTS, study, {"without": []}), look_at(request, MODELS_BESIDE, study)
    for look in looks:
        if answer := answer_of_progress(request, look, study, _("Models on the same questions")):
            return answer
    results, differences = in_words(study, looks[0].content), looks[1].content
    compared = look_at(request, COMPARISONS, study).content
    corpora, corpus = corpora_of(results), _corpus(request, results)
    counts = {source.name: source.count for source in every_source(request.user)}
    train = usual_training(study.slug, by=request.user)
    size = RunSize(counts.get(train, 0), counts.get(study.slug, 0), candidates_of(results, corpus) or 0)
    chances = [chance_of(results, corpus, metric) for metric in BESIDE_METRICS]
    models = model_rows(results, differences, corpus)
    context = {
        "study": study,
        "results": results,
        "corpora": corpora,
        "corpus": corpus,
        "file_query": urlencode({"corpus": corpus}) if corpus else "",
        "candidates": candidates_of(results, corpus),
        "finding": finding_of(results, corpus, compared),
        "awaits_contrast": awaits_contrast(study, compared),
        "metrics": list(zip(BESIDE_METRICS, chances, strict=True)),
        "form": SentOnceForm(),
        "people": people_rows(results, corpus),
        "models": models,
        "runs_to_open": runs_to_open([each.row.run for each in models if each.row.run], by=request.user),
        "later": [] if study.is_imported else not_run_yet(results, size, counts, models_waiting(study)),
        **state_of(request, looks[0], study),
    }
    return render(request, "study/runs/study_models.html", context)


@requires("study.view")
@require_safe
def study_models_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    shown = _shown(request, slug)
    if shown is None:
        return redirect("study_models", slug)
    _corpus_shown, people, models = shown
    return csv_download(f"{slug}-models", *beside_csv(people, models))


@requires("study.view")
@require_safe
def study_models_latex(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    shown = _shown(request, slug)
    return latex_download(f"{slug}-models", beside_latex(slug, *shown)) if shown else redirect("study_models", slug)


def _shown(request: AuthenticatedRequest, slug: str) -> tuple[str | None, list[BesideRow], list[BesideRow]] | None:
    """Return the corpus of the page, and the rows of people and of models; None while figures are being computed."""
    study = own_study(request, slug)
    if not is_readable(study):
        raise Http404
    looks = look_at(request, RESULTS, study, {"without": []}), look_at(request, MODELS_BESIDE, study)
    if not all(look.is_there for look in looks):
        return None
    results = in_words(study, looks[0].content)
    corpus = _corpus(request, results)
    return corpus, people_rows(results, corpus), model_rows(results, looks[1].content, corpus)


def _corpus(request: AuthenticatedRequest, results: Results) -> str | None:
    """Return the corpus that the address names, or the only one; None: all questions."""
    corpora = corpora_of(results)
    corpus = request.GET.get("corpus") or (corpora[0] if len(corpora) == 1 else None)
    if corpus and corpus not in corpora:
        raise Http404
    return corpus


@requires("run.start")
@require_POST
def run_models(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Start a run of each model that the form names, with its usual material."""
    study = own_study(request, slug)
    train = usual_training(study.slug, by=request.user)
    dev = usual_dev(study.slug, train, by=request.user) if train else ""
    keys = [key for key in dict.fromkeys(request.POST.getlist("model")) if key in BASELINES]
    try:
        runs = actions.ask_for_models(
            models=keys, key=key_of(request.POST), on=study.slug, train=train, dev=dev, by=request.user
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("study_models", study.slug)
    if waiting := hand_over(runs):
        messages.success(request, in_the_queue(waiting))
    return redirect("study_models", study.slug)
