"""Page of agreement: figures before and after the filter, each two raters, parts, pairs to discuss, models."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.agreement import HEADER, axis_of, csv_rows, figure_rows, matrix_rows, names_of
from annotation.presenters.models_beside_people import beside_page
from annotation.presenters.projects.guideline_words import type_names
from annotation.selectors.projects.board import agreement_board_of
from core.domain.statistics import DRAWS
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download


@requires("project.view")
@require_safe
def agreement(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    board = agreement_board_of(project)
    parts = board.parts
    rows = figure_rows(board.agreement)
    context = {
        "project": project,
        "settings": project.rating,
        "board": board,
        "agreement": board.agreement,
        "draws": DRAWS,
        "figures": rows,
        "axis": axis_of([*(row.before for row in rows), *(row.after for row in rows)]),
        "pairs": [(names_of(pair, board.agreement), pair) for pair in board.agreement.pairs],
        "pairs_axis": axis_of(pair.kappa_quadratic for pair in board.agreement.pairs),
        "heat": matrix_rows(board.agreement, project.rating),
        "parts": parts,
        "parts_axis": axis_of(
            part.block.figures["kappa_quadratic"] for part in (*parts.sources, *parts.topics, *parts.stretches)
        ),
        "widest_gap": project.rating.gap,
        "types": type_names(project),
        "beside": beside_page(board.models, request.GET.get("model", "")),
    }
    return render(request, "annotation/agreement/agreement.html", context)


@requires("project.view")
@require_safe
def agreement_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    return csv_download(f"{project.slug}-agreement", HEADER, csv_rows(agreement_board_of(project)))
