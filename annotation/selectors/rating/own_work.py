"""An annotator's own work: what waits for them, and their figures."""

import statistics
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet
from django.db.models.functions import Abs
from django.utils import timezone

from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Cursor, Project, Purpose, Queue, Rating, Slot, Step
from annotation.models.work import BARS
from annotation.permissions import projects_of
from annotation.selectors.qualification.gold import gold_of, stream_of
from annotation.selectors.qualification.qualification import QualifiedAnnotator, annotator_of
from core.models import User

FIGURE_DAYS = 14
LOOKING_ALIKE = (Purpose.WORK, Purpose.GOLD)  # to those who grade them


@dataclass(frozen=True)
class RatingWork:
    """A project with today's work for one of its annotators."""

    project: Project
    done_today: int
    per_day: int
    waiting: int  # pairs to rate, of those asked for today
    is_more_open: bool  # more than asked for today
    annotator: QualifiedAnnotator  # says whether they may rate

    @property
    def has_something(self) -> bool:
        """True where there are pairs to rate, or to practise on."""
        return self.waiting > 0 or self.annotator.may_practise

    @property
    def left_today(self) -> int:
        return max(0, self.per_day - self.done_today)

    def minutes(self, pace: float | None) -> int | None:
        """Return the whole minutes that the waiting pairs take at `pace` seconds a pair."""
        return None if pace is None else max(1, round(self.waiting * pace / 60))


@dataclass(frozen=True)
class OwnFigures:
    """A person's figures of the last 14 days; None where there are none yet."""

    pairs: int
    median_seconds: float | None
    compared: int  # partners' grades of the same pairs, once all grades are given and can no longer change
    within_one: float | None  # the share of them at most one grade away

    @property
    def within_one_percent(self) -> int | None:
        return None if self.within_one is None else round(self.within_one * 100)


def rating_work(person: User) -> list[RatingWork]:
    """Return the projects a person rates for, those with waiting pairs first, then those begun today.

    Costs one query a project, bounded by the number asked for in a day, however many pairs there are.
    """
    queues = list(
        Queue.objects.filter(
            step=Step.RATE, project__in=projects_of(person, "pairs.rate"), project__archived_at=None
        ).select_related("project")
    )
    assignments = Assignment.objects.filter(person=person, slot__queue__in=queues)
    done = _by_queue(assignments.filter(state=AssignmentState.SUBMITTED, ended_at__gte=start_of_today()))
    held = _by_queue(assignments.filter(state=AssignmentState.HELD))
    cursors = {cursor.queue_id: cursor for cursor in person.cursors.all()}
    work = [
        _work_in(queue, person, done.get(queue.pk, 0), held.get(queue.pk, 0), cursors.get(queue.pk, Cursor()))
        for queue in queues
    ]
    return sorted(work, key=lambda each: (not each.has_something, each.done_today == 0, each.project.title))


def start_of_today() -> datetime:
    """Return midnight in the person's own time zone (see config/middleware.py)."""
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


def _by_queue(assignments: QuerySet[Assignment]) -> dict[int, int]:
    return dict(assignments.values_list("slot__queue").annotate(Count("pk")))


def _work_in(queue: Queue, person: User, done: int, held: int, cursor: Cursor) -> RatingWork:
    per_day = queue.project.rating.per_day
    wanted = max(0, per_day - done)
    annotator = annotator_of(queue.project, person, cursor)
    is_free = annotator.status == QualificationStatus.FREE
    found = held + count_to_come(queue, person, cursor, most=wanted + 1) if is_free else 0
    return RatingWork(
        project=queue.project,
        done_today=done,
        per_day=per_day,
        waiting=min(wanted, found),
        is_more_open=found > wanted,
        annotator=annotator,
    )


def count_to_come(queue: Queue, person: User, cursor: Cursor, *, most: int) -> int:
    """Return the number of pairs still to be assigned to the person, up to `most`, including gold between them.

    Counting gold too makes the number fall by one with every pair, so that it does not give gold away.
    """
    works = count_ahead(queue, person, cursor.position, most=most)
    if not works or not queue.project.rating.gold_first or not gold_of(queue.project).exists():
        return works
    return len(list(islice(stream_of(queue.project, person).kinds(cursor.assigned, works), most)))


def count_ahead(queue: Queue, person: User, cursor: int, *, most: int) -> int:
    """Return the number of slots after the person's `cursor` that are open to them, up to `most`.

    People never judge their own work.
    """
    barring = Assignment.objects.barring(person).filter(slot=OuterRef("pk"))
    ahead = Slot.objects.filter(~Exists(barring), queue=queue, free__gt=0, position__gt=cursor)
    if queue.step in BARS:
        ahead = ahead.filter(~Exists(Assignment.objects.in_the_way(queue.step, person)))
    return ahead.order_by("position")[:most].count()


def own_figures(person: User) -> OwnFigures:
    """Return the person's figures. They include gold: leaving it out would tell which pairs are gold."""
    since = timezone.now() - timedelta(days=FIGURE_DAYS)
    graded = Assignment.objects.filter(person=person, state=AssignmentState.SUBMITTED, ended_at__gte=since)
    own = Rating.objects.filter(
        replaced_at=None, assignment__in=graded, assignment__slot__item__purpose__in=LOOKING_ALIKE
    )
    agreement = _compared(own, person).aggregate(n=Count("pk"), near=Count("pk", filter=Q(apart__lte=1)))
    return OwnFigures(
        pairs=own.count(),
        median_seconds=_median_seconds(own),
        compared=agreement["n"],
        within_one=agreement["near"] / agreement["n"] if agreement["n"] else None,
    )


def _median_seconds(ratings: QuerySet[Rating]) -> float | None:
    timed = ratings.filter(milliseconds__isnull=False).order_by("milliseconds").values_list("milliseconds", flat=True)
    count = timed.count()
    middle = timed[(count - 1) // 2 : count // 2 + 1] if count else []
    known = [each for each in middle if each is not None]
    return statistics.median(known) / 1000 if known else None


def _compared(own: QuerySet[Rating], person: User) -> QuerySet[Rating]:
    """Return own grades, once for each partner's grade of the same pair, with the difference of the two in `apart`.

    Grades that the person may still change are left out: otherwise they could infer a partner's grade from the figure
    and follow it.
    """
    changeable = [assignment.pk for assignment in Assignment.objects.changeable(person)]
    partner = FilteredRelation(
        "assignment__slot__assignments",
        condition=~Q(assignment__slot__assignments__person=person)
        & Q(assignment__slot__assignments__state=AssignmentState.SUBMITTED),
    )
    return (
        own.exclude(assignment__in=changeable)
        .exclude(assignment__slot__item__state=ItemState.OPEN)
        .annotate(partner=partner)
        .filter(partner__ratings__isnull=False, partner__ratings__replaced_at=None)
        .annotate(apart=Abs(F("grade") - F("partner__ratings__grade")))
    )
