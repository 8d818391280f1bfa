"""Board of a rewriting project: items by step, reasons for returns and discards, the work of authors and inspectors."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from annotation.actions.rewriting.rewrites import SKIP_REASONS
from annotation.actions.transcription import transcripts
from annotation.forms.payable import PeriodForm, this_month
from annotation.forms.reasoning import AskForm
from annotation.models import Project
from annotation.presenters.projects.next_step import next_button
from annotation.presenters.reasoning import reasoning_table
from annotation.selectors.reasoning import FIGURES, ReasoningProgress, progress_of, reasoning_report
from annotation.selectors.rewriting.rewriting_board import rewriting_board_of
from core.domain.text import timestamp
from core.models import User
from core.permissions import may

HEADER = ["part", "name", "figure", "value"]
NOT_FIGURES = {"person", "label", "means", "last_at"}


def context(project: Project, person: User) -> dict[str, Any]:
    """Return the context of annotation/projects/rewriting_board.html."""
    board = rewriting_board_of(project)
    typing = progress_of(project)
    types = reasoning_table.context(reasoning_report(project)) if _is_begun(typing) else None
    return {
        "project": project,
        "settings": project.rewriting,
        "board": board,
        "next": next_button(project),
        "skip_reasons": SKIP_REASONS,
        "transcription_skip_reasons": transcripts.SKIP_REASONS,
        "typing": typing,
        "reasoning": types,
        "ask_form": AskForm(),
        "period": PeriodForm(initial=this_month()) if may(person, "project.manage", within=project) else None,
    }


def _is_begun(typing: ReasoningProgress | None) -> bool:
    """Tell whether two people have named the reasoning of any instance."""
    return typing is not None and typing.named > 0


def csv_rows(project: Project) -> Iterator[list[Any]]:
    """Yield the rows of the board as a table for download."""
    board = rewriting_board_of(project)
    for step, items in asdict(board.funnel).items():
        yield ["funnel", step, "items", items]
    for name, doubts in (("returned_before", board.returned_before), ("discarded", board.discards)):
        yield from (["verdicts", name, figure, value] for figure, value in asdict(doubts).items())
    yield from (["skips", reason, "items", count] for reason, count in board.skips)
    yield from (["transcript skips", reason, "items", count] for reason, count in board.transcription_skips)
    for author in board.authors:
        if author.means:
            yield ["author", author.label, "overlap_right", author.means.right]
            yield ["author", author.label, "overlap_wrong", author.means.wrong]
    for part, people in (
        ("transcriber", board.transcribers),
        ("author", board.authors),
        ("inspector", board.inspectors),
    ):
        for each in people:
            figures = {name: value for name, value in vars(each).items() if name not in NOT_FIGURES}
            yield from ([part, each.label, figure, value] for figure, value in figures.items())
            if each.last_at:
                yield [part, each.label, "last_at", timestamp(each.last_at)]
    if _is_begun(progress_of(project)):
        yield from _types(reasoning_report(project))


def _types(report: Mapping[str, Any]) -> Iterator[list[Any]]:
    for figure in ("instances", "unsure"):
        yield ["reasoning", "", figure, report[figure]]
    for kind, figures in report["types"].items():
        low, high = figures["share_ci"] or ("", "")
        values = {"share": figures["share"], "low": low, "high": high, "published": figures["published"]}
        yield from (["reasoning", kind, figure, value] for figure, value in values.items())
    for figure in FIGURES:
        yield ["reasoning", "agreement", figure, report["agreement"][figure]]
