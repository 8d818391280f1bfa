"""Void transcripts and their checks; the item is corrected or checked again (docs/adr/0011).

If an author has the item or has written on it, the item keeps its text, because that work is based on it. The voided
transcript then does not count, and is not asked for again.
"""

from collections.abc import Collection, Sequence

from django.utils import timezone

from annotation.actions.queue.slots import reopen_slots
from annotation.actions.transcription.transcripts import put_content
from annotation.domain.workflow import AWAITING_TRANSCRIPTION, AssignmentState, ItemState
from annotation.models import Assignment, Item, Project, Queue, Step, Transcript
from annotation.models.work import TAKEN, TRANSCRIPTION_STEPS
from core.actions.events import move, move_all
from core.models import User


def transcribe_again(
    item: Item,
    assignments: Sequence[Assignment],
    voided: Collection[Assignment],
    *,
    project: Project,
    queues: dict[Step, Queue],
    why: str,
    by: User | None,
) -> None:
    """Update an item after some of its assignments, locked with their slots, were voided.

    `assignments` are all that held its slots before.
    """
    step_of = {queues[step].pk: step for step in TRANSCRIPTION_STEPS if step in queues}
    lost = {
        step_of[assignment.slot.queue_id]: assignment for assignment in voided if assignment.slot.queue_id in step_of
    }
    if not lost:
        return
    if item.state not in (*AWAITING_TRANSCRIPTION, ItemState.OPEN) or _is_written_on(assignments, queues[Step.WRITE]):
        for assignment in lost.values():
            assignment.slot.required -= 1
            assignment.slot.save(update_fields=["required"])
        return
    first = Step.TRANSCRIBE if Step.TRANSCRIBE in lost else Step.CHECK
    _give_back(item, [assignment for assignment in assignments if step_of.get(assignment.slot.queue_id) == Step.CHECK])
    if first == Step.TRANSCRIBE:
        _close_checks(item, assignments, queues[Step.CHECK], project=project, why=why, by=by)
    item.slots.filter(queue=queues[Step.WRITE]).update(required=0, free=0)
    reopen_slots([lost[first].slot], queues[first])
    becomes = ItemState.RECORDED if first == Step.TRANSCRIBE else ItemState.CORRECTED
    if item.state != becomes:
        move(item, becomes, scope=project, why=why, by=by)


def _is_written_on(assignments: Sequence[Assignment], writing: Queue) -> bool:
    return any(assignment.slot.queue_id == writing.pk and assignment.state in TAKEN for assignment in assignments)


def _give_back(item: Item, checks: Sequence[Assignment]) -> None:
    """Restore the machine's text if a checked transcript had replaced it."""
    made = Transcript.objects.filter(assignment__in=checks, replaced__isnull=False).first()
    if made and made.replaced is not None:
        put_content(item, made.replaced)
        Transcript.objects.filter(pk=made.pk).update(replaced=None)


def _close_checks(
    item: Item, assignments: Sequence[Assignment], queue: Queue, *, project: Project, why: str, by: User | None
) -> None:
    """Mark the checks of a voided transcript as outdated, and close their slots."""
    own = [assignment for assignment in assignments if assignment.slot.queue_id == queue.pk]
    held = [assignment for assignment in own if assignment.state == AssignmentState.HELD]
    move_all(held, AssignmentState.OUTDATED, scope=project, why=why, by=by, ended_at=timezone.now())
    done = [assignment for assignment in own if assignment.state == AssignmentState.SUBMITTED]
    move_all(done, AssignmentState.OUTDATED, scope=project, why=why, by=by)
    item.slots.filter(queue=queue).update(required=0, free=0)
