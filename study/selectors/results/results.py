"""Figures of a study: people's answers as cells, models on the same questions, and the differences."""

from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from core.domain.statistics import DRAWS, INDEPENDENT, Interval, MissingFigure, coverage, wald
from core.domain.text import digest
from core.models.snapshot import consistent_read
from study.domain.results.results import RULES, ResultCell, Table, cells_of
from study.domain.survey.phases import StudyState
from study.models import Answer, LateAnswer, Study
from study.selectors.results.answered import StudyAnswers, answers_in
from study.selectors.runs.model_answers import differences_of, models_of, runs_on

REASONS: dict[MissingFigure, str | Promise] = {
    MissingFigure.NO_ANSWERS: _("There is no answer yet."),
    MissingFigure.ONE_PERSON: _("One person tells nothing about how much people differ."),
    MissingFigure.ONE_QUESTION: _("One question tells nothing about how much questions differ."),
}
NOT_IDENTIFIED = _("The choices given do not tell it: it needs rankings that go further.")


def is_readable(study: Study) -> bool:
    """Return whether figures may be seen: not while the study is open."""
    return study.state != StudyState.OPEN


def results_of(study: Study, *, without: Collection[str] = (), seed: int = 0, draws: int = DRAWS) -> dict[str, Any]:
    """Return the object that `results --json` prints: shares are from 0 to 1, a missing figure is null.

    A missing figure or interval comes with its reason.
    """
    with consistent_read():
        given = answers_in(study, without)
        models = models_of(study, given, seed=seed, draws=draws)
        rules = [_rule(study, name, without, given) for name in RULES]
    cells = cells_of(given.table, seed=seed, draws=draws)
    return {
        "study": study.slug,
        "title": study.title,
        "people": len({row.person for row in given.answers}),
        "questions": len({row.question for row in given.answers}),
        "answers": len(given.answers),
        "still_answering": given.still_answering,
        "first_choice_only": sum(row.ranked.depth == 1 for row in given.answers),
        "unanswered": given.unanswered,
        "without_key": given.without_key,
        "tied": sum(row.ranked.tied > 0 for row in given.answers),
        "candidates": _candidates(given),
        "rules": rules,
        "cells": [cell_as_json(cell) for cell in cells],
        "models": [figure for model in models for figure in model.figures],
        "differences": differences_of(given, models, seed=seed, draws=draws),
        "seed": seed,
        "bootstrap": draws,
    }


def fingerprint(study: Study) -> str:
    """Return a text that changes with every answer and run that the results depend on."""
    of_study = Answer.objects.filter(presentation__participant__study=study)
    newest = of_study.aggregate(newest=Max("answered_at"), last=Max("pk"))
    late = LateAnswer.objects.filter(presentation__participant__study=study).aggregate(Count("pk"), Max("answered_at"))
    states = sorted(Counter(study.participants.values_list("state", flat=True)).items())
    runs = sorted(runs_on(study).values_list("pk", flat=True))
    still = study.participants.still_answering().count()  # time can run out without a change of a row
    return f"{study.pk} {study.state} {of_study.count()} {newest} {late} {states} {still} {runs}"


def cell_as_json(cell: ResultCell) -> dict[str, Any]:
    """Return a cell with the keys of COMMANDS, and how many answers do not identify the metric."""
    found, why = cell.found, cell.headline.why
    sentence = NOT_IDENTIFIED if why == MissingFigure.NO_ANSWERS and cell.left_out else why and REASONS[why]
    return {
        **vars(cell.part),
        "type": None,
        "metric": cell.metric,
        "estimator": "pooled k/n" if cell.is_share else "mean over answers",
        "k": cell.k,
        "n": cell.n,
        "p": cell.p,
        "people_mean": found and found.people_mean,
        "people_ci": _ends(found.people_interval() if found else None),
        "people": found.people if found else 0,
        "questions": found.items if found else 0,
        "icc": found and found.icc,
        "design_effect": found and found.design_effect,
        "n_eff": found and found.n_eff,
        "headline": _ends(cell.headline.interval),
        "headline_why": str(sentence) if sentence else None,
        "flag": "no variance" if cell.headline.is_without_variance else None,
        "bootstrap": _ends(cell.bootstrap),
        "starred": cell.starred,
        **{method: _ends(cell.independent(method)) for method in INDEPENDENT},
        "left_out": cell.left_out,
    }


def wald_coverage(cell: dict[str, Any]) -> float:
    """Return the coverage of the study's interval at a cell's p and n, if answers were independent."""
    return coverage(wald, cell["p"], cell["n"])


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _candidates(given: StudyAnswers) -> list[dict[str, Any]]:
    """Return how many candidates the questions have, in all and by corpus; null where it varies or is unknown."""
    sizes: dict[str | None, set[int]] = defaultdict(set)
    answered = {row.question for row in given.answers}
    for asked in given.questions.values():
        if asked.key in answered:
            sizes[None].add(asked.candidates)
            sizes[asked.corpus].add(asked.candidates)
    return [
        {"corpus": corpus, "candidates": next(iter(found)) or None if len(found) == 1 else None}
        for corpus, found in sizes.items()
        if corpus != ""
    ]


def _rule(study: Study, name: str, without: Collection[str], given: StudyAnswers) -> dict[str, Any]:
    """Return a rule, how many people it excludes, and R@1 of all answers with and without it, other rules unchanged."""
    is_applied = name not in without
    people = given.excluded[name]
    now = _mean_right(given.table)
    other = now
    if people:
        toggled = {*without, name} if is_applied else set(without) - {name}
        other = _mean_right(answers_in(study, toggled).table)
    return {
        "rule": name,
        "title": gettext(RULES[name]),
        "applied": is_applied,
        "people": people,
        "with": now if is_applied else other,
        "without": other if is_applied else now,
    }


def _mean_right(table: Table) -> float | None:
    values = table.values["R@1"]
    return float(values.mean()) if len(values) else None


def standing_results(study: Study, *, without: Collection[str] = ()) -> dict[str, Any]:
    """Return the results from the cache; they are computed once a language until an answer or a run is new."""
    names = [fingerprint(study), *sorted(without), get_language() or ""]
    key = f"results-{digest(*names)}"
    standing: dict[str, Any] | None = cache.get(key)
    if standing is None:
        standing = results_of(study, without=without)
        cache.set(key, standing)
    return standing
