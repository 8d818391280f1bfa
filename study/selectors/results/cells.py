"""Cells of results as JSON: with all that COMMANDS names, or with what a row of a page says."""

from collections.abc import Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.domain.statistics import INDEPENDENT, Interval, MissingFigure
from study.domain.results.answer_table import Table
from study.domain.results.results import ResultCell, cells_of

LABELS = ("corpus", "group", "form", "condition", "turns", "type")  # keys of every cell
ACROSS: tuple[tuple[str, ...], ...] = ((), ("corpus",), ("group",), ("corpus", "group"))

REASONS: dict[str, str | Promise] = {
    MissingFigure.NO_ANSWERS: _("There is no answer yet."),
    MissingFigure.ONE_PERSON: _("One person tells nothing about how much people differ."),
    MissingFigure.NO_OVERLAP: _("No question was answered by all of them."),
    MissingFigure.ONE_QUESTION: _("One question tells nothing about how much questions differ."),
    "not_identified": _("The choices given do not determine it: more complete rankings are needed."),
}


def cell_as_json(cell: ResultCell, star_below: int) -> dict[str, Any]:
    """Return a cell with the keys of COMMANDS, and how many answers do not identify the metric. Reasons are codes.

    Wald's interval has a star with fewer right or wrong answers than `star_below`.
    """
    found = cell.found
    return {
        **{label: cell.part.name(label) for label in LABELS},
        **_figure(cell),
        "people_mean": found and found.people_mean,
        "people_ci": _ends(found.people_interval() if found else None),
        "people": found.people if found else 0,
        "questions": found.items if found else 0,
        "icc": found and found.icc,
        "design_effect": found and found.design_effect,
        **_precision(cell),
        "bootstrap": _ends(cell.bootstrap),
        "starred": cell.starred(star_below),
        **{method: _ends(cell.independent(method)) for method in INDEPENDENT},
        "left_out": cell.left_out,
    }


def rows_of_cells(table: Table, crossings: Sequence[Sequence[str]] = ACROSS) -> list[dict[str, Any]]:
    """Return R@1 of the parts of some crossings with the headline interval and no other. Reasons are codes."""
    return [
        {
            **{label: cell.part.name(label) for label in ("corpus", "group")},
            **dict(cell.part.labels),
            **_figure(cell),
            "people": cell.found.people if cell.found else 0,
            "questions": cell.found.items if cell.found else 0,
            **_precision(cell),
        }
        for cell in cells_of(table, crossings, ("R@1",))
    ]


def cell_in_words(cell: dict[str, Any]) -> dict[str, Any]:
    """Return a cell with the reason why it has no interval in the language in force."""
    return {**cell, "headline_why": str(REASONS[cell["headline_why"]])} if cell["headline_why"] else cell


def _figure(cell: ResultCell) -> dict[str, Any]:
    return {
        "metric": cell.metric,
        "estimator": "pooled k/n" if cell.is_share else "mean over answers",
        "k": cell.k,
        "n": cell.n,
        "p": cell.p,
        "chance": _ends(cell.chance),
    }


def _precision(cell: ResultCell) -> dict[str, Any]:
    why = cell.headline.why
    code = "not_identified" if why == MissingFigure.NO_ANSWERS and cell.left_out else why
    return {
        "n_eff": cell.found and cell.found.n_eff,
        "headline": _ends(cell.headline.interval),
        "headline_why": str(code) if code else None,
        "flag": "no variance" if cell.headline.is_without_variance else None,
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
