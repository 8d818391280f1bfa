"""Runs of models, to list and to read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from core.domain.batches import batched
from core.domain.transitions import JobState
from core.models.people import User
from study.baselines.base import RankingInstance
from study.baselines.evaluate import best_first
from study.baselines.registry import BASELINES
from study.models import Prediction, Run, Study
from study.permissions import runs_of
from study.selectors.runs.sources import NoSuchSource, Source, source_of

SHOWN = 100  # runs on one page
PER_PAGE = 10  # predictions on one page: each is a context with its candidates
CHUNK = 500

OUTCOMES: dict[str, Q] = {
    "right": Q(better=0, tied=0),
    "tied": Q(tied__gt=0),
    "wrong": Q(better__gt=0, tied=0) & ~Q(scores=[]),
    "unanswered": Q(scores=[]),
}


@dataclass(frozen=True)
class Target:
    """The runs on one source, the newest first."""

    name: str
    runs: list[Run]


@dataclass(frozen=True)
class InstancePrediction:
    """A prediction with its instance, or without one where its texts are not available."""

    prediction: Prediction
    instance: RankingInstance | None
    ranking: list["Ranking"]

    @property
    def outcome(self) -> str:
        """Key of OUTCOMES; "" where the true response is unknown."""
        if self.prediction.better is None:
            return ""
        if not self.prediction.scores:
            return "unanswered"
        return "tied" if self.prediction.tied else "wrong" if self.prediction.better else "right"


@dataclass(frozen=True)
class Ranking:
    """A candidate, numbered from 0 in its instance's own order. `is_true` and `grade` are None where unknown.

    `score` is None where the model gave no answer.
    """

    number: int
    score: float | None
    text: str
    is_true: bool | None
    grade: float | None


def is_rated(run: Run) -> bool:
    """Tell whether the run has figures at cuts: people graded its candidates."""
    return "cuts" in (run.metrics or {})


def state_of(run: Run) -> JobState:
    """Return the state of a run. One without a job came from a command, which stores only complete runs."""
    return JobState.DONE if run.job is None or run.ended_at else JobState(run.job.state)


def command_of(run: Run) -> list[str]:
    """Return the command that makes the same run, word by word."""
    sources = ((f"--{name}", getattr(run, name)) for name in ("train", "dev"))
    given = (("--set", f"{name}={value}") for name, value in settings_given(run).items())
    options = [word for option in (*sources, *given) if option[1] for word in option]
    ablations = ["--ablate", *run.ablations] if run.ablations else []
    device = [] if run.device == "auto" else ["--device", run.device]
    weights = ["--weights", run.weights] if run.weights else []
    chosen = [*options, *weights, *ablations, *device]
    return ["run_baseline", run.model, "--on", run.on, *chosen, "--seed", str(run.seed)]


def settings_given(run: Run) -> dict[str, Any]:
    """Return the run's settings that are not the model's defaults."""
    declared = BASELINES[run.model].declares if run.model in BASELINES else ()
    defaults = {setting.name: setting.default for setting in declared}
    return {name: value for name, value in run.settings.items() if value != defaults.get(name)}


def runs_by_target(person: User, *, study: Study | None = None) -> list[Target]:
    """Return the newest runs that a person may see, in all or of one study; the target with the newest run first."""
    runs = runs_of(person).select_related("job", "created_by").defer("settings")
    if study is not None:
        runs = runs.filter(Q(study=study) | Q(question_set__in=study.question_sets.values("pk")))
    newest = list(runs.order_by("-created_at", "-pk")[:SHOWN])
    indices = {name: index for index, name in reversed([*enumerate(run.on for run in newest)])}
    ordered = sorted(newest, key=lambda run: indices[run.on])
    return [Target(name, list(group)) for name, group in groupby(ordered, key=lambda run: run.on)]


def predictions_of(run: Run, *, outcome: str = "") -> QuerySet[Prediction]:
    """Return predictions in the order of the instances; those with one outcome (a key of OUTCOMES), or all."""
    return run.predictions.filter(OUTCOMES.get(outcome, Q())).order_by("position")


def page_of(run: Run, *, outcome: str, number: str, by: User) -> tuple[Page[Prediction], list[InstancePrediction]]:
    page = Paginator(predictions_of(run, outcome=outcome), PER_PAGE).get_page(number)
    return page, list(with_instances(page, source_behind(run, by=by)))


def source_behind(run: Run, *, by: User) -> Source | None:
    """Return the run's source, if the person may read it and it has not changed; else None."""
    try:
        source = source_of(run.on, by=by)
    except NoSuchSource:
        return None
    return source if source.checksum == run.on_checksum else None


def with_instances(predictions: Iterable[Prediction], source: Source | None) -> Iterator[InstancePrediction]:
    for chunk in batched(predictions, CHUNK):
        instances = source.instances_named({each.external_id for each in chunk}) if source else {}
        for prediction in chunk:
            instance = instances.get(prediction.external_id)
            yield InstancePrediction(prediction, instance, _rankings(instance, prediction.scores))


def _rankings(instance: RankingInstance | None, scores: list[float]) -> list[Ranking]:
    """Return the candidates, the best first; in their own order where the model gave no answer."""
    if not scores and instance is not None:
        return [_ranking(instance, number, None) for number in range(len(instance.candidates))]
    return [_ranking(instance, number, scores[number]) for number in best_first(scores)]


def _ranking(instance: RankingInstance | None, number: int, score: float | None) -> Ranking:
    if instance is None:
        return Ranking(number, score, "", None, None)
    is_true = None if instance.answer is None else number == instance.answer
    return Ranking(
        number, score, instance.candidates[number], is_true, instance.grades[number] if instance.grades else None
    )


def rows_of(run: Run, *, by: User) -> Iterator[list[Any]]:
    """Yield a row for each candidate: id, number from 1, score, whether it is the true one or its grade, text."""
    predictions = predictions_of(run).iterator(chunk_size=CHUNK)
    for shown in with_instances(predictions, source_behind(run, by=by)):
        for each in sorted(shown.ranking, key=lambda ranking: ranking.number):
            is_true = "" if each.is_true is None else int(each.is_true)
            known = is_true if each.grade is None else each.grade
            score = "" if each.score is None else each.score
            yield [shown.prediction.external_id, each.number + 1, score, known, each.text]
