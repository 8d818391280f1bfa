"""Boards of a rating project, its agreement and its progress: computed once for all who look at them."""

from collections.abc import Callable
from typing import Any

from annotation.models import Project
from annotation.selectors.agreement.agreement import described_agreement
from annotation.selectors.projects.board import (
    AgreementBoard,
    QualityBoard,
    agreement_board_of,
    board_of,
    quality_board_of,
)
from annotation.selectors.projects.progress import progress_of
from annotation.selectors.projects.stored_boards import (
    fingerprint,
    fingerprint_of_the_week,
    is_large,
    packed,
    unpacked,
)
from annotation.selectors.quality import alerts
from annotation.selectors.quality.alerts import rater_alerts
from annotation.selectors.quality.quality import described_quality
from annotation.selectors.rating.grades import ResampledUnit
from core.actions.jobs import ProgressReport
from core.actions.stored_figures import WITHOUT, Arguments, FigureKind, computed, register
from core.selectors.fingerprints import are_events_settled


def _agreement(project: Project, arguments: Arguments, report: ProgressReport) -> Any:
    unit = arguments.get("by")
    return packed(agreement_board_of(project, ResampledUnit(unit) if unit else None))


def _board(project: Project, arguments: Arguments, report: ProgressReport) -> Any:
    board = board_of(project)
    return {**packed(board), "alerts": rater_alerts(board.people, board.agreement)}


def _quality(project: Project, arguments: Arguments, report: ProgressReport) -> Any:
    return packed(quality_board_of(project))


def _progress(project: Project, arguments: Arguments, report: ProgressReport) -> Any:
    return progress_of(project)


def _never(project: Project) -> bool:
    return False


def _kind(
    name: str,
    compute: Callable[[Project, Arguments, ProgressReport], Any],
    *,
    fingerprint: Callable[[Project], str] = fingerprint,
    is_long: Callable[[Project], bool] = is_large,
    page: str,
) -> FigureKind:
    return register(
        FigureKind(
            name,
            compute=compute,
            fingerprint=fingerprint,
            is_long=is_long,
            page=lambda project: (page, [project.slug]),
            is_settled=are_events_settled,
        )
    )


AGREEMENT = _kind("agreement", _agreement, page="agreement")
BOARD = _kind(alerts.BOARD, _board, fingerprint=fingerprint_of_the_week, page="board")
QUALITY = _kind("quality", _quality, page="quality")
PROGRESS = _kind("progress", _progress, is_long=_never, page="board")


def agreement_in_force(project: Project, *, by: ResampledUnit | None = None) -> dict[str, Any]:
    """Return what `agreement --json` prints, computed here unless it is stored. Raises DialoguesUnnamed."""
    found = computed(AGREEMENT, project, {"by": str(by)} if by else WITHOUT)
    board = unpacked(AgreementBoard, project, found.content)
    return described_agreement(board.agreement, board.parts, board.models)


def quality_in_force(project: Project) -> dict[str, Any]:
    """Return what `quality --json` prints, computed here unless it is stored."""
    return described_quality(unpacked(QualityBoard, project, computed(QUALITY, project).content).quality)
