"""Places of a queue: made, and opened again. The caller has locked the queue: only then does its tail move.

A place that opens again goes to the tail, beyond every cursor: whoever passed it when it was full comes to it again.
"""

from collections.abc import Sequence

from django.db.models import Count, Q

from annotation.domain.workflow import ItemState
from annotation.models import Item, Place, Queue
from annotation.models.work import TAKEN


def open_place(*, item: Item, queue: Queue, round: int, slots: int) -> Place:
    """A place at the tail: the next round of work on an item, or one that was closed."""
    move_tail(queue, 1)
    room = {"slots": slots, "free": slots, "position": queue.tail}
    place, _new = Place.objects.update_or_create(queue=queue, item=item, round=round, defaults=room)
    return place


def reopen(places: Sequence[Place], queue: Queue) -> None:
    """Give each place the room back that one person leaves."""
    for place in places:
        if not place.item.has_text:
            place.slots -= 1  # a grade from elsewhere, of a text that is not here: nobody can be asked for another
        elif place.item.state != ItemState.CLEANED:
            place.free += 1
    to_the_tail(places, queue)


def to_the_tail(places: Sequence[Place], queue: Queue) -> None:
    """Save the places with their new room and, one after the other, the last positions of the queue."""
    for position, place in enumerate(places, start=queue.tail + 1):
        place.position = position
    Place.objects.bulk_update(places, ["slots", "free", "position"])
    move_tail(queue, len(places))


def move_tail(queue: Queue, places: int) -> None:
    """Note that the positions of so many further places are given out."""
    if places:
        queue.tail += places
        queue.save(update_fields=["tail"])


def reopen_items(items: Sequence[Item], queues: Sequence[Queue]) -> None:
    """Give the closed places of these items all the room back that their seats leave."""
    closed = Place.objects.filter(item__in=items, queue__in=queues, free=0).order_by("position")
    taken = Count("seats", filter=Q(seats__state__in=TAKEN, seats__slot__isnull=False))
    roomy = [place for place in closed.annotate(taken=taken) if place.taken < place.slots]
    for queue in queues:
        places = [place for place in roomy if place.queue_id == queue.pk]
        for place in places:
            place.free = place.slots - place.taken
        to_the_tail(places, queue)
