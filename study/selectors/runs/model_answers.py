"""Predictions of models on the questions that people answered, and the difference of people and the best model."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from core.domain.statistics import Resample
from core.domain.text import digest, timestamp
from core.models.people import Role
from core.selectors.fingerprints import of_the_program
from study.baselines.base import RankingInstance
from study.baselines.evaluate import worst_scores
from study.domain.results.answer_table import Table
from study.domain.results.comparison import difference, model_figures
from study.domain.results.labels import ResultPart
from study.domain.results.metrics import METRICS, Ranked, ranked_by_scores
from study.models import Question, Run, Study
from study.models.runs import RunQuerySet
from study.selectors.results.answered import StudyAnswers
from study.selectors.results.facts import QuestionFacts
from study.selectors.runs.predicted import predicted, runs_that_predict
from study.selectors.runs.runs import made_with
from study.selectors.runs.sources import instance_of
from study.selectors.survey.plans import counting_questions

CHUNK = 2_000


@dataclass(frozen=True)
class Model:
    """A run on the questions that people answered: its ranking of each, and its figures by corpus.

    Both are of the whole context where other contexts were asked too; `in_conditions` has the rankings in each.
    """

    run: Run
    ranked: dict[str, Ranked]
    figures: list[dict[str, Any]]
    in_conditions: dict[str, Ranked]


def runs_beside(study: Study) -> RunQuerySet:
    """Return the runs that have ended and may predict the answer to a question of the study.

    They are those on its questions, no matter who asked for them, and all that its members asked for.
    """
    return _runs_on(study) | _runs_elsewhere(study)


def _runs_on(study: Study) -> RunQuerySet:
    sets = study.question_sets.values("pk")
    studies = Study.objects.filter(question_sets__in=sets).values("pk")
    asked = Q(study=study) | Q(question_set__in=sets) | Q(study__in=studies)
    return Run.objects.counting().filter(asked, ended_at__isnull=False)


def _runs_elsewhere(study: Study) -> RunQuerySet:
    members = study.memberships.filter(role=Role.RESEARCHER).values("person")
    return Run.objects.counting().filter(created_by__in=members, ended_at__isnull=False)


def runs_predicting(study: Study, instances: Sequence[RankingInstance]) -> list[Run]:
    """Return the runs beside a study that predict one of these questions at least, the oldest first.

    Of equal runs it is the newest. One on other material counts where no run on the study's questions is like it.
    """
    own = {_told_by(run): run for run in runs_that_predict(_runs_on(study), instances)}
    likes = {_likeness(run) for run in own.values()}
    others = (run for run in runs_that_predict(_runs_elsewhere(study), instances) if _likeness(run) not in likes)
    return sorted([*own.values(), *{_told_by(run): run for run in others}.values()], key=lambda run: run.pk)


def models_beside(study: Study) -> int:
    """Return how many models predict the answer to a question of the study."""
    asked = counting_questions(study).filter(answer__isnull=False).values_list("pk", flat=True)
    return number_of_models(runs_predicting(study, [*instances_at(asked).values()]))


def number_of_models(runs: Iterable[Run]) -> int:
    """Return how many models these are runs of: with other seeds or training a model is the same one."""
    return len({(run.model, made_with(run), run.label) for run in runs})


def fingerprint_of_models(study: Study) -> str:
    """Return a text that changes with every fact that the number of models depends on. Questions stay as they are."""
    questions = counting_questions(study).aggregate(Count("pk"), Sum("pk"))
    return digest(of_the_program(), str(questions), str(sorted(runs_beside(study).values_list("pk", "label"))))


def _told_by(run: Run) -> tuple[Any, ...]:
    """Return what equal runs have in common: equal model, material and seed give equal predictions."""
    return *_likeness(run), run.on, run.on_checksum, run.checksum


def _likeness(run: Run) -> tuple[Any, ...]:
    """Return what tells a model from others, whatever it was asked about.

    Models of one key that are made with other things stay apart, also where they predict alike.
    """
    return run.model, made_with(run), run.label, run.train, run.seed


def models_of(study: Study, given: StudyAnswers, *, draws: int) -> list[Model]:
    """Return the runs on the study's questions, the oldest first, over the questions that people answered.

    Where a model gave no readable reply, its ranking is as wrong as can be, as in the figures of its run.
    """
    answered = set(given.table.asked.occurring)
    asked = {pk: one for pk, one in given.questions.items() if one.key in answered and one.answer is not None}
    instances = instances_at(asked)
    in_figures = set(given.table.in_whole_context.asked.occurring)
    counted = [one for one in asked.values() if one.key in in_figures]
    models = []
    for run in runs_predicting(study, [*instances.values()]):
        scored = dict(zip(instances, predicted(run, [*instances.values()]), strict=True))
        unread = {asked[pk].key for pk, scores in scored.items() if scores == []}
        in_conditions = {
            asked[pk].key: ranked_by_scores(scores or worst_scores(instances[pk]), asked[pk].answer or 0)
            for pk, scores in scored.items()
            if scores is not None
        }
        ranked = {key: one for key, one in in_conditions.items() if key in in_figures}
        corpora = [None, *sorted({one.corpus for one in counted} - {""})]
        figures = [
            row
            for corpus in corpora
            for row in _model_rows(run, ranked, unread, _of_corpus(counted, corpus), corpus, draws=draws)
        ]
        models.append(Model(run, ranked, figures, in_conditions))
    return models


def instances_at(questions: Collection[int]) -> dict[int, RankingInstance]:
    """Return the questions with these keys as models are asked them, by key."""
    found = Question.objects.filter(pk__in=questions).order_by("pk").iterator(chunk_size=CHUNK)
    return {question.pk: instance_of(question, question.external_id) for question in found}


def _of_corpus(asked: Iterable[QuestionFacts], corpus: str | None) -> list[QuestionFacts]:
    return sorted(one for one in asked if corpus in (None, one.corpus))


def _model_rows(
    run: Run,
    ranked: dict[str, Ranked],
    unread: set[str],
    asked: list[QuestionFacts],
    corpus: str | None,
    *,
    draws: int,
) -> list[dict[str, Any]]:
    """Return a model's figures. Questions without a prediction are counted as such, never as wrong."""
    predicted: dict[str, list[Ranked]] = {}
    for one in asked:
        if one.key in ranked:
            predicted.setdefault(one.whole, []).append(ranked[one.key])
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
        for figure in model_figures([*predicted.values()], seed=run.seed, draws=draws)
    ]


