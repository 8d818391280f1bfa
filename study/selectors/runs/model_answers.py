"""Predictions of models on the questions that people answered, and the difference of people and the best model."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from core.domain.text import timestamp
from study.domain.results.answer_table import Table
from study.domain.results.comparison import difference, model_figures
from study.domain.results.labels import ResultPart
from study.domain.results.metrics import METRICS, Ranked, ranked_by_scores
from study.domain.results.results import generator_for
from study.models import Prediction, Run, Study
from study.selectors.results.answered import StudyAnswers
from study.selectors.results.facts import QuestionFacts
from study.selectors.runs.runs import made_with


@dataclass(frozen=True)
class Model:
    """A run on the questions that people answered: its ranking of each in its condition, and its figures by corpus."""

    run: Run
    ranked: dict[str, Ranked]
    figures: list[dict[str, Any]]


def runs_beside(study: Study) -> QuerySet[Run]:
    """Return the runs that have ended and may predict the answer to a question of the study, whoever asked for them."""
    sets = study.question_sets.values("pk")
    asked = Q(study=study) | Q(question_set__in=sets) | Q(study__question_sets__in=sets)
    return Run.objects.counting().filter(asked, ended_at__isnull=False).distinct()


def models_of(study: Study, given: StudyAnswers, *, seed: int, draws: int) -> list[Model]:
    """Return the runs on the study's questions, the oldest first, over the questions that people answered."""
    answered = set(given.table.asked.occurring())
    asked = {pk: one for pk, one in given.questions.items() if one.key in answered and one.answer is not None}
    models = []
    predicted = Prediction.objects.filter(question__in=asked).values("run")
    for run in _without_repeats(runs_beside(study).filter(pk__in=predicted).order_by("pk")):
        rows = run.predictions.filter(question__in=asked).order_by("position").values_list("question", "scores")
        unread = {asked[pk].key for pk, scores in rows if not scores}
        ranked = {asked[pk].key: ranked_by_scores(scores, asked[pk].answer or 0) for pk, scores in rows if scores}
        corpora = [None, *sorted({one.corpus for one in asked.values()} - {""})]
        figures = [
            row
            for corpus in corpora
            for row in _model_rows(
                run, ranked, unread, _of_corpus(asked.values(), corpus), corpus, seed=seed, draws=draws
            )
        ]
        models.append(Model(run, ranked, figures))
    return models


def _without_repeats(runs: Iterable[Run]) -> Iterable[Run]:
    """Keep the newest of equal runs: equal model, material and seed give equal predictions.

    Models of one key that are made with other things stay apart, also where they predict alike.
    """
    return {
        (run.model, made_with(run), run.label, run.on, run.on_checksum, run.train, run.seed, run.checksum): run
        for run in runs
    }.values()


def _of_corpus(asked: Iterable[QuestionFacts], corpus: str | None) -> list[QuestionFacts]:
    return sorted(one for one in asked if corpus in (None, one.corpus))


def _model_rows(
    run: Run,
    ranked: dict[str, Ranked],
    unread: set[str],
    asked: list[QuestionFacts],
    corpus: str | None,
    *,
    seed: int,
    draws: int,
) -> list[dict[str, Any]]:
    """Return a model's figures. Questions without a prediction or an answer are counted as such, never as wrong."""
    predicted: dict[str, list[Ranked]] = {}
    for one in asked:
        if one.key in ranked:
            predicted.setdefault(one.whole, []).append(ranked[one.key])
    generator = generator_for(seed, "model", run.checksum, corpus or "")
    return [
        {
            **described(run),
            "on": run.on,
            "train": run.train or None,
            "ended_at": run.ended_at and timestamp(run.ended_at),
            "model_seed": run.seed,
            "corpus": corpus,
            "metric": figure.metric,
            "k": figure.k,
            "n": figure.n,
            "p": figure.p,
            "ci": figure.interval and list(figure.interval),
            "tied": sum(one.tied > 0 for answers in predicted.values() for one in answers),
            "without_prediction": len(asked) - sum(map(len, predicted.values())),
            "unread": sum(one.key in unread for one in asked),
            "shared_contexts": (run.metrics or {}).get("shared_contexts", 0),
        }
        for figure in model_figures([*predicted.values()], generator, draws)
    ]


def described(run: Run) -> dict[str, Any]:
    """Return what names a run in every row of figures."""
    return {"model": run.model, "made_with": made_with(run) or None, "label": run.label or None, "run": run.pk}


def differences_of(given: StudyAnswers, models: list[Model], *, seed: int, draws: int) -> list[dict[str, Any]]:
    """Return people minus the best model for R@1: by corpus and in all, each group and all groups."""
    table, rows = given.table, []
    value = table.values("R@1")
    for corpus in [None, *table.named("corpus")]:
        best = max(models, key=lambda model: _right(model, corpus), default=None)
        if best is None:
            continue
        code = {key: position for position, key in enumerate(table.asked.names)}
        worth = {code[key]: METRICS["R@1"](one) or 0.0 for key, one in best.ranked.items()}
        for part in _parts_of(table, corpus):
            group, inside = part.name("group"), table.of_part(part)
            found = difference(
                value[inside],
                table.people.codes[inside],
                table.asked.codes[inside],
                worth,
                generator_for(seed, "difference", best.run.checksum, corpus or "", group or ""),
                draws,
                wholes=table.questions.codes[inside],
            )
            if found:
                rows.append(
                    {
                        "corpus": corpus,
                        "group": group,
                        "metric": "R@1",
                        "model": best.run.model,
                        "run": best.run.pk,
                        "models": len(models),
                        "people_mean": found.of_people,
                        "model_mean": found.of_model,
                        "difference": found.mean,
                        "ci": found.interval and list(found.interval),
                        "questions": found.questions,
                        "people": found.people,
                    }
                )
    return rows


def differences_of_each(given: StudyAnswers, models: list[Model], *, seed: int, draws: int) -> list[dict[str, Any]]:
    """Return all people minus each model for R@1, by corpus and in all."""
    table, rows = given.table, []
    value = table.values("R@1")
    code = {key: position for position, key in enumerate(table.asked.names)}
    for corpus in [None, *table.named("corpus")]:
        inside = table.of_part(_all_of(corpus))
        for model in models:
            worth = {code[key]: METRICS["R@1"](one) or 0.0 for key, one in model.ranked.items()}
            found = difference(
                value[inside],
                table.people.codes[inside],
                table.asked.codes[inside],
                worth,
                generator_for(seed, "difference", model.run.checksum, corpus or "", ""),
                draws,
                wholes=table.questions.codes[inside],
            )
            if found:
                ends = found.interval and list(found.interval)
                rows.append({"corpus": corpus, "run": model.run.pk, "difference": found.mean, "ci": ends})
    return rows


def _all_of(corpus: str | None) -> ResultPart:
    return ResultPart.of({"corpus": corpus} if corpus else {})


def _parts_of(table: Table, corpus: str | None) -> list[ResultPart]:
    """Return all answers of a corpus, and those of each group."""
    of_groups = table.parts(("corpus", "group") if corpus else ("group",))
    return [_all_of(corpus), *(part for part in of_groups if part.name("corpus") == corpus)]


def _right(model: Model, corpus: str | None) -> float:
    of_corpus = (row for row in model.figures if row["corpus"] == corpus and row["metric"] == "R@1")
    return next((row["p"] for row in of_corpus if row["p"] is not None), -1.0)
