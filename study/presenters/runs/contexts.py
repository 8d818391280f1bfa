"""A run beside itself: with other contexts, in the conditions of its questions, and over orders of the candidates."""

from dataclasses import dataclass
from typing import Any

from study.domain.results.metrics import chance
from study.forms.runs import ablation_title
from study.models import Run


@dataclass(frozen=True)
class ContextRow:
    """The first figure of `n` with contexts as they are (`label` is empty) or changed, and the paired difference."""

    label: str
    n: int
    value: float | None
    interval: tuple[float, float] | None
    chance: float | None
    change: float | None = None
    ends: tuple[float, float] | None = None


def context_rows(run: Run) -> list[ContextRow]:
    """Return the figures with contexts taken away or shuffled below those of whole contexts; [] where none were."""
    return _context_rows(run.figures, run.figures.get("ablation") or {})


def condition_rows(run: Run) -> list[ContextRow]:
    """Return the figures of questions in each condition below those in whole contexts; [] where none were."""
    return _context_rows(run.figures, run.figures.get("conditions") or {})


def _context_rows(whole: dict[str, Any], changed: dict[str, dict[str, Any]]) -> list[ContextRow]:
    rows = [ContextRow("", *_first_of(whole))] if changed else []
    for name, figures in changed.items():
        difference = figures.get("change"), figures.get("change_ci")
        rows.append(ContextRow(ablation_title(name), *_first_of(figures), *difference))
    return rows


def _first_of(figures: dict[str, Any]) -> tuple[int, float | None, tuple[float, float] | None, float | None]:
    """Return of how many the first figure is, and it with its interval and what guessing is worth.

    The first is R@1, of rated prompts P@1 at Cut@4.
    """
    if "cuts" in figures:
        at_cut = figures["cuts"]["4"]
        return at_cut["prompts"], at_cut["P@1"], at_cut["P@1_ci"], at_cut["chance"]["P@1"]
    guess = chance("R@1", figures["candidates"]) if figures["candidates"] else None
    return figures["n"], figures["R@1"], figures["R@1_ci"], guess


@dataclass(frozen=True)
class OrderRow:
    """A figure over drawn orders of the candidates."""

    name: str
    mean: float
    least: float
    most: float


def order_rows(run: Run) -> list[OrderRow]:
    """Return how the figures move with the order of the candidates, of a model that depends on it."""
    over = run.figures.get("over_orders") or {}
    found = {name: figure for name, figure in over.items() if isinstance(figure, dict) and "mean" in figure}
    return [OrderRow(name, each["mean"], each["lowest"], each["highest"]) for name, each in found.items()]
