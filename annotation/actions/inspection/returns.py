"""Return accepted instances to their authors for revision; existing releases stay as they are.

A return by the verdict of an inspection is in `inspections`.
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.inspection.inspections import LONGEST_COMMENT, return_for_revision
from annotation.actions.queue.assignments import lock_cursors, lock_items, lock_queue
from annotation.actions.reasoning import stop_asking
from annotation.domain.workflow import ItemState
from annotation.models import Assignment, InstanceReturn, Item, Step
from annotation.selectors.rewriting.rewrites import rewrite_in_force
from core.actions.events import move
from core.actions.refusals import Refused
from core.domain.text import normalise
from core.models import User

RETURNED_LATER = "returned_later"  # the reason in the audit log
COMMENT_MISSING = _("Say what is to be mended: its author reads it.")


@transaction.atomic
def return_instance(*, item: Item, comment: str, by: User) -> InstanceReturn:
    """Send an accepted instance back to its author with a comment, for a new round with its inspection.

    The limit of rounds does not apply, because the comment is about a fault that the inspectors missed. If it raises
    Refused, nothing has changed.
    """
    said = _checked(comment)
    queue = lock_queue(item.project, Step.WRITE)
    lock_cursors(queue, Assignment.objects.taken().filter(slot__queue=queue, slot__item=item).values("person"))
    [item] = lock_items([item.pk])
    if item.state != ItemState.KEPT:
        raise _not_accepted(item)
    rewrite = rewrite_in_force(item)
    assert rewrite is not None
    stop_asking(item, why=RETURNED_LATER, by=by)
    returned_later = InstanceReturn.objects.create(rewrite=rewrite, by=by, comment=said)
    move(item, ItemState.RETURNED, scope=queue.project, why=RETURNED_LATER, by=by)
    return_for_revision(rewrite, rewrite.assignment.slot, queue, by=by)
    return returned_later


def _checked(comment: str) -> str:
    said = normalise(comment)
    if not said:
        raise Refused("comment_missing", COMMENT_MISSING, field="comment")
    if len(said) > LONGEST_COMMENT:
        text = _("Not reopened: the comment has %(length)d characters; at most %(limit)d are taken.")
        raise Refused("comment_too_long", text % {"length": len(said), "limit": LONGEST_COMMENT}, field="comment")
    return said


def _not_accepted(item: Item) -> Refused:
    if item.state == ItemState.RETURNED:
        return Refused("being_revised", _("Not reopened: this item is being mended already."))
    return Refused("not_accepted", _("Not reopened: only what is accepted is sent back here, and this item is not."))
