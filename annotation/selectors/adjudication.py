"""What adjudicators decide and have decided: the pairs that wait for one, and what became of the others."""

from dataclasses import dataclass

from django.db.models import Max, Min, OuterRef, QuerySet, Subquery

from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Adjudication, Project, Queue, Rating, Step
from annotation.selectors.inspection.open_slots import open_slots
from annotation.selectors.rating.annotator_page import Pair, pairs_on
from core.models import User


@dataclass(frozen=True)
class AdjudicatingWork:
    """A project as one of its inspectors meets it."""

    project: Project
    waiting: int


@dataclass(frozen=True)
class Decided:
    """A pair with the person's own decision: without a grade it was removed."""

    pair: Pair
    grade: int | None
    reason: str


def adjudicating_work(person: User) -> list[AdjudicatingWork]:
    """The projects that ask the person to decide, those with something waiting first."""
    queues = Queue.objects.filter(step=Step.ADJUDICATE, project__memberships__person=person).select_related("project")
    asking = [queue for queue in queues if queue.project.rating.adjudicate]
    work = [AdjudicatingWork(queue.project, open_slots(queue, person).count()) for queue in asking]
    return sorted(work, key=lambda each: (not each.waiting, each.project.title))


def waiting_in(project: Project, person: User) -> int:
    """How many pairs there are for the person to decide about, the one in hand included."""
    queue = Queue.objects.filter(project=project, step=Step.ADJUDICATE).first()
    return open_slots(queue, person).count() if queue else 0


def last_decided(project: Project, person: User) -> list[Decided]:
    """The person's last decisions, the newest first, as far as they lie in this project and can still be changed."""
    last = list(Adjudication.objects.changeable(person).select_related("assignment__slot__queue"))
    own = [each for each in last if each.assignment.slot.queue.project_id == project.pk]
    pairs = pairs_on(project, [each.assignment for each in own])
    return [Decided(pair, each.grade, each.reason) for pair, each in zip(pairs, own, strict=True)]


def decided_in(project: Project) -> QuerySet[Adjudication]:
    """The decisions of adjudicators that are in force, whatever became of their pairs; with these and the people."""
    made = Adjudication.objects.counting().filter(assignment__slot__item__project=project)
    return made.select_related("assignment__person", "assignment__slot__item")


def adjudicated(project: Project) -> QuerySet[Adjudication]:
    """The grades that adjudicators gave to pairs that are kept for that reason alone.

    A decision whose pair has other grades now, after some were voided, waits in case these lie too far apart again.
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
    """The same by key of the item."""
    return dict(adjudicated(project).values_list("assignment__slot__item", "grade"))
