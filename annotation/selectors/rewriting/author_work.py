"""An author's own rewriting: texts returned for revision, items that wait, and verdicts so far."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.rewriting.rewriting import LETTERS
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Project, Queue, Rewrite, Slot, Step
from annotation.permissions import projects_of
from annotation.selectors.qualification.practice_drafts import Practice, practice_of
from annotation.selectors.rating.own_work import count_ahead, start_of_today
from annotation.selectors.rewriting.author_page import Comment, comments_for
from annotation.selectors.rewriting.rewrites import was_inspected
from core.models import User


@dataclass(frozen=True)
class Returned:
    """An item to be revised, with one of the comments on it.

    `field` is the field of that comment: the whole, the cut, the context or a candidate.
    """

    assignment: Assignment
    round: int
    field: str
    comment: Comment | None

    @property
    def project(self) -> Project:
        return self.assignment.slot.queue.project

    @property
    def letter(self) -> str:
        """The letter of the candidate that the comment is on."""
        return LETTERS[int(self.field)] if self.field.isdigit() else ""


@dataclass(frozen=True)
class WritingWork:
    """A project with today's work for one of its authors."""

    project: Project
    returned: list[Returned]
    drafts: int  # held items with something written
    done_today: int
    waiting: int  # items to begin or continue, up to the number asked for in a day
    is_more_open: bool  # more than asked for today
    practice: Practice | None = None  # required before real work, until it is passed

    @property
    def has_something(self) -> bool:
        """True where there are items to write, or to practise on."""
        return self.waiting > 0 or (self.practice is not None and self.practice.left > 0)

    @property
    def per_day(self) -> int:
        return self.project.rewriting.per_day


@dataclass(frozen=True)
class OwnWriting:
    """The states of the items that the person wrote.

    Those accepted without inspection are only in `written`, so that no number tells the person which ones inspectors
    see.
    """

    written: int
    accepted: int
    returned_before: int
    discarded: int


def writing_work(person: User) -> list[WritingWork]:
    """Return the projects a person writes for: those with returned texts first, then those with waiting items."""
    queues = Queue.objects.filter(
        step=Step.WRITE, project__in=projects_of(person, "instances.write"), project__archived_at=None
    ).select_related("project")
    work = [_work_in(queue, person) for queue in queues]
    return sorted(work, key=lambda each: (not each.returned, not each.has_something, each.project.title))


def _work_in(queue: Queue, person: User) -> WritingWork:
    if queue.project.rewriting.practice:
        practice = practice_of(queue.project, person)
        if practice.annotator.status != QualificationStatus.FREE:
            return WritingWork(queue.project, [], 0, 0, 0, False, practice)
    own = Assignment.objects.of_work().filter(person=person, slot__queue=queue)
    held = list(
        own.filter(state=AssignmentState.HELD).select_related("slot__item", "slot__queue__project").order_by("pk")
    )
    returned = [_returned(assignment) for assignment in held if assignment.slot.round > 1]
    done = own.filter(state=AssignmentState.SUBMITTED, ended_at__gte=start_of_today()).count()
    wanted = max(0, queue.project.rewriting.per_day - done)
    cursor = person.cursors.filter(queue=queue).values_list("position", flat=True).first() or 0
    found = len(held) - len(returned) + count_ahead(queue, person, cursor, most=wanted + 1)
    begun = Rewrite.objects.filter(
        assignment__in=[assignment.pk for assignment in held if assignment.slot.round == 1], revision__gt=0
    )
    return WritingWork(
        project=queue.project,
        returned=returned,
        drafts=begun.count(),
        done_today=done,
        waiting=min(wanted, found),
        is_more_open=found > wanted,
    )


def _returned(assignment: Assignment) -> Returned:
    comments = comments_for(assignment)
    field = next(iter(comments), "")
    return Returned(assignment, assignment.slot.round - 1, field, comments[field][0] if field else None)


def own_writing(person: User) -> OwnWriting:
    own = Assignment.objects.of_work().filter(
        person=person, slot__queue__step=Step.WRITE, state=AssignmentState.SUBMITTED
    )
    states = (
        Slot.objects.filter(assignments__in=own)
        .annotate(was_inspected=was_inspected("item"))
        .aggregate(
            written=Count("item", distinct=True),
            accepted=Count("item", distinct=True, filter=Q(item__state=ItemState.KEPT, was_inspected=True)),
            discarded=Count("item", distinct=True, filter=Q(item__state=ItemState.REMOVED)),
        )
    )
    again = Assignment.objects.filter(
        person=person, slot__queue__step=Step.WRITE, slot__round__gt=1, slot__required__gt=0
    )
    return OwnWriting(returned_before=again.values("slot").distinct().count(), **states)
