"""What the runs of a study's results are called where runs of one name stand beside each other."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from study.models import Run
from study.presenters.runs.words import name_of
from study.selectors.runs.model_answers import described


def name_of_model(figure: dict[str, Any]) -> str:
    """Return what the run is called of which this is a figure."""
    return name_of(figure["model"], figure.get("made_with") or "", figure.get("label") or "")


def models_in(figures: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of the models that these are figures of, each once, whatever its seeds and training."""
    models = {(figure["model"], figure.get("made_with"), figure.get("label")): figure for figure in figures}
    return sorted(map(name_of_model, models.values()))


def names_of_runs(results: dict[str, Any]) -> dict[int, str]:
    """Return what the runs of results are called, by key."""
    return _names(results["models"])


def names_of(runs: Iterable[Run]) -> dict[int, str]:
    """Return what these runs are called beside each other, by key."""
    return _names({**described(run), "train": run.train, "model_seed": run.seed} for run in runs)


def _names(figures: Iterable[dict[str, Any]]) -> dict[int, str]:
    """Return the names of the runs that these are figures of: of one name with their training, or else their seed."""
    runs = {figure["run"]: figure for figure in figures}
    named: dict[str, list[dict[str, Any]]] = {}
    for figure in runs.values():
        named.setdefault(name_of_model(figure), []).append(figure)
    return {run: name for name, figures in named.items() for run, name in _told_apart(name, figures)}


def _told_apart(name: str, figures: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    trains = [figure["train"] for figure in figures]
    seeds = [_("seed %(seed)s") % {"seed": figure["model_seed"]} for figure in figures]
    runs = [_("run %(n)s") % {"n": figure["run"]} for figure in figures]
    both = [_("; ").join(filter(None, pair)) for pair in zip(trains, seeds, strict=True)]
    marks = next(marks for marks in (trains, seeds, both, runs) if len({*marks}) == len(marks))
    for figure, mark in zip(figures, marks, strict=True):
        is_alone = len(figures) == 1 or not mark
        yield figure["run"], name if is_alone else _("%(name)s (%(mark)s)") % {"name": name, "mark": mark}
