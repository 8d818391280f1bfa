"""Return accepted instances to their authors for revision; existing releases stay as they are.

A return by the verdict of an inspection is in `inspections`.
"""

from collections.abc import Iterable

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
NOT_ACCEPTED = ("being_revised", "not_accepted")
COMMENT_MISSING = _("Say what must be changed: its author will read it.")


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


def return_instances(*, items: Iterable[Item], comment: str, by: User) -> int:
    """Send accepted instances back with one comment, each under its own locks. Return how many.

    Those that are no longer accepted stay as they are. Raises Refused for the comment.
    """
    _checked(comment)
    returned = 0
    for item in items:
        try:
            return_instance(item=item, comment=comment, by=by)
        except Refused as refused:
            if refused.code not in NOT_ACCEPTED:
                raise
        else:
            returned += 1
    return returned


def _checked(comment: str) -> str:
    said = normalise(comment)
    if not said:
        raise Refused("comment_missing", COMMENT_MISSING, field="comment")
    if len(said) > LONGEST_COMMENT:
        text = _("Not sent back: the comment has %(length)d characters; at most %(limit)d are allowed.")
        raise Refused("comment_too_long", text % {"length": len(said), "limit": LONGEST_COMMENT}, field="comment")
    return said


def _not_accepted(item: Item) -> Refused:
    if item.state == ItemState.RETURNED:
        return Refused("being_revised", _("Not sent back: this item is already being revised."))
    return Refused(
        "not_accepted", _("Not sent back: only accepted items can be sent back here, and this item is not accepted.")
    )
