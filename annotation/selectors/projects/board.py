"""The content of a project's boards and its agreement page, as of one moment."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from annotation.models import Project
from annotation.selectors.agreement.agreement import AgreementReport, agreement_of
from annotation.selectors.agreement.agreement_parts import Parts, parts_of
from annotation.selectors.agreement.models_beside_people import ModelsBesidePeople, models_beside_people
from annotation.selectors.projects.progress import Funnel, Pace, funnel_of, pace_of
from annotation.selectors.quality.quality import Quality, quality_of
from annotation.selectors.quality.raters import PersonProgress, people_of
from annotation.selectors.rating.grades import ResampledUnit, grades_in_force


@dataclass(frozen=True)
class Board:
    """The board of one project, as of one moment."""

    funnel: Funnel
    pace: Pace
    people: list[PersonProgress]
    agreement: AgreementReport
    as_of: datetime


@dataclass(frozen=True)
class AgreementBoard:
    """The agreement of one project, as a whole and in parts, and models beside it, as of one moment."""

    agreement: AgreementReport
    parts: Parts
    models: ModelsBesidePeople
    as_of: datetime


@dataclass(frozen=True)
class QualityBoard:
    """The quality of each annotator's work in one project, as of one moment."""

    quality: Quality
    as_of: datetime


def agreement_board_of(project: Project, by: ResampledUnit | None = None) -> AgreementBoard:
    """Return the content of the agreement page. Raises DialoguesUnnamed."""
    as_of = timezone.now()
    grades = grades_in_force(project, by)
    models = models_beside_people(project, grades)
    return AgreementBoard(agreement_of(grades), parts_of(project, grades), models, as_of)


def quality_board_of(project: Project) -> QualityBoard:
    as_of = timezone.now()
    return QualityBoard(quality_of(project), as_of)


def board_of(project: Project) -> Board:
    as_of = timezone.now()
    grades = grades_in_force(project)
    agreement = agreement_of(grades)
    people = people_of(project, grades, agreement.partners)
    return Board(funnel_of(project), pace_of(project), people, agreement, as_of)
