"""The models of a comparison, each with all its seeds and a name that no other has."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from math import fsum
from typing import Any

from django.db.models import Min

from study.baselines.catalogue import UPLOADED
from study.baselines.registry import key_called
from study.domain.results.compared import Spread
from study.domain.results.metrics import METRICS
from study.models import Run
from study.selectors.runs.bodies import is_like
from study.selectors.runs.model_answers import Model

Seeds = list[Model]  # runs of one model, one of each seed, in their order


class NoSuchModel(LookupError):
    """No run on the study's questions has this name; with the names that there are."""

    def __init__(self, name: str, known: Collection[str]) -> None:
        super().__init__(name)
        self.name, self.known = name, sorted(known)


@dataclass(frozen=True)
class ComparedModel:
    """A model with all its seeds, and what the answer to each question in its condition is worth in each.

    No two that are compared have the same `name`, whatever their labels are. `first_of` so many runs of a model it is
    the one that finished first, None where it is the whole model.
    """

    name: str
    runs: tuple[Run, ...]
    values: tuple[Mapping[str, float], ...]
    first_of: int | None = None

    @cached_property
    def mean(self) -> dict[str, float]:
        """Return the mean over seeds of each value that all have."""
        shared = set.intersection(*map(set, self.values))
        return {key: fsum(each[key] for each in self.values) / len(self.values) for key in sorted(shared)}

    @property
    def names(self) -> list[str]:
        """Its name, key and label."""
        return [self.name, self.runs[0].model, self.runs[0].label]

    def is_called(self, name: str) -> bool:
        """Return whether a plan that says this name may mean it. “uploaded” is the key of all uploads, so of none."""
        known = {each.casefold() for each in self.names} - {"", UPLOADED}
        return name.casefold() in known or key_called(name) == self.runs[0].model

    @property
    def checksums(self) -> list[str]:
        return [run.checksum for run in self.runs]

    def spread(self, keys: Collection[str]) -> dict[str, Any]:
        """Return the figure of each seed over some questions, and their spread."""
        figures = [fsum(each[key] for key in keys) / len(keys) for each in self.values]
        seeds = [{"seed": run.seed, "run": run.pk, "figure": one} for run, one in zip(self.runs, figures, strict=True)]
        return {"seeds": seeds, "spread": vars(Spread.of(figures))}


def compared_models(
    found: Sequence[Model], names: Sequence[str], metric: str, *, beside: Collection[str]
) -> list[ComparedModel]:
    """Return the models of these names, or all, none called as what is `beside` them. Raises NoSuchModel."""
    return [_compared(name, seeds, metric) for name, seeds in _chosen(_told_apart(found, beside), names).items()]


def planned_runs(
    found: Sequence[Model], models: Sequence[ComparedModel], names: Sequence[str], metric: str
) -> dict[str, ComparedModel]:
    """Return the run that each of these names of a plan means: of all that are called so, the one that finished first.

    So neither another seed nor an upload that comes later is the planned contrast. No model is meant twice.
    """
    meant: dict[str, ComparedModel] = {}
    for name in names:
        taken = {run.name for run in meant.values()}
        left = [model for model in models if model.is_called(name) and model.name not in taken]
        of_models = [(model, [one for one in found if is_like(one.run, model.runs[0])]) for model in left]
        firsts = [(min(runs, key=_finished), len(runs), model) for model, runs in of_models]
        if firsts:
            first, number, model = min(firsts, key=lambda each: _finished(each[0]))
            is_whole = model.runs == (first.run,) and number == 1
            meant[name] = _compared(model.name, [first], metric, first_of=None if is_whole else number)
    return meant


def _finished(model: Model) -> tuple[datetime, int]:
    """Return when a run, or one that is equal to it, finished first."""
    run = model.run
    alike = {name: getattr(run, name) for name in ("model", "label", "seed", "on", "on_checksum", "train", "checksum")}
    ended = Run.objects.counting().filter(**alike).aggregate(first=Min("ended_at"))
    return ended["first"], run.pk


def _told_apart(found: Sequence[Model], beside: Collection[str]) -> dict[str, Seeds]:
    """Return the models by name: with its training, or the number of its newest run, where others are called the same.

    Of runs with one seed it is the newest. In the order of their names' first runs, the newest models first.
    """
    models: dict[str, list[Seeds]] = {}
    for one in found:
        models.setdefault(_name(one.run).casefold(), [])
    taken: set[int] = set()
    for newest in reversed(found):
        if newest.run.pk not in taken:
            like = [each for each in found if each.run.pk not in taken and is_like(each.run, newest.run)]
            taken |= {each.run.pk for each in like}
            seeds = {each.run.seed: each for each in like}  # the newest of each is the last
            models[_name(newest.run).casefold()].append([seeds[seed] for seed in sorted(seeds)])
    return dict(_without_equals([named for of_name in models.values() for named in _marked(of_name)], beside))


def _marked(of_name: list[Seeds]) -> Iterator[tuple[str, Seeds]]:
    trains = [seeds[0].run.train for seeds in of_name]
    for seeds, train in zip(of_name, trains, strict=True):
        name = _name(seeds[0].run)
        if len(of_name) > 1:
            name += f" ({train})" if train and trains.count(train) == 1 else _run_mark(seeds)
        yield name, seeds


def _run_mark(seeds: Seeds) -> str:
    return f" (run {max(each.run.pk for each in seeds)})"


def _without_equals(named: list[tuple[str, Seeds]], beside: Collection[str]) -> list[tuple[str, Seeds]]:
    """Return the models with the number of their newest run behind a name that is taken, again until none is.

    The key of a model and its title are one name. This ends: two names that end in the numbers of their own runs
    differ, so each time fewer are without one.
    """
    times = Counter(_one_name(name) for name in (*beside, *(name for name, _seeds in named)))
    if all(times[_one_name(name)] == 1 for name, _seeds in named):
        return named
    marked = [(name + _run_mark(seeds) if times[_one_name(name)] > 1 else name, seeds) for name, seeds in named]
    return _without_equals(marked, beside)


def _one_name(name: str) -> str:
    return key_called(name) or name.casefold()


def _chosen(models: Mapping[str, Seeds], names: Sequence[str]) -> Mapping[str, Seeds]:
    """Return the models of these names, or all, each once. Raises NoSuchModel."""
    found: dict[str, Seeds] = {}
    for name in names:
        own = _called(models, name)
        if not own:
            raise NoSuchModel(name, models)
        found |= own
    return found if names else models


def _called(models: Mapping[str, Seeds], name: str) -> dict[str, Seeds]:
    """Return the model of this name; else all with this label, or without one with this key; else all of this model."""
    wanted, runs = name.casefold(), {own: seeds[0].run for own, seeds in models.items()}
    ways = (
        [own for own in models if own.casefold() == wanted],
        [own for own, run in runs.items() if _name(run).casefold() == wanted],
        [own for own, run in runs.items() if run.model in (wanted, key_called(name))],
    )
    return {own: models[own] for own in next(filter(None, ways), [])}


def _compared(name: str, seeds: Seeds, metric: str, *, first_of: int | None = None) -> ComparedModel:
    runs, values = zip(*((each.run, _values(each, metric)) for each in seeds), strict=True)
    return ComparedModel(name, runs, values, first_of)


def _name(run: Run) -> str:
    return run.label or run.model


def _values(model: Model, metric: str) -> dict[str, float]:
    values = {key: METRICS[metric](ranked) for key, ranked in model.ranked.items()}
    return {key: value for key, value in values.items() if value is not None}
