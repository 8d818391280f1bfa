"""Slots of a queue: made, and opened again. The caller has locked the queue: only then does its tail move.

A slot that opens again goes to the tail, beyond every cursor: whoever passed it when it was full comes to it again.
"""

from collections.abc import Sequence

from django.db.models import Count, Q

from annotation.domain.workflow import ItemState
from annotation.models import Item, Queue, Slot
from annotation.models.work import TAKEN


def open_slot(*, item: Item, queue: Queue, round: int, required: int) -> Slot:
    """A slot at the tail: the next round of work on an item, or one that was closed."""
    move_tail(queue, 1)
    room = {"required": required, "free": required, "position": queue.tail}
    slot, _new = Slot.objects.update_or_create(queue=queue, item=item, round=round, defaults=room)
    return slot


def reopen_slots(slots: Sequence[Slot], queue: Queue) -> None:
    """Give each slot the room back that one person leaves."""
    for slot in slots:
        if not slot.item.has_text:
            slot.required -= 1  # a grade from elsewhere, of a text that is not here: nobody can be asked for another
        elif slot.item.state != ItemState.CLEANED:
            slot.free += 1
    move_to_tail(slots, queue)


def move_to_tail(slots: Sequence[Slot], queue: Queue) -> None:
    """Save the slots with their new room and, one after the other, the last positions of the queue."""
    for position, slot in enumerate(slots, start=queue.tail + 1):
        slot.position = position
    Slot.objects.bulk_update(slots, ["required", "free", "position"])
    move_tail(queue, len(slots))


def move_tail(queue: Queue, slots: int) -> None:
    """Note that the positions of so many further slots are given out."""
    if slots:
        queue.tail += slots
        queue.save(update_fields=["tail"])


def reopen_slots_of(items: Sequence[Item], queues: Sequence[Queue]) -> None:
    """Give the closed slots of these items all the room back that their assignments leave."""
    closed = Slot.objects.filter(item__in=items, queue__in=queues, free=0).order_by("position")
    taken = Count("assignments", filter=Q(assignments__state__in=TAKEN, assignments__slot_number__isnull=False))
    roomy = [slot for slot in closed.annotate(taken=taken) if slot.taken < slot.required]
    for queue in queues:
        slots = [slot for slot in roomy if slot.queue_id == queue.pk]
        for slot in slots:
            slot.free = slot.required - slot.taken
        move_to_tail(slots, queue)
