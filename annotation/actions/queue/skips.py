"""Undo a skip: the person gets the item back while no one else has its slot."""

from typing import Any

from django.db import transaction
from django.db.models import Exists
from django.utils.translation import gettext_lazy as _

from annotation.actions.qualification import practice_drafts
from annotation.actions.queue.assignments import lease_end, lock, take_slot_number
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Cursor, Slot, Step
from annotation.models.work import BARS
from annotation.selectors.qualification.qualification import may_go_on
from core.actions.events import move
from core.actions.refusals import Refused
from core.models import User


@transaction.atomic
def undo_skip(*, assignment: Assignment, by: User) -> Assignment:
    """Return the assignment, held again with what was written on it.

    Undoing twice changes nothing. Raises Refused if its slot has no room left, if a day has passed, or if the person
    would not be given the item now.
    """
    if assignment.person_id != by.pk:
        raise Refused("not_yours", _("Not undone: this item was handed to someone else."))
    assignment = lock(assignment)
    if assignment.state == AssignmentState.HELD:
        return assignment
    if not Assignment.objects.skipped(by).filter(pk=assignment.pk).exists():
        raise Refused("not_skipped", _("Not undone: only a skip of the last 24 hours can be taken back."))
    _must_be_open(assignment, by)
    project = assignment.slot.queue.project
    facts: dict[str, Any] = {"ended_at": None, "reason": "", "lease_until": lease_end(project)}
    if assignment.slot_number is not None:
        facts["slot_number"] = take_slot_number(assignment.slot)
    move(assignment, AssignmentState.HELD, scope=project, by=by, **facts)
    return assignment


def _must_be_open(assignment: Assignment, by: User) -> None:
    """Raise Refused unless the person of a locked assignment would be given its item now.

    Gold and practice have no slot number, so they always have room.
    """
    slot = assignment.slot
    has_room = slot.free > 0 or assignment.slot_number is None
    if not has_room and slot.assignments.taken().count() >= slot.required > 0:
        raise Refused("slot_taken", _("Not undone: this item has gone to another person. Go on with the next one."))
    if not has_room or _is_barred(slot, by) or not _may_work(assignment, by):
        raise Refused("moved_on", _("Not undone: you are no longer asked about this item. Go on with the next one."))


def _is_barred(slot: Slot, by: User) -> bool:
    """Tell whether other work of the person bars them from the slot since they skipped it."""
    step = slot.queue.step
    if step not in BARS:
        return False
    return Slot.objects.filter(Exists(Assignment.objects.in_the_way(step, by)), pk=slot.pk).exists()


def _may_work(assignment: Assignment, by: User) -> bool:
    """Tell whether the person is still assigned such work: not paused, and practice only until it is over."""
    queue = assignment.slot.queue
    if queue.step not in (Step.RATE, Step.WRITE):
        return True
    if assignment.slot.item.is_practice:
        return practice_drafts.may_submit_draft(assignment)
    return may_go_on(queue.project, by, Cursor.objects.get(queue=queue, person=by))
