"""What an author sees of their own rewriting: what was sent back, what waits, how it has been received."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.domain.qualification import Standing
from annotation.domain.rewriting import LETTERS
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Place, Project, Queue, Rewrite, Seat, Step, User
from annotation.selectors.own_work import count_ahead, start_of_today
from annotation.selectors.practice_drafts import Practice, practice_of
from annotation.selectors.rewrites import was_inspected
from annotation.selectors.writing_desk import Comment, comments_for


@dataclass(frozen=True)
class Returned:
    """An item that is to be mended, with one of the comments on it: `field` is the whole, the cut, the context or a
    candidate.
    """

    seat: Seat
    round: int
    field: str
    comment: Comment | None

    @property
    def letter(self) -> str:
        """Of the candidate that the comment is on."""
        return LETTERS[int(self.field)] if self.field.isdigit() else ""


@dataclass(frozen=True)
class WritingWork:
    """A project as one of its authors meets it today."""

    project: Project
    returned: list[Returned]
    drafts: int  # items in hand with something written
    done_today: int
    waiting: int  # items to begin or go on with, up to what is asked for in a day
    is_more_open: bool  # beyond today's
    practice: Practice | None = None  # what stands before anything that counts, until it is passed

    @property
    def has_something(self) -> bool:
        """To do: items to write, or to practise on."""
        return self.waiting > 0 or (self.practice is not None and self.practice.left > 0)

    @property
    def per_day(self) -> int:
        return self.project.rewriting.per_day


@dataclass(frozen=True)
class OwnWriting:
    """What became of the items that the person wrote. Those accepted without inspection are in `written` alone: no
    number tells the person which ones inspectors see.
    """

    written: int
    accepted: int
    sent_back: int
    discarded: int


def writing_work(person: User) -> list[WritingWork]:
    """The projects a person writes for, those with something sent back first, then those with items waiting."""
    queues = Queue.objects.filter(step=Step.WRITE, project__memberships__person=person).select_related("project")
    work = [_work_in(queue, person) for queue in queues]
    return sorted(work, key=lambda each: (not each.returned, not each.has_something, each.project.title))


def _work_in(queue: Queue, person: User) -> WritingWork:
    if queue.project.rewriting.practice:
        practice = practice_of(queue.project, person)
        if practice.rater.standing != Standing.FREE:
            return WritingWork(queue.project, [], 0, 0, 0, False, practice)
    own = Seat.objects.of_work().filter(person=person, place__queue=queue)
    held = list(own.filter(state=SeatState.HELD).select_related("place__item", "place__queue__project").order_by("pk"))
    returned = [_returned(seat) for seat in held if seat.place.round > 1]
    done = own.filter(state=SeatState.SUBMITTED, ended_at__gte=start_of_today()).count()
    wanted = max(0, queue.project.rewriting.per_day - done)
    cursor = person.cursors.filter(queue=queue).values_list("position", flat=True).first() or 0
    found = len(held) - len(returned) + count_ahead(queue, person, cursor, most=wanted + 1)
    begun = Rewrite.objects.filter(seat__in=[seat.pk for seat in held if seat.place.round == 1], revision__gt=0)
    return WritingWork(
        project=queue.project, returned=returned, drafts=begun.count(), done_today=done, waiting=min(wanted, found),
        is_more_open=found > wanted,
    )  # fmt: skip


def _returned(seat: Seat) -> Returned:
    comments = comments_for(seat)
    field = next(iter(comments), "")
    return Returned(seat, seat.place.round - 1, field, comments[field][0] if field else None)


def own_writing(person: User) -> OwnWriting:
    own = Seat.objects.of_work().filter(person=person, place__queue__step=Step.WRITE, state=SeatState.SUBMITTED)
    states = (
        Place.objects.filter(seats__in=own)
        .annotate(was_inspected=was_inspected("item"))
        .aggregate(
            written=Count("item", distinct=True),
            accepted=Count("item", distinct=True, filter=Q(item__state=ItemState.KEPT, was_inspected=True)),
            discarded=Count("item", distinct=True, filter=Q(item__state=ItemState.REMOVED)),
        )
    )
    again = Seat.objects.filter(person=person, place__queue__step=Step.WRITE, place__round__gt=1, place__slots__gt=0)
    return OwnWriting(sent_back=again.values("place").distinct().count(), **states)
