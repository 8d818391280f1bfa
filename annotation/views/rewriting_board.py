"""The board of a rewriting project: where its items stand, why some went back or out, who wrote and who judged."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.actions.rewrites import SKIP_REASONS
from annotation.domain.timestamps import timestamp
from annotation.models import Project
from annotation.selectors.rewriting_board import rewriting_board_of

HEADER = ["part", "name", "figure", "value"]
NOT_FIGURES = {"person", "label", "last_at"}


def page(request: HttpRequest, project: Project) -> HttpResponse:
    board = rewriting_board_of(project)
    context = {"project": project, "settings": project.rewriting, "board": board, "skip_reasons": SKIP_REASONS}
    return render(request, "annotation/rewriting_board.html", context)


def rows(project: Project) -> Iterator[list[Any]]:
    """The board for a table of its own."""
    board = rewriting_board_of(project)
    for step, items in asdict(board.funnel).items():
        yield ["funnel", step, "items", items]
    for name, doubts in (("sent_back", board.sent_back), ("discarded", board.discards)):
        yield from (["verdicts", name, figure, value] for figure, value in asdict(doubts).items())
    yield from (["skips", reason, "items", count] for reason, count in board.skips)
    for part, people in (("author", board.authors), ("inspector", board.inspectors)):
        for each in people:
            figures = {name: value for name, value in vars(each).items() if name not in NOT_FIGURES}
            yield from ([part, each.label, figure, value] for figure, value in figures.items())
            if each.last_at:
                yield [part, each.label, "last_at", timestamp(each.last_at)]
