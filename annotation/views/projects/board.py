"""The board of a project: its progress, people who need attention, and agreement."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.domain.rating.rating import RatingSettings, Scale
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.agreement import BRIEFLY, axis_of, figure_rows, matrix_rows
from annotation.presenters.projects import rewriting_board
from annotation.selectors.projects.board import Board, board_of
from annotation.selectors.qualification.qualification import paused_in
from annotation.selectors.quality.raters import PersonProgress
from core.domain.timestamps import timestamp
from core.permissions import AuthenticatedRequest, requires
from core.presenters.tables import csv_download


@requires("project.view")
@require_safe
def board(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    if project.kind == Kind.REWRITING:
        return rewriting_board.page(request, project)
    board = board_of(project)
    rows = figure_rows(board.agreement, BRIEFLY)
    context = {
        "project": project,
        "settings": project.rating,
        "board": board,
        "asks_third": project.rating.adjudicate or board.funnel.adjudicated,
        "is_as_in_the_study": _protocol(project.rating) == _protocol(RatingSettings()),
        "figures": rows,
        "axis": axis_of([*(row.before for row in rows), *(row.after for row in rows)]),
        "people_axis": axis_of(person.partners.kappa_quadratic for person in board.people if person.partners),
        "top_share": top_share(board.people),
        "skipped": sum(person.skipped for person in board.people),
        "voided": sum(person.voided for person in board.people),
        "heat": matrix_rows(board.agreement, project.rating),
        "paused": paused_in([project]),
    }
    return render(request, "annotation/projects/board.html", context)


@requires("project.view")
@require_safe
def funnel_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    if project.kind == Kind.REWRITING:
        return csv_download(f"{project.slug}-board", rewriting_board.HEADER, rewriting_board.rows(project))
    header = ["part", "name", "figure", "value", "low", "high", "n"]
    return csv_download(f"{project.slug}-board", header, _rows(board_of(project), project.rating.grades.grades))


def _protocol(settings: RatingSettings) -> tuple[Scale, int, int]:
    """Return the settings that the share of removed pairs depends on."""
    return settings.grades, settings.raters, settings.gap


def _rows(board: Board, scale: tuple[int, ...]) -> Iterator[list[Any]]:
    for step, pairs in asdict(board.funnel).items():
        yield ["funnel", step, "pairs", pairs, "", "", ""]
    for person in board.people:
        for figure, value in _of_person(person, scale).items():
            yield ["person", person.label, figure, value, "", "", ""]
        if person.partners:
            kappa = person.partners.kappa_quadratic
            ends = kappa.asymptotic or ("", "")
            yield ["person", person.label, "kappa_quadratic", kappa.value, *ends, person.partners.n]


def _of_person(person: PersonProgress, scale: tuple[int, ...]) -> dict[str, Any]:
    last = person.last_grade_at
    return {
        "graded": person.graded,
        "median_seconds": person.median_seconds,
        **{f"grade {grade}": count for grade, count in zip(scale, person.grades, strict=False)},
        "skipped": person.skipped,
        "voided": person.voided,
        "last_grade_at": last and timestamp(last),
    }


def top_share(people: list[PersonProgress]) -> float:
    """Return the largest share that one grade has among a person's grades."""
    return max((max(person.grades) / person.graded for person in people if person.graded), default=1.0)