def described(run: Run) -> dict[str, Any]:
    """Return what names a run in every row of figures."""
    return {"model": run.model, "made_with": made_with(run) or None, "label": run.label or None, "run": run.pk}


def differences_of(given: StudyAnswers, models: list[Model], resample: Resample) -> list[dict[str, Any]]:
    """Return people minus the best model for R@1: by corpus and in all, each group and all groups.

    The best is one of those that were asked all questions, if any was: else a lucky one of few would be ahead.
    """
    table, rows = given.table, []
    value = table.values("R@1")
    for corpus in [None, *table.named("corpus")]:
        whole = [model for model in models if _is_asked_all(model, corpus)] or models
        best = max(whole, key=lambda model: _right(model, corpus), default=None)
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
                resample,
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
                        "models": number_of_models(model.run for model in whole),
                        "people_mean": found.of_people,
                        "model_mean": found.of_model,
                        "difference": found.mean,
                        "ci": found.interval and list(found.interval),
                        "questions": found.questions,
                        "people": found.people,
                    }
                )
    return rows


def differences_of_each(given: StudyAnswers, models: list[Model], resample: Resample) -> list[dict[str, Any]]:
    """Return all people minus each model for R@1, by corpus and in all."""
    table, rows = given.table, []
    value = table.values("R@1")
    code = {key: position for position, key in enumerate(table.asked.names)}
    for corpus in [None, *table.named("corpus")]:
        part = _all_of(corpus)
        inside = table.of_part(part)
        for model in models:
            worth = {code[key]: METRICS["R@1"](one) or 0.0 for key, one in model.ranked.items()}
            found = difference(
                value[inside],
                table.people.codes[inside],
                table.asked.codes[inside],
                worth,
                resample,
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


def _is_asked_all(model: Model, corpus: str | None) -> bool:
    return not any(row["without_prediction"] for row in _recall(model, corpus))


def _right(model: Model, corpus: str | None) -> float:
    return next((row["p"] for row in _recall(model, corpus) if row["p"] is not None), -1.0)


def _recall(model: Model, corpus: str | None) -> list[dict[str, Any]]:
    return [row for row in model.figures if row["corpus"] == corpus and row["metric"] == "R@1"]
