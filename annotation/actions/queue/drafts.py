"""Rules shared by all drafts on an assignment: whose draft it is, whether it may still change, and the refusals."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from annotation.actions.queue.assignments import lock, renew
from annotation.domain.quality.hours import gap_seconds
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment
from core.actions.refusals import Refused
from core.models import User


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


def go_on(assignment: Assignment) -> None:
    """Restart the lease of a locked assignment because its draft is being written. Raises Refused if it was
    submitted.
    """
    if assignment.state == AssignmentState.SUBMITTED:
        raise submitted()
    renew(assignment)


def seconds_since(saved_at: datetime, now: datetime) -> float:
    """Return the working time since the draft was saved, in seconds (annotation.domain.quality.hours)."""
    return gap_seconds((now - saved_at).total_seconds())


def assignment_over() -> Refused:
    """Return the refusal of work on an assignment whose lease has ended."""
    return Refused("assignment_over", _("Your time on this item is over. Go on with the next one."))


def stale() -> Refused:
    """Return the refusal of a draft that was made from an older revision."""
    return Refused(
        "stale", _("Not saved: this item was changed in another window meanwhile. Open it anew to go on from there.")
    )


def submitted() -> Refused:
    """Return the refusal of a change to a submitted draft."""
    return Refused("submitted", _("You have submitted this item already: it is no longer yours to change."))
