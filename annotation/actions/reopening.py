"""Accepted instances that somebody sends back to their authors after all: what was frozen before stays as it is."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.assignments import lock_cursors, lock_items, lock_queue
from annotation.actions.events import move
from annotation.actions.inspections import LONGEST_COMMENT, send_back
from annotation.actions.reasoning import stop_asking
from annotation.actions.refusals import Refused
from annotation.domain.text import normalise
from annotation.domain.workflow import ItemState
from annotation.models import Item, Reopening, Seat, Step, User
from annotation.selectors.rewrites import rewrite_in_force

REOPENED = "reopened"  # the reason in the audit log
COMMENT_MISSING = _("Say what is to be mended: its author reads it.")


@transaction.atomic
def reopen(*, item: Item, comment: str, by: User) -> Reopening:
    """Send an accepted instance back to its author, who reads the comment, for a new round with its inspection.

    How often it was sent back before does not matter: whoever does this has found what inspectors let pass. Raises
    Refused, and nothing has changed.
    """
    said = _checked(comment)
    queue = lock_queue(item.project, Step.WRITE)
    lock_cursors(queue, Seat.objects.taken().filter(place__queue=queue, place__item=item).values("person"))
    [item] = lock_items([item.pk])
    if item.state != ItemState.KEPT:
        raise _not_accepted(item)
    rewrite = rewrite_in_force(item)
    assert rewrite is not None
    stop_asking(item, why=REOPENED, by=by)
    reopened = Reopening.objects.create(rewrite=rewrite, by=by, comment=said)
    move(item, ItemState.RETURNED, scope=queue.project, why=REOPENED, by=by)
    send_back(rewrite, rewrite.seat.place, queue, by=by)
    return reopened


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
        return Refused("being_mended", _("Not reopened: this item is being mended already."))
    return Refused("not_accepted", _("Not reopened: only what is accepted is sent back here, and this item is not."))
