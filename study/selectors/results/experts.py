"""Figures of each expert of a study, and how far the experts agree."""

from collections import defaultdict
from statistics import median
from typing import Any

import numpy as np

from core.domain.statistics import MissingFigure
from study.domain.results.answer_table import Table
from study.domain.results.comparison import model_figures
from study.domain.results.experts import W_CLASSES, RankedQuestion, agreement_of
from study.domain.results.resamples import generator_for
from study.domain.survey.sittings import sittings_of
from study.models import Answer, Participant, QuestionPurpose, Study
from study.selectors.survey.experts import times_of


def experts_of(study: Study, table: Table, *, seed: int, draws: int) -> dict[str, Any] | None:
    """Return the figures of each expert whose answers count, and of their agreement; None where no one is signed in.

    An expert is called by their random id. Each figure's interval is over the questions alone: it is for this person.
    Agreement is over the questions that all of them answered.
    """
    if not study.survey.is_signed_in:
        return None
    keys = {int(key): key for key in table.people.occurring}  # of people without a label the key is a number
    people = list(study.participants.filter(pk__in=keys).order_by("pk"))
    times = times_of(people)
    each = [_expert(person, table, keys[person.pk], times[person.pk], seed, draws) for person in people]
    return {"each": each, **_agreement(study, people, seed, draws)}


def _expert(person: Participant, table: Table, key: str, times: list[Any], seed: int, draws: int) -> dict[str, Any]:
    answers = table.where(table.people.are(key))
    own = answers.in_whole_context
    ranked = [[own.ranked[number]] for number in own.ranking.tolist()]
    sittings, spent = sittings_of(times), [milliseconds for _at, milliseconds in times if milliseconds]
    return {
        "expert": str(person.public_id),
        "answers": len(answers),
        "sittings": len(sittings),
        "minutes": sum(each.minutes for each in sittings),
        "seconds_median": median(spent) / 1000 if spent else None,
        "figures": [
            {
                "metric": figure.metric,
                "k": figure.k,
                "n": figure.n,
                "p": figure.p,
                "ci": figure.interval and list(figure.interval),
            }
            for figure in model_figures(ranked, seed=seed, draws=draws)
        ],
    }


def _agreement(study: Study, people: list[Participant], seed: int, draws: int) -> dict[str, Any]:
    questions = _shared(people)
    missing = {"questions": len(questions), "kendall_w": None, "kendall_w_ci": None, "kendall_w_why": None}
    if len(people) < 2:
        return {**missing, "kendall_w_why": str(MissingFigure.ONE_PERSON)}
    if not questions:
        return {**missing, "kendall_w_why": str(MissingFigure.NO_OVERLAP)}

    def generator(*names: str) -> np.random.Generator:
        return generator_for(seed, "experts", *names)

    found = agreement_of(questions, generator, draws)
    ids = [str(person.public_id) for person in people]
    return {
        **missing,
        "kendall_w": found.w.value,
        "kendall_w_ci": found.w.interval and list(found.w.interval),
        "kendall_w_wrong": found.w_wrong.value,
        "kendall_w_wrong_ci": found.w_wrong.interval and list(found.w_wrong.interval),
        "by_w": [
            {"from": low, "to": high, "questions": count}
            for (low, high), count in zip(W_CLASSES, found.by_w, strict=True)
        ],
        "pairs": [
            {
                "experts": [ids[expert] for expert in pair.experts],
                "same_first": pair.same_first / len(questions),
                "same_first_ci": list(pair.same_first_interval),
                "rho": pair.rho.value,
                "rho_ci": pair.rho.interval and list(pair.rho.interval),
            }
            for pair in found.pairs
        ],
        "right": [{"experts": experts, "questions": count} for experts, count in found.right],
        "same_wrong": found.same_wrong,
    }


def _shared(people: list[Participant]) -> list[RankedQuestion]:
    """Return the questions that all these people answered, in the order of their keys."""
    facts, rankings = {}, defaultdict[int, dict[int, tuple[int, ...]]](dict)
    answers = Answer.objects.filter(
        presentation__participant__in=people, presentation__question__purpose=QuestionPurpose.WORK
    ).order_by()
    fields = ("presentation__question", "presentation__participant", "ranking")
    about = ("presentation__question__candidates_count", "presentation__question__answer")
    for question, person, ranking, candidates, answer in answers.values_list(*fields, *about).iterator():
        rankings[question][person] = tuple(ranking)
        facts[question] = candidates, answer
    shared = sorted(question for question, given in rankings.items() if len(given) == len(people))
    return [
        RankedQuestion(tuple(rankings[question][person.pk] for person in people), *facts[question])
        for question in shared
    ]
