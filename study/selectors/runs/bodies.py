"""Runs of all models on one body of instances, and what each instance was worth in a run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import Any

from core.domain.transitions import UNDER_WAY, JobState
from core.models.people import User
from study.baselines.evaluate import GradedScores
from study.domain.results.graded import GRADED_METRICS
from study.domain.results.metrics import METRICS, Ranked
from study.models import Run
from study.permissions import runs_of
from study.selectors.runs.runs import WHOLE, is_rated, made_with, state_of
from study.selectors.runs.serving import runs_serving
from study.selectors.runs.sources import Source

EQUAL = ("train", "train_checksum", "dev", "dev_checksum", "on_checksum", "weights_checksum", "leaves_out_overlap")


@dataclass(frozen=True)
class ModelRuns:
    """A model's runs on one body of instances, those that are made with the same and have one label.

    `seeds` are the newest that ended and those that differ from it by their seed alone, in the order of seeds.
    `waiting` is the newest that has not ended, `failed` the newest that failed after those.
    """

    seeds: tuple[Run, ...] = ()
    waiting: Run | None = None
    failed: Run | None = None
    others: int = 0  # runs that ended, with other settings or material
    made_with: str = ""
    label: str = ""

    @property
    def newest(self) -> Run | None:
        return max(self.seeds, key=lambda run: run.pk, default=None)


def models_on(source: Source, *, by: User) -> dict[str, list[ModelRuns]]:
    """Return the runs on a source that a person may see, by the key of their model.

    What was made with other weights, with another model of a server or under another label is a model of its own. One
    that came to nothing is there only if no other run of the key has ended since. Of a set or a study, models that were
    not run on it are there with what they predicted elsewhere.
    """
    runs: dict[str, list[Run]] = {}
    newest_first = runs_of(by).counting().filter(on=source.name).select_related("job").order_by("-created_at", "-pk")
    for run in newest_first:
        runs.setdefault(run.model, []).append(run)
    told = {(run.model, *_told_by(run)) for of_model in runs.values() for run in of_model if run.ended_at}
    for run in runs_serving(source, besides=lambda run: (run.model, *_told_by(run)) in told, by=by):
        runs.setdefault(run.model, []).append(run)
    return {model: list(_apart(own)) for model, own in runs.items()}


def _apart(newest_first: Sequence[Run]) -> Iterator[ModelRuns]:
    """Yield the runs of one key by what tells them apart."""
    apart: dict[tuple[str, str], list[Run]] = {}
    for run in newest_first:
        apart.setdefault(_told_by(run), []).append(run)
    last = next((run for run in newest_first if state_of(run) == JobState.DONE), None)
    since = set(newest_first[: newest_first.index(last)] if last else newest_first)
    for told_by in sorted(apart):
        found = _of_a_model(apart[told_by], *told_by)
        if found.seeds or found.waiting or found.failed in since:
            yield found


def _told_by(run: Run) -> tuple[str, str]:
    return made_with(run), run.label


def newest_of(runs: Mapping[str, Sequence[ModelRuns]]) -> Run | None:
    """Return a run that has ended, of whichever model."""
    return next((own.newest for of_key in runs.values() for own in of_key if own.newest), None)


def candidates_on(source: Source, runs: Mapping[str, Sequence[ModelRuns]]) -> int:
    """Return how many candidates each instance has, as a run tells or as the first has them; 0 where they differ.

    Of rated prompts each response is counted by itself.
    """
    if source.is_rated:
        return 1
    if newest := newest_of(runs):
        return newest.figures.get("candidates") or 0
    rows: Any = source.read(None)
    with closing(rows):
        return next((len(instance.candidates) for instance in rows), 0)


def _of_a_model(newest_first: Sequence[Run], made_with: str, label: str) -> ModelRuns:
    states = [(run, state_of(run)) for run in newest_first]
    done = [run for run, state in states if state == JobState.DONE]
    since = next((index for index, (_run, state) in enumerate(states) if state == JobState.DONE), len(states))
    seeds = {run.seed: run for run in reversed(done) if is_like(run, done[0])}
    return ModelRuns(
        tuple(seeds[seed] for seed in sorted(seeds)),
        next((run for run, state in states if state in UNDER_WAY), None),
        next((run for run, state in states[:since] if state == JobState.FAILED), None),
        sum(not is_like(run, done[0]) for run in done),
        made_with,
        label,
    )


def seeds_like(run: Run, *, by: User) -> list[Run]:
    """Return the ended runs that differ from this one by their seed alone: the newest of each, by seed."""
    ended = runs_of(by).counting().filter(on=run.on, model=run.model, ended_at__isnull=False).order_by("pk")
    seeds = {each.seed: each for each in ended if is_like(each, run)} | {run.seed: run}
    return [seeds[seed] for seed in sorted(seeds)]


def is_like(run: Run, other: Run) -> bool:
    """Return whether two runs are of one model, on the same material and made with the same, whatever their seeds."""
    alike = (run.model, run.settings, _told_by(run)) == (other.model, other.settings, _told_by(other))
    return alike and all(getattr(run, name) == getattr(other, name) for name in EQUAL)


def measures_of(run: Run) -> list[str]:
    """Return the names of what `values_of` can tell: metrics, of rated prompts each at its cut."""
    if is_rated(run):
        return [f"{name} · Cut@{cut}" for cut in run.figures["cuts"] for name in GRADED_METRICS]
    return [name for name in METRICS if run.figures.get(name) is not None]


def figure_of(run: Run, measure: str) -> float | None:
    """Return a run's figure by the name of a measure."""
    name, _middle, cut = measure.partition(" · Cut@")
    figures = run.figures["cuts"][cut] if cut else run.figures
    value: float | None = figures.get(name)
    return value


