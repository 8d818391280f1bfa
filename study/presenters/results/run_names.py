"""What the runs of a study's results are called where runs of one name stand beside each other."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from study.presenters.results.results import Results, name_of_model


def names_of_runs(results: Results) -> dict[int, str]:
    """Return what the runs are called, by key: those of one name with what tells them apart, as their training."""
    runs = {figure["run"]: figure for figure in results["models"]}
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
