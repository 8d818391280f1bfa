"""People's work in a project and their hours: the basis of pace and pay."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, FilteredRelation, Q, QuerySet

from annotation.domain.quality.hours import active_seconds
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Project, Purpose, Step
from core.models import User

CHUNK = 10_000
NOT_MEASURED = float("nan")


class DonePair(NamedTuple):
    """A pair that a person graded or skipped."""

    person: int
    at: datetime
    state: str  # state of the assignment
    purpose: str
    item_state: str
    milliseconds: int | None

    @property
    def counts(self) -> bool:
        is_work = self.purpose == Purpose.WORK and self.item_state != ItemState.CLEANED
        return self.state == AssignmentState.SUBMITTED and is_work


@dataclass(frozen=True)
class HoursOfWork:
    """Numbers of pairs, and hours. `other` are grades in force that do not count: gold, and cleaned pairs."""

    counted: int
    other: int
    voided: int
    skipped: int
    hours: float

    @property
    def pairs_an_hour(self) -> float | None:
        graded = self.counted + self.other + self.voided
        return graded / self.hours if self.hours else None


def work_by_person(
    project: Project, *, since: datetime | None = None, until: datetime | None = None, person: User | None = None
) -> dict[int, HoursOfWork]:
    """Return each person's work from `since` until before `until`, by key of the person; with `person` theirs alone."""
    done: dict[int, list[DonePair]] = defaultdict(list)
    for each in _done(project, since, until, person):
        done[each.person].append(each)
    return {person: work_in(own) for person, own in done.items()}


def work_in(done: list[DonePair]) -> HoursOfWork:
    """Return the hours and numbers of one person's pairs."""
    states = [each.state for each in done]
    counted = sum(each.counts for each in done)
    seconds = active_seconds(
        [each.at.timestamp() for each in done],
        [NOT_MEASURED if each.milliseconds is None else each.milliseconds / 1000 for each in done],
    )
    return HoursOfWork(
        counted=counted,
        other=states.count(AssignmentState.SUBMITTED) - counted,
        voided=states.count(AssignmentState.VOIDED),
        skipped=states.count(AssignmentState.SKIPPED),
        hours=seconds / 3600,
    )


def _done(project: Project, since: datetime | None, until: datetime | None, person: User | None) -> Iterator[DonePair]:
    assignments = Assignment.objects.filter(slot__queue__project=project, slot__queue__step=Step.RATE)
    if person:
        assignments = assignments.filter(person=person)
    if since:
        assignments = assignments.filter(ended_at__gte=since)
    if until:
        assignments = assignments.filter(ended_at__lt=until)
    return rows_of(assignments)


def rows_of(assignments: QuerySet[Assignment]) -> Iterator[DonePair]:
    """Return the pairs of these assignments that were graded, in force or voided, or skipped.

    Assignments that were never held are left out: imported grades, and those of bots, came all at once
    (actions.given_grades).
    """
    in_force = FilteredRelation("ratings", condition=Q(ratings__replaced_at=None))
    graded = Q(state__in=(AssignmentState.SUBMITTED, AssignmentState.VOIDED), rating__isnull=False)
    rows = (
        assignments.annotate(rating=in_force)
        .filter(graded | Q(state=AssignmentState.SKIPPED), ended_at__isnull=False)
        .exclude(ended_at=F("claimed_at"))
        .annotate(milliseconds=F("rating__milliseconds"))
        .values_list("person", "ended_at", "state", "slot__item__purpose", "slot__item__state", "milliseconds")
    )
    return map(DonePair._make, rows.iterator(chunk_size=CHUNK))
