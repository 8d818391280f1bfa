"""What taking back a text and taking back a verdict have in common."""

from collections.abc import Callable

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.queue.assignments import lease_end
from annotation.domain.own_work import TAKE_BACK, why_it_stays
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Purpose
from core.actions.events import move
from core.actions.refusals import Refused
from core.models import User

TAKEN_BACK = "taken back"  # the reason in the audit log


def must_be_own(assignment: Assignment, by: User) -> None:
    """Raise Refused for the work of another person."""
    if assignment.person_id != by.pk:
        raise Refused("not_yours", _("Not taken back: this is the work of another person."))


def must_be_fresh(assignment: Assignment) -> None:
    """Raise Refused unless the locked assignment is work that was submitted in the last minutes."""
    is_work = assignment.slot.item.purpose == Purpose.WORK
    why = why_it_stays(assignment.state, is_work=is_work, ended_at=assignment.ended_at, now=timezone.now())
    if why == "not_submitted":
        raise Refused("not_submitted", _("Not taken back: only work that was submitted and counts can be taken back."))
    if why == "too_late":
        text = _(
            "Not taken back: work can be taken back for %(minutes)d minutes after submission, and that time is over."
        )
        raise Refused("too_late", text % {"minutes": TAKE_BACK.total_seconds() // 60})


def begun() -> Refused:
    """Return the refusal where another person works on what was submitted, without saying who or at which step."""
    return Refused("begun", _("Not taken back: another person has already started on this item."))


def moved_on() -> Refused:
    """Return the refusal where the item is no longer as this work left it."""
    return Refused("moved_on", _("Not taken back: this item has already moved to the next step."))


def succeeds(check: Callable[..., object], *of: object) -> bool:
    """Tell whether a check of what is given raises no Refused."""
    try:
        check(*of)
    except Refused:
        return False
    return True


def hold_again(assignment: Assignment, *, by: User) -> None:
    """Give the submitted assignment back to its person, with a new lease."""
    project = assignment.slot.queue.project
    lease_until = lease_end(project)
    move(assignment, AssignmentState.HELD, scope=project, why=TAKEN_BACK, by=by, ended_at=None, lease_until=lease_until)
