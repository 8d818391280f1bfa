"""Create and reopen slots of a queue. The caller holds the lock of the queue, because its tail moves.

Reopened slots go to the tail, so that every annotator meets them again, also one who passed them when they were full.
"""

from collections.abc import Sequence

from django.db.models import Count, Q

from annotation.domain.workflow import ItemState
from annotation.models import Item, Queue, Slot
from annotation.models.work import TAKEN


def open_slot(*, item: Item, queue: Queue, round: int, required: int) -> Slot:
    """Create a slot at the tail for the next round of an item, or reopen a closed one."""
    move_tail(queue, 1)
    room = {"required": required, "free": required, "position": queue.tail}
    slot, _new = Slot.objects.update_or_create(queue=queue, item=item, round=round, defaults=room)
    return slot


def reopen_slots(slots: Sequence[Slot], queue: Queue) -> None:
    """Add one free place to each slot for an assignment that ended: a slot where two did is named twice."""
    for slot in slots:
        if not slot.item.has_text:
            slot.required -= 1  # an imported grade of an item without text, which cannot be graded again here
        elif slot.item.state != ItemState.CLEANED:
            slot.free += 1
    move_to_tail(list(dict.fromkeys(slots)), queue)


def move_to_tail(slots: Sequence[Slot], queue: Queue) -> None:
    """Save the slots with their new room at the last positions of the queue, in this order."""
    for position, slot in enumerate(slots, start=queue.tail + 1):
        slot.position = position
    Slot.objects.bulk_update(slots, ["required", "free", "position"])
    move_tail(queue, len(slots))


def move_tail(queue: Queue, slots: int) -> None:
    """Record that this many more positions are used."""
    if slots:
        queue.tail += slots
        queue.save(update_fields=["tail"])


def reopen_slots_of(items: Sequence[Item], queues: Sequence[Queue]) -> None:
    """Reopen the closed slots of these items, with the room that their assignments leave."""
    closed = Slot.objects.filter(item__in=items, queue__in=queues, free=0).order_by("position")
    taken = Count("assignments", filter=Q(assignments__state__in=TAKEN, assignments__slot_number__isnull=False))
    roomy = [slot for slot in closed.annotate(taken=taken) if slot.taken < slot.required]
    for queue in queues:
        slots = [slot for slot in roomy if slot.queue_id == queue.pk]
        for slot in slots:
            slot.free = slot.required - slot.taken
        move_to_tail(slots, queue)
