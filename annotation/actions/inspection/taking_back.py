"""Take back a verdict while no one has begun on what it led to."""

from django.db import transaction
from django.utils import timezone

from annotation.actions.inspection.inspections import BECOMES
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
from annotation.domain.rewriting.rewriting import InspectionVerdict, combined_verdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Item, Queue, Rewrite, Step
from annotation.selectors.rewriting.rewrites import rewrite_in_force
from core.actions.events import move, move_all, record
from core.models import User


@transaction.atomic
def take_back_verdict(*, assignment: Assignment, by: User) -> Inspection:
    """Return the inspection to its inspector, with the blind answer and the comments; the item waits for it again.

    Taking back twice changes nothing. Raises Refused after five minutes, once another person has begun on the item, or
    once it has gone on.
    """
    must_be_own(assignment, by)
    inspection = Inspection.objects.select_related("rewrite__assignment").get(assignment=assignment)
    writing = lock_queue(assignment.slot.queue.project, Step.WRITE)
    lock_queue(writing.project, Step.INSPECT)  # so that no one is asked about its reasoning type meanwhile
    lock_cursors(writing, [inspection.rewrite.assignment.person_id])
    lock_cursors(assignment.slot.queue, [by.pk])
    [item] = lock_items([assignment.slot.item_id])
    assignment = lock_slot_of(assignment)
    inspection.refresh_from_db()
    if assignment.state == AssignmentState.HELD:
        return inspection
    became = _outcome_of(assignment, item, inspection)
    _undo_outcome(item, became, assignment.slot.round, writing, by=by)
    hold_again(assignment, by=by)
    inspection.is_correct = inspection.is_unique = inspection.is_revisable = inspection.decided_at = None
    inspection.verdict = ""
    inspection.save()
    record(inspection, became=TAKEN_BACK, scope=item.project, by=by)
    return inspection


def may_take_back_verdict(assignment: Assignment) -> bool:
    """Tell whether its inspector could take the verdict of the assignment back now."""
    inspection = getattr(assignment, "inspection", None)
    return inspection is not None and succeeds(_outcome_of, assignment, assignment.slot.item, inspection)


def _outcome_of(assignment: Assignment, item: Item, inspection: Inspection) -> ItemState:
    """Return what became of the item by the verdict.

    Raises Refused unless the verdict is of the last minutes, the item still as it left it, and no one has begun on what
    it led to. An author who has opened a returned item has read the comments.
    """
    must_be_fresh(assignment)
    slot = assignment.slot
    given = list(Inspection.objects.filter(assignment__slot=slot, assignment__state=AssignmentState.SUBMITTED))
    latest = max(given, key=lambda each: (each.decided_at, each.pk))
    outcome = combined_verdict([InspectionVerdict(each.verdict) for each in given])
    became = BECOMES[outcome] if len(given) == slot.required else ItemState.WRITTEN
    if latest != inspection or item.state != became or rewrite_in_force(item) != inspection.rewrite:
        raise moved_on()
    revisions = Rewrite.objects.filter(assignment__slot__item=item, assignment__slot__round=slot.round + 1)
    types = Assignment.objects.taken().filter(slot__item=item, slot__queue__step=Step.TYPE, slot__round=slot.round)
    if (became == ItemState.RETURNED and revisions.exists()) or (became == ItemState.KEPT and types.exists()):
        raise begun()
    return became


def _undo_outcome(item: Item, became: ItemState, round: int, writing: Queue, *, by: User) -> None:
    """Let the locked item wait for inspection as before the verdict."""
    if became == ItemState.RETURNED:
        _close_revision(item, round + 1, writing, by=by)
    elif became == ItemState.KEPT:
        stop_asking(item, why=TAKEN_BACK, by=by)
    if became != ItemState.WRITTEN:
        move(item, ItemState.WRITTEN, scope=item.project, why=TAKEN_BACK, by=by)


def _close_revision(item: Item, round: int, writing: Queue, *, by: User) -> None:
    """Take the item from its author."""
    again = Assignment.objects.taken().filter(slot__item=item, slot__queue=writing, slot__round=round)
    move_all(list(again), AssignmentState.OUTDATED, scope=item.project, why=TAKEN_BACK, by=by, ended_at=timezone.now())
    item.slots.filter(queue=writing, round=round).update(required=0, free=0)
