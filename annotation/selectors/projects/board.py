"""The content of a project's boards and its agreement page, as of one moment."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.core.cache import cache
from django.utils import timezone

from annotation.models import Project
from annotation.selectors.agreement.agreement import AgreementReport, agreement_of
from annotation.selectors.agreement.agreement_parts import Parts, parts_of
from annotation.selectors.agreement.models_beside_people import ModelsBesidePeople, models_beside_people
from annotation.selectors.projects.progress import Funnel, Pace, funnel_of, pace_of
from annotation.selectors.quality.quality import Quality, quality_of
from annotation.selectors.quality.raters import PersonProgress, people_of
from annotation.selectors.rating.grades import grades_in_force

LARGE = 20_000  # pairs; smaller projects are computed on every request
REST = 10  # a large project's board is cached for this many times as long as it took to compute


@dataclass(frozen=True)
class Board:
    """The board of one project, as of one moment."""

    funnel: Funnel
    pace: Pace
    people: list[PersonProgress]
    agreement: AgreementReport
    as_of: datetime

    @property
    def pairs(self) -> int:
        return self.funnel.pairs


@dataclass(frozen=True)
class AgreementBoard:
    """The agreement of one project, as a whole and in parts, and models beside it, as of one moment."""

    agreement: AgreementReport
    parts: Parts
    models: ModelsBesidePeople
    as_of: datetime

    @property
    def pairs(self) -> int:
        return self.agreement.items


@dataclass(frozen=True)
class QualityBoard:
    """The quality of each annotator's work in one project, as of one moment."""

    quality: Quality
    as_of: datetime

    @property
    def pairs(self) -> int:
        return sum(person.progress.graded for person in self.quality.people)


Read = TypeVar("Read", Board, AgreementBoard, QualityBoard)


def board_of(project: Project) -> Board:
    """Return the current board; for a large project a cached one, with its time in `as_of`."""
    return _status("board", project, read_board)


def agreement_board_of(project: Project) -> AgreementBoard:
    """Return the content of the agreement page, cached like the board."""
    return _status("agreement", project, read_agreement)


def quality_board_of(project: Project) -> QualityBoard:
    """Return the content of the quality board, cached like the board."""
    return _status("quality", project, read_quality)


def _status(name: str, project: Project, read: Callable[[Project], Read]) -> Read:
    key = f"{name}-{project.pk}"
    kept_figures: Read | None = cache.get(key)
    if kept_figures is not None:
        return kept_figures
    began = time.monotonic()
    now = read(project)
    if now.pairs > LARGE:
        cache.set(key, now, timeout=REST * (time.monotonic() - began))
    return now


def read_agreement(project: Project) -> AgreementBoard:
    as_of = timezone.now()
    grades = grades_in_force(project)
    models = models_beside_people(project, grades)
    return AgreementBoard(agreement_of(grades), parts_of(project, grades), models, as_of)


def read_quality(project: Project) -> QualityBoard:
    as_of = timezone.now()
    return QualityBoard(quality_of(project), as_of)


def read_board(project: Project) -> Board:
    as_of = timezone.now()
    grades = grades_in_force(project)
    agreement = agreement_of(grades)
    people = people_of(project, grades, agreement.partners)
    return Board(funnel_of(project), pace_of(project, grades), people, agreement, as_of)
