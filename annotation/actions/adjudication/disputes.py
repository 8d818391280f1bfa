"""Open and close the slots in which adjudicators decide about pairs whose grades differ too much.

Lock order: the queue of disputes comes before any other lock (see assignments), so an action that settles items of a
project with adjudication begins with `lock`.
"""

from collections.abc import Collection, Sequence

from django.db import transaction

from annotation.actions.queue.assignments import lock_cursors, lock_queue
from annotation.actions.queue.slots import move_tail, move_to_tail
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Adjudication, Assignment, Item, Kind, Project, Purpose, Queue, Slot, Step
from core.actions.events import move_all
from core.domain.batches import batched
from core.models import User

CHUNK = 1_000
REQUIRED = 1  # one adjudicator decides


def lock(project: Project) -> None:
    """Lock the project's queue of disputes if it has one in use."""
    if project.kind == Kind.RATING and project.rating.adjudicate:
        lock_queue(project, Step.ADJUDICATE)


def may_be_decided(item: Item) -> bool:
    """Tell whether an adjudicator may be asked: the text is stored here and the pair is work, not gold or practice."""
    return item.has_text and item.purpose == Purpose.WORK


def follow(items: Collection[Item], *, project: Project, by: User | None) -> None:
    """Open a slot for each of the items that is in adjudication now, and close the slots of the others."""
    queue = Queue.objects.filter(project=project, step=Step.ADJUDICATE).first()
    if queue is None:
        return
    slots = {slot.item_id: slot for slot in Slot.objects.filter(queue=queue, item__in=items)}
    waiting = [item for item in items if item.state == ItemState.DISPUTED]
    _open([item for item in waiting if item.pk not in slots], queue)
    _reopen([slots[item.pk] for item in waiting if item.pk in slots and not slots[item.pk].required], queue)
    _close([slots[item.pk] for item in items if item.pk in slots and item not in waiting], queue, by=by)


@transaction.atomic
def follow_setting(*, project: Project, by: User) -> None:
    """Apply the project's setting to the pairs without an adjudicator's decision.

    Switched on, pairs removed because of their gap go to an adjudicator; switched off, pairs in adjudication are
    removed.
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
    decided = Adjudication.objects.counting().filter(assignment__slot__item__project=project)
    items = project.items.counting().filter(state=was).exclude(pk__in=decided.values("assignment__slot__item"))
    for some in batched(items.order_by("position").iterator(CHUNK), CHUNK):
        moving = [item for item in some if may_be_decided(item)]
        move_all(moving, becomes, scope=project, by=by)
        follow(moving, project=project, by=by)


def _open(items: Sequence[Item], queue: Queue) -> None:
    Slot.objects.bulk_create(
        Slot(queue=queue, item=item, required=REQUIRED, free=REQUIRED, position=position)
        for position, item in enumerate(items, start=queue.tail + 1)
    )
    move_tail(queue, len(items))


def _reopen(slots: Sequence[Slot], queue: Queue) -> None:
    for slot in slots:
        slot.required = slot.free = REQUIRED
    move_to_tail(slots, queue)


def _close(slots: Sequence[Slot], queue: Queue, *, by: User | None) -> None:
    """Close slots and return the assignments held on them; submitted decisions are kept."""
    held = Assignment.objects.filter(slot__in=slots, state=AssignmentState.HELD)
    lock_cursors(queue, held.values("person"))
    move_all(list(held), AssignmentState.RETURNED, scope=queue.project, by=by)
    decided = Assignment.objects.filter(slot__in=slots, state=AssignmentState.SUBMITTED).values("slot")
    Slot.objects.filter(pk__in=[slot.pk for slot in slots]).exclude(pk__in=decided).update(required=0, free=0)
