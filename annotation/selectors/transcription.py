"""Corrections of machine transcripts, and what waits for each person."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from annotation.domain.transcription.recordings import RecordingKind
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Item, Project, Purpose, Queue, Recording, Step, Transcript
from annotation.models.work import TRANSCRIPTION_STEPS
from annotation.permissions import projects_of
from annotation.selectors.rating.grades import labels_of
from annotation.selectors.rating.own_work import count_ahead
from core.models import User
from core.selectors.tallies import by_key

MOST_COUNTED = 1_000  # waiting items; no one does more in a day


@dataclass(frozen=True)
class TranscriptionWork:
    """A step of transcript correction in one project, with a person's waiting work."""

    project: Project
    step: Step
    waiting: int  # including held ones
    drafts: int  # those of them that are begun

    @property
    def is_check(self) -> bool:
        return self.step == Step.CHECK


@dataclass(frozen=True)
class TranscriberFigures:
    """The figures of one person in both steps of one project."""

    label: str
    corrected: int
    checked: int
    skipped: int
    last_at: datetime | None


def transcript_in_force(item: Item | int) -> Transcript | None:
    """Return the transcript that the first person submitted on the item."""
    submitted = Transcript.objects.filter(
        assignment__slot__item=item,
        assignment__slot__queue__step=Step.TRANSCRIBE,
        assignment__state=AssignmentState.SUBMITTED,
    )
    return submitted.select_related("assignment").first()


def recordings_of(item: Item | int) -> dict[str, Recording]:
    """Return the recordings of an item by kind."""
    return {recording.kind: recording for recording in Recording.objects.filter(item=item)}


def recording_of(item: Item | int, kind: str) -> Recording | None:
    return Recording.objects.filter(item=item, kind=kind).first() if kind in list(RecordingKind) else None


def transcription_work(person: User) -> list[TranscriptionWork]:
    """Return the steps with transcripts for a person to correct or check, by project."""
    queues = Queue.objects.filter(
        step__in=TRANSCRIPTION_STEPS, project__in=projects_of(person, "transcripts.correct"), project__archived_at=None
    ).select_related("project")
    work = [_work_in(queue, person) for queue in queues.order_by("project__title", "pk")]
    return [each for each in work if each.waiting]


def _work_in(queue: Queue, person: User) -> TranscriptionWork:
    held = Assignment.objects.filter(person=person, slot__queue=queue, state=AssignmentState.HELD)
    claimed, drafts = held.count(), Transcript.objects.filter(assignment__in=held, revision__gt=0).count()
    cursor = person.cursors.filter(queue=queue).values_list("position", flat=True).first() or 0
    ahead = count_ahead(queue, person, cursor, most=MOST_COUNTED)
    return TranscriptionWork(queue.project, Step(queue.step), claimed + ahead, drafts)


def skips_in(project: Project) -> list[tuple[str, int]]:
    """Return the reasons why people skipped recordings, the most frequent first."""
    reasons = _assignments(project).filter(state=AssignmentState.SKIPPED).values_list("reason").annotate(n=Count("pk"))
    return Counter(dict(reasons)).most_common()


def transcribers_of(project: Project) -> list[TranscriberFigures]:
    """Return all who corrected, checked or skipped something, those who did most first."""

    def done(step: Step) -> Count:
        return Count("pk", filter=Q(state=AssignmentState.SUBMITTED, slot__queue__step=step))

    submitted = Q(state=AssignmentState.SUBMITTED)
    tallies = (
        _assignments(project)
        .values("person")
        .annotate(
            corrected=done(Step.TRANSCRIBE),
            checked=done(Step.CHECK),
            skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
            last_at=Max("ended_at", filter=submitted),
        )
    )
    by_person = by_key(tallies, "person")
    people = labels_of(list(User.objects.filter(pk__in=by_person))) if by_person else []
    found = [TranscriberFigures(label, **by_person[person.pk]) for label, person in people]
    worked = [each for each in found if each.corrected + each.checked + each.skipped]
    return sorted(worked, key=lambda each: -(each.corrected + each.checked))


def _assignments(project: Project) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        slot__queue__project=project, slot__queue__step__in=TRANSCRIPTION_STEPS, slot__item__purpose=Purpose.WORK
    )


def recorded_of(items: Sequence[Item]) -> dict[int, list[str]]:
    """Return the kinds of recordings that these items have, by item."""
    found: dict[int, list[str]] = {}
    for item, kind in Recording.objects.filter(item__in=items).order_by("kind").values_list("item", "kind"):
        found.setdefault(item, []).append(kind)
    return found
