"""Voided transcripts and checks: the item goes back to be corrected, or checked, anew (docs/adr/0011).

Once an author has the item in hand or has written on it, it keeps its text: somebody's work stands on it. What was
voided then counts for nothing, and nobody is asked for it again.
"""

from collections.abc import Collection, Sequence

from django.utils import timezone

from annotation.actions.events import move, move_all
from annotation.actions.places import reopen
from annotation.actions.transcripts import put_content
from annotation.domain.workflow import NOT_HEARD, ItemState, SeatState
from annotation.models import Item, Project, Queue, Seat, Step, Transcript, User
from annotation.models.work import HEARING, TAKEN


def hear_again(
    item: Item, seats: Sequence[Seat], voided: Collection[Seat], *, project: Project, queues: dict[Step, Queue],
    why: str, by: User | None,
) -> None:  # fmt: skip
    """What becomes of an item of which some seats, locked with their places, were voided. `seats` are all that held a
    place of it before.
    """
    step_of = {queues[step].pk: step for step in HEARING if step in queues}
    lost = {step_of[seat.place.queue_id]: seat for seat in voided if seat.place.queue_id in step_of}
    if not lost:
        return
    if item.state not in (*NOT_HEARD, ItemState.OPEN) or _is_written_on(seats, queues[Step.WRITE]):
        for seat in lost.values():
            seat.place.slots -= 1
            seat.place.save(update_fields=["slots"])
        return
    first = Step.TRANSCRIBE if Step.TRANSCRIBE in lost else Step.CHECK
    _give_back(item, [seat for seat in seats if step_of.get(seat.place.queue_id) == Step.CHECK])
    if first == Step.TRANSCRIBE:
        _close_checks(item, seats, queues[Step.CHECK], project=project, why=why, by=by)
    item.places.filter(queue=queues[Step.WRITE]).update(slots=0, free=0)
    reopen([lost[first].place], queues[first])
    becomes = ItemState.RECORDED if first == Step.TRANSCRIBE else ItemState.CORRECTED
    if item.state != becomes:
        move(item, becomes, scope=project, why=why, by=by)


def _is_written_on(seats: Sequence[Seat], writing: Queue) -> bool:
    return any(seat.place.queue_id == writing.pk and seat.state in TAKEN for seat in seats)


def _give_back(item: Item, checks: Sequence[Seat]) -> None:
    """The machine's text, where a second person's had taken its place."""
    made = Transcript.objects.filter(seat__in=checks, replaced__isnull=False).first()
    if made and made.replaced is not None:
        put_content(item, made.replaced)
        Transcript.objects.filter(pk=made.pk).update(replaced=None)


def _close_checks(
    item: Item, seats: Sequence[Seat], queue: Queue, *, project: Project, why: str, by: User | None
) -> None:
    """A check of what is voided is a check of nothing."""
    own = [seat for seat in seats if seat.place.queue_id == queue.pk]
    held = [seat for seat in own if seat.state == SeatState.HELD]
    move_all(held, SeatState.OUTDATED, scope=project, why=why, by=by, ended_at=timezone.now())
    done = [seat for seat in own if seat.state == SeatState.SUBMITTED]
    move_all(done, SeatState.OUTDATED, scope=project, why=why, by=by)
    item.places.filter(queue=queue).update(slots=0, free=0)
