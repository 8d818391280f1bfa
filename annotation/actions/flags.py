"""Flags, raised by an annotator about a pair or by an author about an item; a researcher resolves them with a note."""

from collections.abc import Collection
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.rating.ratings import not_yours
from annotation.models import Assignment, Flag, Item
from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import normalise
from core.models import User

LONGEST = 1000  # characters of a comment or a note
NOTE_MISSING = _("Describe the outcome: the person who raised the flag will read your note.")


@transaction.atomic
def raise_flag(*, assignment: Assignment, comment: str = "", key: UUID | None = None, by: User) -> None:
    """Flag a pair or item that `by` has or had assigned. A flag sent twice with one key is stored once.

    Raises Refused.
    """
    if assignment.person_id != by.pk:
        raise not_yours()
    comment = _short(comment)
    flag, is_new = Flag.objects.get_or_create(
        assignment=assignment, submission_key=key or uuid4(), defaults={"comment": comment}
    )
    if is_new:
        record(flag, became="raised", scope=assignment.slot.queue.project, by=by)


@transaction.atomic
def resolve(*, flag: Flag, note: str, by: User) -> Flag:
    """Resolve a flag with a note, which is shown to the person who raised it. Raises Refused."""
    note = _checked(note)
    flag = Flag.objects.select_for_update(no_key=True).get(pk=flag.pk)
    if flag.resolved_at:
        raise Refused("resolved", _("This flag has already been resolved. The existing note was kept."))
    return _resolve(flag, note, by=by)


@transaction.atomic
def resolve_on(*, items: Collection[Item], note: str, by: User) -> int:
    """Resolve the open flags on these items with one note. Return how many; repeating resolves none. Raises Refused."""
    note = _checked(note)
    flags = Flag.objects.open().filter(assignment__slot__item__in=items).order_by("pk")
    locked = flags.select_related("assignment__slot__queue__project").select_for_update(no_key=True, of=("self",))
    return len([_resolve(flag, note, by=by) for flag in locked])


def _checked(note: str) -> str:
    note = _short(note)
    if not note:
        raise Refused("note_missing", NOTE_MISSING, field="note")
    return note


def _resolve(flag: Flag, note: str, *, by: User) -> Flag:
    flag.note, flag.resolved_at, flag.resolved_by = note, timezone.now(), by
    flag.save(update_fields=["note", "resolved_at", "resolved_by"])
    record(flag, was="raised", became="resolved", scope=flag.assignment.slot.queue.project, by=by)
    return flag


def _short(text: str) -> str:
    text = normalise(text)
    if len(text) > LONGEST:
        said = _("Not saved: this has %(length)d characters, but the limit is %(limit)d. Shorten it.")
        raise Refused("too_long", said % {"length": len(text), "limit": LONGEST})
    return text
