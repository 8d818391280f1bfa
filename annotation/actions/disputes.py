"""Pairs whose grades lie too far apart, on their way to a third person: places for them, opened and closed.

The queue of disputes is locked before any other lock (see assignments), so whoever settles items of a project that
adjudicates begins with `lock`.
"""

from collections.abc import Collection, Sequence

from django.db import transaction

from annotation.actions.assignments import lock_cursors, lock_queue
from annotation.actions.events import move_all
from annotation.actions.places import move_tail, to_the_tail
from annotation.domain.batches import batched
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Adjudication, Item, Kind, Place, Project, Purpose, Queue, Seat, Step, User

CHUNK = 1_000
SLOTS = 1  # one third person decides


def lock(project: Project) -> None:
    """The queue of disputes, locked, where the project has one that is open."""
    if project.kind == Kind.RATING and project.rating.adjudicate:
        lock_queue(project, Step.ADJUDICATE)


def may_be_decided(item: Item) -> bool:
    """Nobody is asked about a text that is not here, or about a pair that does not count."""
    return item.has_text and item.purpose == Purpose.WORK


def follow(items: Collection[Item], *, project: Project, by: User | None) -> None:
    """Open a place for those of the items that wait for a third person now, and close those of the others."""
    queue = Queue.objects.filter(project=project, step=Step.ADJUDICATE).first()
    if queue is None:
        return
    places = {place.item_id: place for place in Place.objects.filter(queue=queue, item__in=items)}
    waiting = [item for item in items if item.state == ItemState.DISPUTED]
    _open([item for item in waiting if item.pk not in places], queue)
    _reopen([places[item.pk] for item in waiting if item.pk in places and not places[item.pk].slots], queue)
    _close([places[item.pk] for item in items if item.pk in places and item not in waiting], queue, by=by)


@transaction.atomic
def follow_setting(*, project: Project, by: User) -> None:
    """Bring the pairs that nobody has decided about in line with the project's setting.

    Switched on, those removed by their gap wait for a third person; switched off, those that wait are removed.
    """
    if project.kind != Kind.RATING:
        return
    was, becomes = ItemState.DISPUTED, ItemState.REMOVED
    if project.rating.adjudicate:
        Queue.objects.get_or_create(project=project, step=Step.ADJUDICATE)
        was, becomes = becomes, was
    if not Queue.objects.filter(project=project, step=Step.ADJUDICATE).exists():
        return
    lock_queue(project, Step.ADJUDICATE)
    decided = Adjudication.objects.counting().filter(seat__place__item__project=project)
    items = project.items.counting().filter(state=was).exclude(pk__in=decided.values("seat__place__item"))
    for some in batched(items.order_by("position").iterator(CHUNK), CHUNK):
        moving = [item for item in some if may_be_decided(item)]
        move_all(moving, becomes, scope=project, by=by)
        follow(moving, project=project, by=by)


def _open(items: Sequence[Item], queue: Queue) -> None:
    Place.objects.bulk_create(
        Place(queue=queue, item=item, slots=SLOTS, free=SLOTS, position=position)
        for position, item in enumerate(items, start=queue.tail + 1)
    )
    move_tail(queue, len(items))


def _reopen(places: Sequence[Place], queue: Queue) -> None:
    for place in places:
        place.slots = place.free = SLOTS
    to_the_tail(places, queue)


def _close(places: Sequence[Place], queue: Queue, *, by: User | None) -> None:
    """Nobody is wanted there any more. Who has such a pair in hand loses it; what was decided stays as it was."""
    held = Seat.objects.filter(place__in=places, state=SeatState.HELD)
    lock_cursors(queue, held.values("person"))
    move_all(list(held), SeatState.RETURNED, scope=queue.project, by=by)
    decided = Seat.objects.filter(place__in=places, state=SeatState.SUBMITTED).values("place")
    Place.objects.filter(pk__in=[place.pk for place in places]).exclude(pk__in=decided).update(slots=0, free=0)
