"""Runs of models, to list and to read."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet

from core.domain.batches import batched
from core.domain.sorting import Sorting
from core.domain.transitions import UNDER_WAY, JobState
from core.models.people import User
from core.selectors.sorting import in_direction
from study.baselines.base import RankingInstance, Requirement
from study.baselines.evaluate import best_first
from study.baselines.registry import BASELINES
from study.models import Prediction, Run, Study
from study.permissions import runs_of
from study.selectors.runs.sources import NoSuchSource, Source, source_of

SHOWN = 100  # runs on one page
PER_PAGE = 10  # predictions on one page: each is a context with its candidates
CHUNK = 500

WHOLE = Q(condition="")  # predictions that figures are over
IN_THE_QUEUE = Q(job__state__in=UNDER_WAY)
OUTCOMES: dict[str, Q] = {
    "right": Q(better=0, tied=0),
    "tied": Q(tied__gt=0),
    "wrong": Q(better__gt=0, tied=0) & ~Q(scores=[]),
    "unanswered": Q(scores=[]),
}


@dataclass(frozen=True)
class Target:
    """The runs on one source, in the order of their list."""

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
    return "cuts" in run.figures


def made_with(run: Run) -> str:
    """Return what tells a run from others of its model: the folder of its weights, or what its server calls the model.

    "" for a model that is the same in every run.
    """
    if run.weights:
        return Path(run.weights).name or run.weights
    asks = run.model in BASELINES and Requirement.SERVER in BASELINES[run.model].needs
    return str(run.settings.get("model") or "") if asks else ""


def size_of(run: Run) -> int:
    """Return how many instances with a known answer, or rated prompts, the figures of a run are over."""
    return int(run.figures.get("prompts" if is_rated(run) else "n", 0))


def unread_of(run: Run) -> int:
    """Return how many of these count as wrong because no reply to them can be read."""
    if not run.figures.get("unanswered"):
        return 0
    return size_of(run) - int(run.figures["answered"].get("prompts" if is_rated(run) else "n", 0))


def state_of(run: Run) -> JobState:
    """Return the state of a run. One without a job came from a command, which stores only complete runs."""
    return JobState.DONE if run.job is None or run.ended_at else JobState(run.job.state)


def command_of(run: Run) -> list[str]:
    """Return the command that makes the same run, word by word."""
    if run.is_uploaded:
        seed = ["--seed", str(run.seed)] if run.seed else []
        return ["import_predictions", run.on, run.circumstances["file"], "--model", run.label, *seed]
    sources = ((f"--{name}", getattr(run, name)) for name in ("train", "dev"))
    given = (("--set", f"{name}={value}") for name, value in settings_given(run).items())
    options = [word for option in (*sources, *given) if option[1] for word in option]
    ablations = ["--ablate", *run.ablations] if run.ablations else []
    device = [] if run.device == "auto" else ["--device", run.device]
    weights = ["--weights", run.weights] if run.weights else []
    left_out = ["--leave-out-overlap"] if run.leaves_out_overlap else []
    trial = ["--trial"] if run.is_trial else []
    chosen = [*options, *weights, *left_out, *ablations, *device, *trial]
    return ["run_baseline", run.model, "--on", run.on, *chosen, "--seed", str(run.seed)]


def settings_given(run: Run) -> dict[str, Any]:
    """Return the run's settings that are not the model's defaults."""
    declared = BASELINES[run.model].declares if run.model in BASELINES else ()
    defaults = {setting.name: setting.default for setting in declared}
    return {name: value for name, value in run.settings.items() if value != defaults.get(name)}


def runs_to_list(
    person: User, *, search: str = "", models: Collection[str] = (), state: str = "", in_queue: bool = False
) -> QuerySet[Run]:
    """Return the runs that a person may see, in a state or of the queue.

    `search` is part of what people call a run, of what it was asked about or trained on; runs of these `models`, whose
    titles have it, are found too.
    """
    runs = runs_of(person).select_related("job", "created_by").filter(IN_THE_QUEUE if in_queue else Q())
    if search:
        in_text = Q(label__icontains=search) | Q(on__icontains=search) | Q(train__icontains=search)
        runs = runs.filter(in_text | Q(model__in=models))
    if state:
        is_done = Q(job=None) | ~Q(ended_at=None)
        runs = runs.filter(is_done if state == JobState.DONE else ~is_done & Q(job__state=state))
    return runs


def sorted_runs(runs: QuerySet[Run], order: Sorting) -> QuerySet[Run]:
    keys = {"made": F("created_at"), "model": F("model"), "on": F("on")}
    return runs.order_by(in_direction(keys[order.column], order), "-created_at", "-pk")


def newest_runs_of_study(person: User, study: Study) -> list[Target]:
    """Return the newest runs on a study or on one of its question sets that a person may see, by target."""
    runs = runs_of(person).counting().select_related("job", "created_by")
    runs = runs.filter(Q(study=study) | Q(question_set__in=study.question_sets.values("pk")))
    return by_target(list(runs.order_by("-created_at", "-pk")[:SHOWN]))


def runs_to_open(pks: Iterable[int], *, by: User) -> set[int]:
    """Return those of the runs whose page a person may see: the figures of a study may be of a member's own run."""
    return set(runs_of(by).filter(pk__in=list(pks)).values_list("pk", flat=True))


def models_waiting(study: Study) -> set[str]:
    """Return the models whose run on a study's questions has not ended."""
    return set(study.runs.counting().filter(IN_THE_QUEUE).values_list("model", flat=True))


def by_target(runs: Sequence[Run]) -> list[Target]:
    """Return the runs by what they were asked about, in the order in which each of these comes first."""
    indices = {name: index for index, name in reversed([*enumerate(run.on for run in runs)])}
    ordered = sorted(runs, key=lambda run: indices[run.on])
    return [Target(name, list(group)) for name, group in groupby(ordered, key=lambda run: run.on)]


def predictions_of(run: Run, *, outcome: str = "") -> QuerySet[Prediction]:
    """Return predictions in the order of the instances; those with one outcome (a key of OUTCOMES), or all."""
    return run.predictions.filter(OUTCOMES.get(outcome, Q())).order_by("position")


def page_of(
    run: Run, *, outcome: str, number: str, source: Source | None
) -> tuple[Page[Any], list[InstancePrediction]]:
    """Return a page of predictions: wrong ones first, of each outcome the surest first; without answers in order."""
    page = Paginator(_by_outcome(run, outcome), PER_PAGE).get_page(number)
    found = run.predictions.in_bulk(list(page))
    return page, list(with_instances([found[pk] for pk in page], source))


def _by_outcome(run: Run, outcome: str) -> list[int]:
    """Return the keys of the predictions in the order of the page."""
    rows = predictions_of(run, outcome=outcome).values_list("pk", "better", "tied", "scores")
    if not run.figures.get("n"):
        return [pk for pk, *_rest in rows]
    sure = ((_rank(better, tied), -margin(scores), pk) for pk, better, tied, scores in rows)
    return [pk for _outcome, _margin, pk in sorted(sure)]


def _rank(better: int | None, tied: int) -> int:
    """Return the place of an outcome: wrong, level, right, not known."""
    if better is None:
        return 3
    return 1 if tied else 0 if better else 2


def margin(scores: Sequence[float]) -> float:
    """Return how far the first choice is above the second, in the model's own unit; 0 where there is no choice."""
    best, second, *_others = sorted(scores, reverse=True) if len(scores) > 1 else (0.0, 0.0)
    return best - second


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
