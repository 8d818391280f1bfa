"""What every draft on an assignment shares, whatever is written there: whose it is, whether it may still be written on,
and what is said where it is not.
"""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from annotation.actions.queue.assignments import lock, renew
from annotation.domain.quality.hours import gap_seconds
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment
from core.actions.refusals import Refused
from core.models import User


def must_own(assignment: Assignment, by: User) -> None:
    """Raises Refused for an item in somebody else's hands."""
    if assignment.person_id != by.pk:
        raise Refused("not_yours", _("Not saved: this item was handed to someone else."))


def locked_to_write(assignment: Assignment, by: User) -> Assignment:
    """The assignment as it is now, locked (assignments.lock). Raises Refused where its person has left it, or
    lost it.
    """
    must_own(assignment, by)
    assignment = lock(assignment)
    if assignment.state == AssignmentState.SKIPPED:
        raise Refused("skipped", _("Not saved: you have left this item to others. Go on with the next one."))
    if assignment.state == AssignmentState.VOIDED:
        raise Refused("voided", _("Not saved: your work on this item was voided. Go on with the next one."))
    return assignment


def go_on(assignment: Assignment) -> None:
    """Somebody writes on a locked assignment: its lease begins anew. Raises Refused for one that was handed in."""
    if assignment.state == AssignmentState.SUBMITTED:
        raise submitted()
    renew(assignment)


def seconds_since(saved_at: datetime, now: datetime) -> float:
    """What passed since the draft was saved, as far as it is work (annotation.domain.quality.hours)."""
    return gap_seconds((now - saved_at).total_seconds())


def assignment_over() -> Refused:
    return Refused("assignment_over", _("Your time on this item is over. Go on with the next one."))


def stale() -> Refused:
    return Refused(
        "stale", _("Not saved: this item was changed in another window meanwhile. Open it anew to go on from there.")
    )


def submitted() -> Refused:
    return Refused("submitted", _("You have submitted this item already: it is no longer yours to change."))
