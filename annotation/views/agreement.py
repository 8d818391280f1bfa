"""Page of agreement: figures before and after the filter, each two raters, parts of the work, pairs to discuss."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.domain.agreement import Block, Figure, RaterPair
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.agreement import axis_of, figure_rows, matrix_rows
from annotation.presenters.projects.guideline_words import type_names
from annotation.selectors.agreement.agreement import DRAWS, KAPPAS, REASONS, AgreementReport
from annotation.selectors.agreement.agreement_parts import AgreementPart
from annotation.selectors.projects.board import AgreementBoard, agreement_board_of
from core.permissions import AuthenticatedRequest, requires
from core.presenters.tables import csv_download

HEADER = [
    "over",
    "rater",
    "partner",
    "part",
    "figure",
    "n",
    "value",
    "low",
    "high",
    "interval",
    "asymptotic_se",
    "why",
]


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
        "pairs": [(_names(pair, board.agreement), pair) for pair in board.agreement.pairs],
        "pairs_axis": axis_of(pair.kappa_quadratic for pair in board.agreement.pairs),
        "heat": matrix_rows(board.agreement, project.rating),
        "parts": parts,
        "parts_axis": axis_of(
            part.block.figures["kappa_quadratic"] for part in (*parts.sources, *parts.topics, *parts.stretches)
        ),
        "widest_gap": project.rating.gap,
        "types": type_names(project),
    }
    return render(request, "annotation/agreement/agreement.html", context)


@requires("project.view")
@require_safe
def agreement_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    return csv_download(f"{project.slug}-agreement", HEADER, _rows(agreement_board_of(project)))


def _rows(board: AgreementBoard) -> Iterator[list[Any]]:
    yield from _of_all(board.agreement)
    kinds = {"source": board.parts.sources, "topic": board.parts.topics, "stretch": board.parts.stretches}
    for over, parts in kinds.items():
        for part in parts:
            yield from _of_part(over, part)
    for type_confusion in board.parts.type_confusions:
        readings = [f"{grade} {kind}".strip() for grade, kind in (type_confusion.low, type_confusion.high)]
        yield ["types far apart", "", "", " · ".join(readings), "pairs", type_confusion.pairs, "", "", "", "", "", ""]


def _of_part(over: str, part: AgreementPart) -> Iterator[list[Any]]:
    name = part.name or "(the rest)"
    yield [over, "", "", name, "apart", part.settled, _share(part.apart, part.settled), "", "", "", "", ""]
    for figure_name, figure in part.block.figures.items():
        yield [over, "", "", name, figure_name, part.block.n, *_estimate(figure, "asymptotic")]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _of_all(agreement: AgreementReport) -> Iterator[list[Any]]:
    blocks: dict[str, Block] = {"before": agreement.before, "after": agreement.after}
    for over, block in blocks.items():
        for name, figure in block.figures.items():
            yield [over, "", "", "", name, block.n, *_estimate(figure, "bootstrap")]
    for pair in agreement.pairs:
        names = _names(pair, agreement)
        yield ["pair", *names, "", "percent", pair.n, pair.percent, "", "", "", "", ""]
        for name in KAPPAS:
            yield ["pair", *names, "", name, pair.n, *_estimate(getattr(pair, name), "asymptotic")]


def _estimate(figure: Figure, interval: str) -> list[Any]:
    """Return the columns from `value` on, with the named one of the figure's intervals."""
    why = figure.why or figure.bootstrap_why
    ends = getattr(figure, interval) or ("", "")
    return [figure.value, *ends, interval, figure.standard_error, str(REASONS[why]) if why else ""]


def _names(pair: RaterPair, agreement: AgreementReport) -> list[str]:
    return [agreement.raters[position] for position in pair.raters]
