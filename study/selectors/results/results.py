"""Figures of a study: people's answers as cells, models on the same questions, and the differences."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext

from core.domain.statistics import DRAWS, coverage, wald
from core.domain.text import digest
from core.models.snapshot import consistent_read
from core.selectors.fingerprints import newest_event_of, of_the_program
from study.domain.results.exclusions import RULES, RuleSwitches
from study.domain.results.labels import WHOLE
from study.domain.results.resamples import Resamples
from study.domain.results.results import cells_of
from study.domain.survey.behaviour import SIGNS
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Answer, Exclusion, LateAnswer, Presentation, QuestionPurpose, Study
from study.selectors.results.answered import GivenAnswers, StudyAnswers, answers_given
from study.selectors.results.cells import REASONS, cell_as_json, cell_in_words
from study.selectors.results.experts import experts_of
from study.selectors.results.looks import looks_of
from study.selectors.results.published import published_beside
from study.selectors.results.rules import every_rule, rules_of
from study.selectors.runs.model_answers import differences_of, differences_of_each, models_of, runs_beside
from study.selectors.runs.model_conditions import models_in_conditions

RUN_OUT = (ParticipantState.ANSWERING, ParticipantState.TIMED_OUT, ParticipantState.TOO_FEW_ANSWERS)  # late ones come
LARGE = 20_000  # questions shown: about half a second


def is_readable(study: Study) -> bool:
    """Return whether figures may be seen: not while the study is open."""
    return study.state != StudyState.OPEN


def results_of(
    study: Study, *, without: Collection[str] = (), also: Collection[str] = (), seed: int = 0, draws: int = DRAWS
) -> dict[str, Any]:
    """Return the object that `results --json` prints: shares are from 0 to 1, a missing figure is null.

    A missing figure or interval comes with its reason.
    """
    with consistent_read():
        figures = figures_of(study, RuleSwitches(without, also), seed=seed, draws=draws)
    return in_words(study, figures)


def figures_of(
    study: Study,
    rules: RuleSwitches,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    report: Callable[[int, int], None] = lambda done, total: None,
    of_all: GivenAnswers | None = None,
) -> dict[str, Any]:
    """Return the results with codes for texts, for `in_words` to say in the language of the page.

    Rules in `without` do not apply; those in `also`, which are of no plan, do. `of_all` are the study's answers where
    they have been read.
    """
    of_all = of_all or answers_given(study)
    applied = rules.applied(of_all.rules)
    given = of_all.under(applied)
    table, resample = given.table, Resamples(given.table, seed, draws)
    models = models_of(study, given, draws=draws)
    return {
        "people": len(table.people.occurring),
        "questions": len(table.questions.occurring),
        "answers": len(table),
        "still_answering": of_all.still_answering,
        "first_choice_only": table.count(lambda ranked: ranked.depth == 1),
        "unanswered": given.unanswered,
        "without_key": given.without_key,
        "tied": table.count(lambda ranked: ranked.tied > 0),
        "candidates": _candidates(given),
        "condition": WHOLE if table.has_changed_contexts else None,
        "rules": rules_of(of_all, applied),
        "signs": _signs(study, of_all),
        "cells": [
            cell_as_json(cell, study.survey.star_below) for cell in cells_of(table, resample=resample, report=report)
        ],
        "models": [figure for model in models for figure in model.figures],
        "differences": differences_of(given, models, resample),
        "experts": experts_of(study, table, seed=seed, draws=draws),
        "models_in_conditions": models_in_conditions(given, models, draws=draws),
        "looks": looks_of(table),
        "every_rule": every_rule(of_all),
        "seed": seed,
        "bootstrap": draws,
    }


def people_minus_models(study: Study, *, seed: int = 0, draws: int = DRAWS) -> list[dict[str, Any]]:
    """Return the difference of people and each model over the questions that both answered, by corpus and in all."""
    of_all = answers_given(study)
    given = of_all.under(of_all.by_default)
    return differences_of_each(given, models_of(study, given, draws=draws), Resamples(given.table, seed, draws))


def in_words(study: Study, figures: dict[str, Any]) -> dict[str, Any]:
    """Return the results with names and reasons in the language in force."""
    rules = [_named_rule(row["rule"], row) for row in figures["rules"]]
    experts = figures.get("experts")  # what an earlier version stored has none
    if experts and experts["kendall_w_why"]:
        experts = {**experts, "kendall_w_why": str(REASONS[experts["kendall_w_why"]])}
    own = {
        "rules": rules,
        "cells": [cell_in_words(cell) for cell in figures["cells"]],
        "experts": experts,
        "looks": [cell_in_words(cell) for cell in figures["looks"]],
        "every_rule": {
            **figures["every_rule"],
            "sets": [
                {**one, "cells": [cell_in_words(cell) for cell in one["cells"]]}
                for one in figures["every_rule"]["sets"]
            ],
        },
    }
    beside = {"published": published_beside(study, figures["candidates"])}
    return {"study": study.slug, "title": study.title, **figures, **own, **beside}


def _named_rule(name: str, row: dict[str, Any]) -> dict[str, Any]:
    return {"rule": name, "title": gettext(RULES[name]) % {"n": row["threshold"]}, **row}


def fingerprint(study: Study) -> str:
    """Return a text that changes with every fact that the results depend on, as one of the program is.

    Answers have no events. What people answered counts once their time is over: after that only late answers come, of
    which all are named here. States only go forward, so equal numbers of people in each are the same people in the
    same states. A person whose time ran out a moment ago may have an answer that is still on its way.
    """
    states = sorted(study.participants.order_by().values_list("state").annotate(Count("pk")))
    overdue = sorted(person.pk for person in study.participants.all().overdue())
    run_out = study.participants.filter(state__in=RUN_OUT).values("pk")
    late = LateAnswer.objects.filter(presentation__participant__in=run_out).order_by("pk")
    arriving = Answer.objects.filter(presentation__participant__in=overdue).order_by("pk")
    seen = Presentation.objects.filter(
        question__in=study.own_questions.filter(purpose=QuestionPurpose.CHECK), shown_at__isnull=False
    )
    facts: list[Any] = [
        of_the_program(),
        *(study.state, study.settings, newest_event_of("study", study.pk)),
        *(states, overdue, seen.count()),
        *(list(given.values_list("pk", "answered_at")) for given in (late, arriving)),
        sorted(runs_beside(study).values_list("pk", flat=True)),
        sorted(study.groups.values_list("pk", "name")),
        sorted(study.decisions.values_list("question", "decision")),
        sorted(Exclusion.objects.filter(participant__study=study).values_list("pk", flat=True)),
    ]
    return digest(*map(str, facts))


def is_large(study: Study) -> bool:
    """Return whether the results take too long for a page."""
    shown = Presentation.objects.filter(participant__study=study).order_by()
    return shown[:LARGE].count() == LARGE


def people_withdrawn(study: Study) -> int:
    return study.participants.filter(state=ParticipantState.WITHDRAWN).count()


def wald_coverage(cell: dict[str, Any]) -> float:
    """Return the coverage of the study's interval at a cell's p and n, if answers were independent."""
    return coverage(wald, cell["p"], cell["n"])


def _candidates(given: StudyAnswers) -> list[dict[str, Any]]:
    """Return how many candidates the questions have, in all and by corpus: null where it varies or is unknown.

    Where it varies `fewest` and `most` say between what. Where it is `guessed` there may be more.
    """
    sizes: dict[str | None, set[int]] = defaultdict(set)
    guessed: set[str | None] = set()
    answered = set(given.table.asked.occurring)
    for asked in given.questions.values():
        if asked.key in answered:
            sizes[None].add(asked.candidates)
            sizes[asked.corpus].add(asked.candidates)
            if asked.is_guessed:
                guessed |= {None, asked.corpus}
    return [
        {
            "corpus": corpus,
            "candidates": next(iter(found)) or None if len(found) == 1 else None,
            "fewest": min(found) or None,
            "most": max(found) or None,
            "guessed": corpus in guessed,
        }
        for corpus, found in sizes.items()
        if corpus != ""
    ]


def _signs(study: Study, of_all: GivenAnswers) -> dict[str, int] | None:
    """Return for how many people the behaviour log has each sign; None of a study without a log."""
    if study.is_imported or not study.notes_behaviour:
        return None
    counting = set(of_all.keys.tolist())
    found = Counter(sign for person, signs in of_all.signs.items() if person in counting for sign in signs)
    return {sign: found[sign] for sign in SIGNS}
