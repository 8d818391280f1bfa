"""What people have made of machines' transcripts, and what waits for whom."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from annotation.domain.recordings import RecordingKind
from annotation.domain.workflow import SeatState
from annotation.models import Item, Project, Purpose, Queue, Recording, Seat, Step, Transcript, User
from annotation.models.work import HEARING
from annotation.selectors.grades import labels_of
from annotation.selectors.own_work import count_ahead

MOST_COUNTED = 1_000  # of what waits: nobody does more in a day


@dataclass(frozen=True)
class HearingWork:
    """A step of transcript correction as a person meets it in one project."""

    project: Project
    step: Step
    waiting: int  # those in hand included
    drafts: int  # of these, begun

    @property
    def is_check(self) -> bool:
        return self.step == Step.CHECK


@dataclass(frozen=True)
class Hearer:
    """What somebody did in both steps of one project."""

    label: str
    corrected: int
    checked: int
    skipped: int
    last_at: datetime | None


def transcript_in_force(item: Item | int) -> Transcript | None:
    """What the first person submitted on the item."""
    submitted = Transcript.objects.filter(
        seat__place__item=item, seat__place__queue__step=Step.TRANSCRIBE, seat__state=SeatState.SUBMITTED
    )
    return submitted.select_related("seat").first()


def draft_before(seat: Seat, checks: Transcript | None) -> Transcript | None:
    """What the person wrote on the same place, about the same first transcript, before their time on it ended."""
    own = Transcript.objects.filter(
        seat__place=seat.place_id, seat__person=seat.person_id, submitted_at=None, checks=checks
    )
    return own.exclude(seat=seat).order_by("-pk").first()


def recordings_of(item: Item | int) -> dict[str, Recording]:
    """By their kind."""
    return {recording.kind: recording for recording in Recording.objects.filter(item=item)}


def recording_of(item: Item | int, kind: str) -> Recording | None:
    return Recording.objects.filter(item=item, kind=kind).first() if kind in list(RecordingKind) else None


def hearing_work(person: User) -> list[HearingWork]:
    """What there is to correct and to check for a person, project by project; nothing where nothing waits."""
    queues = Queue.objects.filter(step__in=HEARING, project__memberships__person=person).select_related("project")
    work = [_work_in(queue, person) for queue in queues.order_by("project__title", "pk")]
    return [each for each in work if each.waiting]


def _work_in(queue: Queue, person: User) -> HearingWork:
    held = Seat.objects.filter(person=person, place__queue=queue, state=SeatState.HELD)
    in_hand, drafts = held.count(), Transcript.objects.filter(seat__in=held, revision__gt=0).count()
    cursor = person.cursors.filter(queue=queue).values_list("position", flat=True).first() or 0
    ahead = count_ahead(queue, person, cursor, most=MOST_COUNTED)
    return HearingWork(queue.project, Step(queue.step), in_hand + ahead, drafts)


def skips_in(project: Project) -> list[tuple[str, int]]:
    """Why people left recordings to others, the most frequent first."""
    reasons = _seats(project).filter(state=SeatState.SKIPPED).values_list("reason").annotate(n=Count("pk"))
    return Counter(dict(reasons)).most_common()


def hearers_of(project: Project) -> list[Hearer]:
    """Everybody who corrected, checked or left something to others, those who did most first."""

    def done(step: Step) -> Count:
        return Count("pk", filter=Q(state=SeatState.SUBMITTED, place__queue__step=step))

    submitted = Q(state=SeatState.SUBMITTED)
    tallies = _seats(project).values("person").annotate(
        corrected=done(Step.TRANSCRIBE), checked=done(Step.CHECK),
        skipped=Count("pk", filter=Q(state=SeatState.SKIPPED)), last_at=Max("ended_at", filter=submitted),
    )  # fmt: skip
    by_person = {row.pop("person"): row for row in tallies}
    people = labels_of(list(User.objects.filter(pk__in=by_person))) if by_person else []
    found = [Hearer(label, **by_person[person.pk]) for label, person in people]
    worked = [each for each in found if each.corrected + each.checked + each.skipped]
    return sorted(worked, key=lambda each: -(each.corrected + each.checked))


def _seats(project: Project) -> QuerySet[Seat]:
    return Seat.objects.filter(
        place__queue__project=project, place__queue__step__in=HEARING, place__item__purpose=Purpose.WORK
    )


def recorded_among(items: Sequence[Item]) -> dict[int, list[str]]:
    """The kinds of recordings that these items have, by item."""
    found: dict[int, list[str]] = {}
    for item, kind in Recording.objects.filter(item__in=items).order_by("kind").values_list("item", "kind"):
        found.setdefault(item, []).append(kind)
    return found
