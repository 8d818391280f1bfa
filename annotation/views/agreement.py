"""Agreement in full: every figure before and after the filter, each two raters by themselves, who met whose grade."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.domain.agreement import Block, Figure, RaterPair
from annotation.models import Kind
from annotation.permissions import projects_of, requires
from annotation.selectors.agreement import DRAWS, KAPPAS, REASONS, Agreement
from annotation.selectors.board import board_of
from annotation.views.figures import axis_of, figure_rows, heat_rows
from annotation.views.tables import csv_download


@requires("project.view")
@require_safe
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    project = get_object_or_404(projects_of(request.user), slug=slug, kind=Kind.RATING)
    board = board_of(project)
    rows = figure_rows(board.agreement)
    context = {
        "project": project,
        "settings": project.rating,
        "board": board,
        "agreement": board.agreement,
        "draws": DRAWS,
        "figures": rows,
        "axis": axis_of([*(row.before for row in rows), *(row.after for row in rows)]),
        "pairs": [(_names(pair, board.agreement), pair) for pair in board.agreement.pairs],
        "pairs_axis": axis_of(pair.kappa_quadratic for pair in board.agreement.pairs),
        "heat": heat_rows(board.agreement, project.rating),
    }
    return render(request, "annotation/agreement.html", context)


@requires("project.view")
@require_safe
def agreement_csv(request: HttpRequest, slug: str) -> HttpResponse:
    project = get_object_or_404(projects_of(request.user), slug=slug, kind=Kind.RATING)
    header = ["over", "rater", "partner", "figure", "n", "value", "low", "high", "interval", "asymptotic_se", "why"]
    return csv_download(f"{project.slug}-agreement", header, _rows(board_of(project).agreement))


def _rows(agreement: Agreement) -> Iterator[list[Any]]:
    blocks: dict[str, Block] = {"before": agreement.before, "after": agreement.after}
    for over, block in blocks.items():
        for name, figure in block.figures.items():
            ends = figure.bootstrap or ("", "")
            yield [over, "", "", name, block.n, figure.value, *ends, "bootstrap", figure.standard_error, _why(figure)]
    for pair in agreement.pairs:
        names = _names(pair, agreement)
        yield ["pair", *names, "percent", pair.n, pair.percent, "", "", "", "", ""]
        for name in KAPPAS:
            figure = getattr(pair, name)
            ends = figure.asymptotic or ("", "")
            yield ["pair", *names, name, pair.n, figure.value, *ends, "asymptotic", figure.standard_error, _why(figure)]


def _names(pair: RaterPair, agreement: Agreement) -> list[str]:
    return [agreement.raters[place] for place in pair.raters]


def _why(figure: Figure) -> str:
    why = figure.why or figure.bootstrap_why
    return str(REASONS[why]) if why else ""
