"""Take back a submitted text while no one has begun to judge it."""

from django.db import transaction
from django.utils import timezone

from annotation.actions.queue.assignments import lock_cursors, lock_items, lock_queue, lock_slot_of
from annotation.actions.queue.taking_back import (
    TAKEN_BACK,
    begun,
    hold_again,
    moved_on,
    must_be_fresh,
    must_be_own,
    succeeds,
)
from annotation.actions.reasoning import stop_asking
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Rewrite, Step
from core.actions.events import move
from core.models import User


@transaction.atomic
def take_back_text(*, assignment: Assignment, by: User) -> Rewrite:
    """Return the text as a draft of its author, who holds the item again; its inspection is no longer asked for.

    Taking back twice changes nothing. Raises Refused after five minutes, once another person has begun on the item, or
    once it has gone on.
    """
    must_be_own(assignment, by)
    slot = assignment.slot
    inspecting = lock_queue(slot.queue.project, Step.INSPECT)
    lock_cursors(slot.queue, [by.pk])
    [item] = lock_items([slot.item_id])
    assignment = lock_slot_of(assignment)
    rewrite = Rewrite.objects.get(assignment=assignment)
    if assignment.state == AssignmentState.HELD:
        return rewrite
    _must_be_free(assignment, item, rewrite)
    if item.state == ItemState.KEPT:
        stop_asking(item, why=TAKEN_BACK, by=by)
    item.slots.filter(queue=inspecting, round=assignment.slot.round).update(required=0, free=0)
    before = ItemState.OPEN if assignment.slot.round == 1 else ItemState.RETURNED
    move(item, before, scope=item.project, why=TAKEN_BACK, by=by)
    hold_again(assignment, by=by)
    rewrite.submitted_at, rewrite.saved_at = None, timezone.now()  # the time since is no time at work
    rewrite.save(update_fields=["submitted_at", "saved_at"])
    return rewrite


def may_take_back_text(assignment: Assignment) -> bool:
    """Tell whether its author could take the text of the assignment back now."""
    rewrite = getattr(assignment, "rewrite", None)
    return rewrite is not None and succeeds(_must_be_free, assignment, assignment.slot.item, rewrite)


def _must_be_free(assignment: Assignment, item: Item, rewrite: Rewrite) -> None:
    """Raise Refused unless the text is of the last minutes and its item as it left it: waiting for inspection, or
    accepted without one.
    """
    must_be_fresh(assignment)
    steps = (Step.INSPECT, Step.TYPE)
    others = Assignment.objects.taken().filter(
        slot__item=item, slot__round=assignment.slot.round, slot__queue__step__in=steps
    )
    if rewrite.inspections.exists() or others.exists():
        raise begun()
    if item.state not in (ItemState.WRITTEN, ItemState.KEPT):
        raise moved_on()
