"""Everything the board and the agreement page show of a project, as of one moment."""

import time
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone

from annotation.models import Project
from annotation.selectors.agreement import Agreement, agreement_of
from annotation.selectors.grades import grades_in_force
from annotation.selectors.progress import Funnel, Pace, funnel_of, pace_of
from annotation.selectors.raters import PersonProgress, people_of

LARGE = 20_000  # pairs; a smaller project is computed for every reader
REST = 10  # the board of a large one stands for this many times as long as it took


@dataclass(frozen=True)
class Board:
    """One project as of one moment."""

    funnel: Funnel
    pace: Pace
    people: list[PersonProgress]
    agreement: Agreement
    as_of: datetime


def board_of(project: Project) -> Board:
    """The board as it is now, or, of a large project, as it was a moment ago: `as_of` says when."""
    key = f"board-{project.pk}"
    standing: Board | None = cache.get(key)
    if standing is not None:
        return standing
    began = time.monotonic()
    board = read_board(project)
    if board.funnel.pairs > LARGE:
        cache.set(key, board, timeout=REST * (time.monotonic() - began))
    return board


def read_board(project: Project) -> Board:
    as_of = timezone.now()
    grades = grades_in_force(project)
    agreement = agreement_of(grades)
    people = people_of(project, grades, agreement.partners)
    return Board(funnel_of(project), pace_of(project, grades), people, agreement, as_of)
