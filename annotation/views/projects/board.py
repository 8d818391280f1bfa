"""The board of a project: its progress, people who need attention, and agreement."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.actions.projects.boards import BOARD
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.agreement import BRIEFLY, axis_of, figure_rows, matrix_rows
from annotation.presenters.projects import rewriting_board
from annotation.presenters.projects.board import HEADER, csv_rows, days_in_words, top_share
from annotation.presenters.projects.next_step import next_button
from annotation.selectors.projects.board import Board
from annotation.selectors.projects.stored_boards import unpacked
from annotation.selectors.qualification.qualification import paused_in
from annotation.selectors.quality.alerts import alerts_in
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download
from core.presenters.stored_figures import answer_without_figures, look_at, look_for_file, state_of
from core.views.jobs import answer_of_progress


@requires("project.view")
@require_safe
def board(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    if project.kind == Kind.REWRITING:
        context = rewriting_board.context(project, request.user)
        return render(request, "annotation/projects/rewriting_board.html", context)
    found = look_at(request, BOARD, project)
    if answer := answer_of_progress(request, found, project, _("Board")):
        return answer
    board = unpacked(Board, project, found.content)
    rows = figure_rows(board.agreement, BRIEFLY)
    context = {
        "project": project,
        "settings": project.rating,
        "board": board,
        "next": next_button(project),
        "alerts": alerts_in(found.content),
        "days": days_in_words(board.pace),
        "asks_third": project.rating.adjudicate or board.funnel.adjudicated,
        "is_as_in_the_study": project.rating.is_as_in_the_study,
        "is_before_rating": board.funnel.untouched == board.funnel.pairs,
        "figures": rows,
        "axis": axis_of([*(row.before for row in rows), *(row.after for row in rows)]),
        "people_axis": axis_of(person.partners.kappa_quadratic for person in board.people if person.partners),
        "top_share": top_share(board.people),
        "skipped": sum(person.skipped for person in board.people),
        "voided": sum(person.voided for person in board.people),
        "heat": matrix_rows(board.agreement, project.rating),
        "paused": paused_in([project]),
        **state_of(request, found, project),
    }
    return render(request, "annotation/projects/board.html", context)


@requires("project.view")
@require_safe
def funnel_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    if project.kind == Kind.REWRITING:
        return csv_download(f"{project.slug}-board", rewriting_board.HEADER, rewriting_board.csv_rows(project))
    found = look_for_file(request, BOARD, project)
    if not found.is_there:
        return answer_without_figures(request, reverse("board", args=[slug]))
    board = unpacked(Board, project, found.content)
    return csv_download(f"{project.slug}-board", HEADER, csv_rows(board, project.rating.grades.grades))