def values_of(run: Run, measure: str, source: Source | None = None) -> dict[str, float]:
    """Return what each instance is worth by a measure, by its id, those with a known answer only.

    Of questions in several conditions it is the whole context.
    Of rated prompts the grades are read from the source, and prompts without a positive response are left out.
    """
    if is_rated(run):
        return _graded_values(run, measure, source) if source else {}
    if run.ranked is not None:
        return {id: value for id, one in run.ranked.items() if (value := METRICS[measure](one)) is not None}
    fixed = run.figures["candidates"]
    fields = ("external_id", "better", "tied", *(() if fixed else ("scores",)))
    rows = run.predictions.filter(WHOLE, better__isnull=False).order_by("position").values_list(*fields)
    values = {}
    for name, better, tied, *scores in rows:
        value = _value(measure, better, tied, fixed or len(scores[0]) or better + tied + 1)  # unread: the true one last
        if value is not None:
            values[name] = value
    return values


@lru_cache(maxsize=10_000)
def _value(measure: str, better: int, tied: int, candidates: int) -> float | None:
    return METRICS[measure](Ranked(better, tied, candidates, candidates))


def _graded_values(run: Run, measure: str, source: Source) -> dict[str, float]:
    name, _middle, cut = measure.partition(" · Cut@")
    grades = {instance.id: instance.grades for instance in source.instances()}
    rows = run.predictions.order_by("position").values_list("external_id", "scores")
    return {
        id: GRADED_METRICS[name](GradedScores(scores or [-grade for grade in grades[id]], grades[id]).at_cut(int(cut)))
        for id, scores in rows
        if id in grades and max(grades[id]) >= int(cut)
    }


def mean_values(runs: Iterable[Run], measure: str, source: Source | None = None) -> dict[str, float]:
    """Return the mean over runs of what each instance is worth, where all of them have it."""
    first, *others = [values_of(run, measure, source) for run in runs]
    return {
        key: fsum([value, *(other[key] for other in others)]) / (1 + len(others))
        for key, value in first.items()
        if all(key in other for other in others)
    }


def side_by_side(one: Mapping[str, float], other: Mapping[str, float]) -> tuple[list[float], list[float]]:
    """Return the values of both for the instances that both have, in the same order."""
    shared = [key for key in one if key in other]
    return [one[key] for key in shared], [other[key] for key in shared]
