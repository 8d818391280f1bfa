"""The quality board: how each rater works, for the people who supervise them."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.domain.quality.drift import Drift, Trend
from annotation.forms.payable import PeriodForm, this_month
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.agreement import axis_of
from annotation.presenters.projects.guideline_words import type_names
from annotation.selectors.projects.board import quality_board_of
from annotation.selectors.qualification.qualification import paused_in
from annotation.selectors.quality.quality import quality_report
from annotation.views.projects.board import top_share
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters.tables import csv_download
from core.templatetags.page import sentence_space


@requires("raters.judge")
@require_safe
def quality(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    board = quality_board_of(project)
    found = board.quality
    types = found.types()
    names = type_names(project)
    context = {
        "project": project,
        "settings": project.rating,
        "board": board,
        "quality": found,
        "people": [(person, _drift_words(person.drift, found.scale)) for person in found.people],
        "types": [names.get(kind, kind) for kind in types],
        "type_rows": [
            (person.progress.label, [person.types[kind] for kind in types], person.types.total())
            for person in found.people
            if person.types
        ],
        "top_share": top_share([person.progress for person in found.people]),
        "pairs": [([found.raters[position] for position in pair.raters], pair) for pair in found.pairs],
        "pairs_axis": axis_of(pair.kappa_quadratic for pair in found.pairs),
        "period": PeriodForm(initial=this_month()) if may(request.user, "project.manage") else None,
        "paused": paused_in([project]),
        "may_view": may(request.user, "project.view"),
    }
    return render(request, "annotation/quality/quality.html", context)


@requires("raters.judge")
@require_safe
def quality_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    header = ["person", "partner", "figure", "of", "value"]
    return csv_download(f"{project.slug}-quality", header, _rows(quality_report(project)))


def _rows(report: dict[str, Any]) -> Iterator[list[Any]]:
    for person in report["people"]:
        for figure, value in person.items():
            if figure not in ("user", "name"):
                yield from ([person["name"], "", *row] for row in _flat(figure, value))
    for pair in report["pairs"]:
        for figure, value in pair.items():
            if figure != "raters":
                yield from ([*pair["raters"], *row] for row in _flat(figure, value))


def _flat(figure: str, value: Any) -> Iterator[list[Any]]:
    """Yield a row for each number; a table or an interval has several."""
    if isinstance(value, dict):
        for of, part in value.items():
            nested = isinstance(part, dict | list)
            yield from _flat(f"{figure} {of}", part) if nested else [[figure, of, part]]
    elif isinstance(value, list):
        yield from ([figure, end, number] for end, number in zip(("low", "high"), value, strict=True))
    else:
        yield [figure, "", value]


def _drift_words(found: Drift | None, scale: tuple[int, ...]) -> str:
    """Describe the early and late mean, and the grade that moved most if there is a trend. Empty for too few grades."""
    if found is None:
        return ""
    means = {"early": _number(found.early_mean), "late": _number(found.late_mean)}
    if found.trend == Trend.STEADY:
        return _("steady: mean %(early)s early, %(late)s late") % means
    position = found.most_moved
    moved = {
        "grade": scale[position],
        "early": f"{100 * found.early[position]:.0f}",
        "late": f"{100 * found.late[position]:.0f}",
    }
    trend = (
        _("milder: mean %(early)s early, %(late)s late.")
        if found.trend == Trend.MILDER
        else _("stricter: mean %(early)s early, %(late)s late.")
    )
    return trend % means + sentence_space() + _("Grade %(grade)s: %(early)s %% early, %(late)s %% late.") % moved


def _number(mean: float) -> str:
    return number_format(f"{mean:.2f}", decimal_pos=2)  # it truncates, so round first
