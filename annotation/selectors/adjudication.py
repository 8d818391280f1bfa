"""Adjudication: pairs that wait for a decision, and the decisions made."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Min, OuterRef, QuerySet, Subquery

from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Adjudication, Project, Queue, Rating, Step
from annotation.permissions import projects_of
from annotation.selectors.inspection.open_slots import open_slots
from annotation.selectors.rating.annotator_page import Pair, pairs_on
from core.models import User


@dataclass(frozen=True)
class AdjudicatingWork:
    """A project with the number of pairs that one of its inspectors may decide about."""

    project: Project
    waiting: int


@dataclass(frozen=True)
class Decided:
    """A pair with the person's own decision: without a grade it was removed."""

    pair: Pair
    grade: int | None
    reason: str
    ended_at: datetime | None


def adjudicating_work(person: User) -> list[AdjudicatingWork]:
    """Return the projects that ask the person to adjudicate, those with waiting pairs first."""
    queues = Queue.objects.filter(
        step=Step.ADJUDICATE, project__in=projects_of(person, "pairs.adjudicate"), project__archived_at=None
    ).select_related("project")
    asking = [queue for queue in queues if queue.project.rating.adjudicate]
    work = [AdjudicatingWork(queue.project, open_slots(queue, person).count()) for queue in asking]
    return sorted(work, key=lambda each: (not each.waiting, each.project.title))


def waiting_in(project: Project, person: User) -> int:
    """Return the number of pairs for the person to decide about, including the one they hold."""
    queue = Queue.objects.filter(project=project, step=Step.ADJUDICATE).first()
    return open_slots(queue, person).count() if queue else 0


def last_decided(project: Project, person: User) -> list[Decided]:
    """Return the person's last decisions in this project that they can still change, the newest first."""
    last = list(Adjudication.objects.changeable(person).select_related("assignment__slot__queue"))
    own = [each for each in last if each.assignment.slot.queue.project_id == project.pk]
    pairs = pairs_on(project, [each.assignment for each in own])
    return [
        Decided(pair, each.grade, each.reason, each.assignment.ended_at) for pair, each in zip(pairs, own, strict=True)
    ]


def decided_in(project: Project) -> QuerySet[Adjudication]:
    """Return the adjudicators' decisions in force, whatever the state of their pairs, with pairs and people loaded."""
    made = Adjudication.objects.counting().filter(assignment__slot__item__project=project)
    return made.select_related("assignment__person", "assignment__slot__item")


def adjudicated(project: Project) -> QuerySet[Adjudication]:
    """Return the grades that adjudicators gave to pairs that are kept only because of them.

    If a pair has other grades now, after some were voided, its decision stays, in case the gap becomes too wide again.
    """
    item = OuterRef("assignment__slot__item")
    in_force = Rating.objects.filter(
        replaced_at=None, assignment__state=AssignmentState.SUBMITTED, assignment__slot__item=item
    )
    gaps = in_force.order_by().values("assignment__slot__item").annotate(gap=Max("grade") - Min("grade")).values("gap")
    kept = Adjudication.objects.counting().filter(
        assignment__slot__item__project=project, assignment__slot__item__state=ItemState.KEPT, grade__isnull=False
    )
    return kept.alias(gap=Subquery(gaps)).filter(gap__gt=project.rating.gap)


def final_grades(project: Project) -> dict[int, int | None]:
    """Return the adjudicators' grades of kept pairs, by key of the item."""
    return dict(adjudicated(project).values_list("assignment__slot__item", "grade"))
