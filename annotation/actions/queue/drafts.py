"""Begin, save, submit or skip a draft of any step; a draft is saved as a whole.

The actions of a step (rewrites.py, transcripts.py) say what its text is and what a submission leads to.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.actions.queue.assignments import give_up, lock, renew
from annotation.domain.quality.hours import gap_seconds
from annotation.domain.rewriting.rewriting import Flaw
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment
from annotation.models.drafts import Draft, DraftT
from core.actions.refusals import Refused
from core.models import User


class NotSubmitted(Refused):
    """Refusal of a submission whose text is kept as a draft; `flaws` lists what must be revised."""

    def __init__(self, code: str, message: str | Promise, flaws: Sequence[Flaw] = ()) -> None:
        super().__init__(code, message)
        self.flaws = list(flaws)


def must_own(assignment: Assignment, by: User) -> None:
    """Raise Refused for an item assigned to another person."""
    if assignment.person_id != by.pk:
        raise Refused("not_yours", _("Not saved: this item was handed to someone else."))


def locked_to_write(assignment: Assignment, by: User) -> Assignment:
    """Lock the assignment and return it as stored now (assignments.lock).

    Raises Refused if its person has skipped it, or if it was voided.
    """
    must_own(assignment, by)
    assignment = lock(assignment)
    if assignment.state == AssignmentState.SKIPPED:
        raise Refused("skipped", _("Not saved: you have left this item to others. Go on with the next one."))
    if assignment.state == AssignmentState.VOIDED:
        raise Refused("voided", _("Not saved: your work on this item was voided. Go on with the next one."))
    return assignment


def begun(model: type[DraftT], assignment: Assignment) -> DraftT | None:
    """Return the draft of a locked assignment, None if there is none yet. Raises Refused if its lease is over too."""
    if draft := model._default_manager.filter(assignment=assignment).first():
        draft.assignment = assignment
        return draft
    if assignment.state != AssignmentState.HELD:
        raise Refused("assignment_over", _("Your time on this item is over. Go on with the next one."))
    return None


def begin_again(draft: DraftT, assignment: Assignment) -> DraftT:
    """Copy a person's draft from before their lease ended to their new assignment."""
    again = copy(draft)
    again.pk, again.assignment = None, assignment
    again.save()
    return again


def go_on(draft: Draft) -> None:
    """Restart the lease of the draft's locked assignment, since it is being written. Raises Refused if it was
    submitted.
    """
    if draft.assignment.state == AssignmentState.SUBMITTED:
        raise submitted()
    renew(draft.assignment)


def has_text(draft: Draft, text: Mapping[str, Any]) -> bool:
    """Tell whether the draft is this text, given by the names of its columns."""
    return all(getattr(draft, name) == value for name, value in text.items())


def must_be_newest(draft: Draft, revision: int) -> None:
    """Raise Refused for a text that was made from an older revision of the draft."""
    if revision != draft.revision:
        text = _("Not saved: this item has been changed in another window. Open it again to continue.")
        raise Refused("stale", text)


def write(draft: Draft, text: Mapping[str, Any], save_key: UUID | None) -> None:
    """Store the text as the draft's next revision, with the time at work since the last one."""
    for name, value in text.items():
        setattr(draft, name, value)
    draft.revision += 1
    draft.save_key = save_key
    now = timezone.now()
    _add_time(draft, now)
    draft.saved_at = now
    draft.save(update_fields=[*text, "revision", "save_key", "saved_at", "seconds"])


def close(draft: Draft, *also: str) -> None:
    """Store that the draft is submitted, and the fields `also` that its submission changed."""
    draft.submitted_at = timezone.now()
    _add_time(draft, draft.submitted_at)
    draft.save(update_fields=["submitted_at", "seconds", *also])


def begin_now(model: type[DraftT], assignment: int, *, by: User) -> None:
    """Let the time at work on a draft that was opened ahead begin now, if nothing is written yet."""
    own = model._default_manager.filter(assignment=assignment, assignment__person=by, revision=0)
    own.update(saved_at=timezone.now())


def skip(draft: Draft, reason: str, *, by: User) -> None:
    """Leave the draft's item to others. Raises Refused if the person has submitted it."""
    assignment = draft.assignment
    must_own(assignment, by)
    skipped = give_up(assignment=assignment, becomes=AssignmentState.SKIPPED, reason=reason, by=by)
    own = Assignment.objects.filter(slot=assignment.slot_id, person=by)
    if skipped is None and own.filter(state=AssignmentState.SUBMITTED).exists():
        raise submitted()


def submitted() -> Refused:
    """Return the refusal of a change to a submitted draft."""
    return Refused("submitted", _("You have submitted this item already: it can no longer be changed."))


def not_submitted(flaws: Sequence[Flaw]) -> NotSubmitted:
    """Return the refusal of a submission for its flaws; without any, another person has the item by now."""
    if flaws:
        text = _("Not submitted: something must be changed first. Your text is kept.")
        return NotSubmitted("flaws", text, flaws)
    text = _("Not submitted: this item went to someone else after your time on it ended. Your text is kept as a draft.")
    return NotSubmitted("slot_taken", text)


def _add_time(draft: Draft, now: datetime) -> None:
    """Add the time at work since the draft was saved (annotation.domain.quality.hours)."""
    draft.seconds += gap_seconds((now - draft.saved_at).total_seconds())
