"""The raters of a project: numbers of grades, pace, and agreement with partners."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Count, Q

from annotation.domain.agreement import PartnerAgreement
from annotation.domain.agreement.patterns import FloatArray
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Project, Purpose, Rating, Step
from annotation.selectors.rating.grades import Grades, labels_of
from core.models import Role, User


@dataclass(frozen=True)
class PersonProgress:
    """One person's work. `grades` counts each grade of the scale, `partners` is their agreement with others.

    `median_seconds` is over the `timed` grades.
    """

    person: User
    label: str
    skipped: int
    voided: int
    graded: int = 0
    grades: Sequence[int] = ()
    timed: int = 0
    median_seconds: float | None = None
    partners: PartnerAgreement | None = None
    last_grade_at: datetime | None = None


def people_of(project: Project, grades: Grades, partners: list[PartnerAgreement]) -> list[PersonProgress]:
    """Return all who rate or rated here, those with most grades first; `grades` and `partners` are the project's."""
    tallies = _tallies(grades, partners)
    ended = _ended(project)
    members = User.objects.filter(
        Q(memberships__role=Role.ANNOTATOR, memberships__project=project) | Q(pk__in={pk for pk, _ in ended})
    )
    people = [
        PersonProgress(
            person=person,
            label=label,
            skipped=ended.get((person.pk, AssignmentState.SKIPPED), 0),
            voided=ended.get((person.pk, AssignmentState.VOIDED), 0),
            **tallies.get(person.pk, {}),
        )
        for label, person in labels_of([*{*grades.raters, *members}])
    ]
    return sorted(people, key=lambda each: -each.graded)


def _ended(project: Project) -> dict[tuple[int, str], int]:
    """Return the number of skipped and of voided assignments, by person and state."""
    ended = Assignment.objects.filter(
        slot__queue__project=project,
        slot__queue__step=Step.RATE,
        slot__item__purpose=Purpose.WORK,
        state__in=(AssignmentState.SKIPPED, AssignmentState.VOIDED),
    )
    return {(person, state): n for person, state, n in ended.values_list("person", "state").annotate(Count("pk"))}


def _tallies(grades: Grades, partners: list[PartnerAgreement]) -> dict[int, dict[str, Any]]:
    """Return, by person, the fields of `PersonProgress` about grades in force."""
    own = [grades.rows[grades.rows["rater"] == position] for position in range(len(grades.raters))]
    last = Rating.objects.in_bulk([int(rows["rating"].max()) for rows in own])
    agreement = {each.rater: each for each in partners if each.n}
    return {
        rater.pk: {
            "graded": len(rows),
            "grades": [int((rows["grade"] == grade).sum()) for grade in grades.scale],
            "timed": int((~np.isnan(rows["milliseconds"])).sum()),
            "median_seconds": _median_seconds(rows["milliseconds"]),
            "partners": agreement.get(position),
            "last_grade_at": last[int(rows["rating"].max())].created_at,
        }
        for position, (rater, rows) in enumerate(zip(grades.raters, own, strict=True))
    }


def _median_seconds(milliseconds: FloatArray) -> float | None:
    measured = milliseconds[~np.isnan(milliseconds)]
    return float(np.median(measured)) / 1000 if len(measured) else None
