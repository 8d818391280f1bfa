"""Runs as tables: figures with intervals and chance, and the runs on one target side by side."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.domain.statistics import MissingFigure
from core.domain.transitions import JobState
from study.baselines.evaluate import WHY
from study.baselines.registry import BASELINES
from study.domain.results.metrics import METRICS, chance
from study.models import Run
from study.selectors.runs.runs import OUTCOMES, Target, predictions_of, state_of

LABELS: dict[str, str | Promise] = {
    "R@1": _("the true one is first"),
    "R@2": _("among the first two"),
    "R@5": _("among the first five"),
    "MRR": _("mean of 1 / rank"),
    "MRR@2": _("the same, 0 beyond the second rank"),
}
OUTCOME_LABELS: dict[str, str | Promise] = {"": _("All"), "right": _("Right"), "tied": _("Level"), "wrong": _("Wrong")}


@dataclass(frozen=True)
class RunFigureRow:
    name: str
    label: str | Promise
    value: float | None
    interval: tuple[float, float] | None
    chance: float | None
    why: str = ""


@dataclass(frozen=True)
class RunRow:
    run: Run
    title: str
    state: JobState
    first: RunFigureRow | None
    figures: dict[str, Any]


@dataclass(frozen=True)
class TargetRows:
    name: str
    n: int | None
    candidates: int | None
    rows: list[RunRow]


def title_of(model: str) -> str:
    """Return the name of a model on pages; its key when the model no longer exists."""
    return gettext(BASELINES[model].title) if model in BASELINES else model


def about(run: Run) -> str:
    """Return how the model scores, in a sentence or two."""
    return gettext(BASELINES[run.model].about) if run.model in BASELINES else ""


def figures_of(run: Run) -> list[RunFigureRow]:
    """Return a row for each metric; R@5 only with enough candidates."""
    figures = run.metrics or {}
    return [_row(name, figures) for name in METRICS if figures.get(f"{name}_why") != MissingFigure.TOO_FEW_CANDIDATES]


def _row(name: str, figures: dict[str, Any]) -> RunFigureRow:
    candidates, why = figures["candidates"], figures.get(f"{name}_why")
    guess = chance(name, candidates) if candidates else None
    ends = figures[f"{name}_ci"]
    return RunFigureRow(name, LABELS[name], figures[name], ends, guess, gettext(WHY[MissingFigure(why)]) if why else "")


def rows_on(target: Target) -> TargetRows:
    rows = [_run_row(run) for run in target.runs]
    sizes = next((row.figures for row in rows if row.figures), {})
    return TargetRows(target.name, sizes.get("n"), sizes.get("candidates"), rows)


def _run_row(run: Run) -> RunRow:
    figures = run.metrics or {}
    return RunRow(run, title_of(run.model), state_of(run), _row("R@1", figures) if figures else None, figures)


def outcomes_of(run: Run) -> list[tuple[str, str | Promise, int]]:
    """Return each outcome of the predictions with its count; empty where no answer is known."""
    if not (run.metrics or {}).get("n"):
        return []
    counts = {outcome: predictions_of(run, outcome=outcome).count() for outcome in ("", *OUTCOMES)}
    return [(outcome, OUTCOME_LABELS[outcome], count) for outcome, count in counts.items() if count or not outcome]
