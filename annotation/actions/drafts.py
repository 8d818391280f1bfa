"""What every draft on a seat shares, whatever is written there: whose it is, whether it may still be written on, and
what is said where it is not.
"""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from annotation.actions.assignments import lock, renew
from annotation.actions.refusals import Refused
from annotation.domain.hours import gap_seconds
from annotation.domain.workflow import SeatState
from annotation.models import Seat, User


def must_own(seat: Seat, by: User) -> None:
    """Raises Refused for an item in somebody else's hands."""
    if seat.person_id != by.pk:
        raise Refused("not_yours", _("Not saved: this item was handed to someone else."))


def locked_to_write(seat: Seat, by: User) -> Seat:
    """The seat as it is now, locked (assignments.lock). Raises Refused where its person has left it, or lost it."""
    must_own(seat, by)
    seat = lock(seat)
    if seat.state == SeatState.SKIPPED:
        raise Refused("skipped", _("Not saved: you have left this item to others. Go on with the next one."))
    if seat.state == SeatState.VOIDED:
        raise Refused("voided", _("Not saved: your work on this item was voided. Go on with the next one."))
    return seat


def go_on(seat: Seat) -> None:
    """Somebody writes on a locked seat: its lease begins anew. Raises Refused for one that was handed in."""
    if seat.state == SeatState.SUBMITTED:
        raise submitted()
    renew(seat)


def seconds_since(saved_at: datetime, now: datetime) -> float:
    """What passed since the draft was saved, as far as it is work (annotation.domain.hours)."""
    return gap_seconds((now - saved_at).total_seconds())


def seat_over() -> Refused:
    return Refused("seat_over", _("Your time on this item is over. Go on with the next one."))


def stale() -> Refused:
    return Refused(
        "stale", _("Not saved: this item was changed in another window meanwhile. Open it anew to go on from there.")
    )


def submitted() -> Refused:
    return Refused("submitted", _("You have submitted this item already: it is no longer yours to change."))
