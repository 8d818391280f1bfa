"""What a third person decides about a pair whose grades lie too far apart, without having seen them.

Either its final grade, with the type that explains it, or that it is removed, with a reason.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions import disputes, ratings
from annotation.actions.assignments import give_up, lock, submit_seat
from annotation.actions.events import record, record_all
from annotation.actions.given_grades import sit
from annotation.actions.refusals import Refused, must_be_shown
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Adjudication, GuidelineVersion, Place, Project, Seat, Step, User
from annotation.models.work import CHANGEABLE

REMOVAL_REASONS = {"ambiguous": _("Can be read in several ways"), **ratings.SKIP_REASONS}
SKIP_REASONS = {"unclear": _("I cannot judge it"), "other": _("Another reason")}


class Decision(NamedTuple):
    """A final grade with its type, or no grade and why the pair is removed."""

    grade: int | None
    reason: str


def decide(*, seat: Seat, decision: Decision, anew: bool = False, by: User) -> Adjudication:
    """Decide about the pair on a seat of one's own, or, where that is meant, `anew` about one of the last five.

    The same decision sent twice is stored once. Raises Refused.
    """
    if seat.person_id != by.pk:
        raise ratings.not_yours()
    with transaction.atomic():
        project = seat.place.queue.project
        disputes.lock(project)
        seat = lock(seat)
        _must_be_a_third(seat, by)
        guideline = check(project, decision)
        if seat.state == SeatState.SUBMITTED:
            made = seat.adjudications.get(replaced_at=None)
            if Decision(made.grade, made.reason) == decision:
                return made
            if not anew:
                text = _("Not saved: you have decided about this pair already. Change that under “Undo last”.")
                raise Refused("decided", text)
            _replace(seat, project, by)
        elif seat.place.item.state != ItemState.DISPUTED or not submit_seat(seat, by=by):
            raise Refused("moved_on", _("Not counted: this pair is decided, or needs no third person any more."))
        made = Adjudication.objects.create(seat=seat, guideline=guideline, **decision._asdict())
        ratings.settle([seat.place.item], project=project, by=by)
        return made


def _must_be_a_third(seat: Seat, by: User) -> None:
    if Seat.objects.judged_by(Step.ADJUDICATE, by).filter(place__item=seat.place.item_id).exists():
        raise Refused("own_item", _("You had this pair to grade yourself: somebody else decides about it."))


def check(project: Project, decision: Decision) -> GuidelineVersion:
    """The guideline in force, which allows the decision. Raises Refused."""
    if decision.grade is not None:
        return ratings.check(project, decision.grade, decision.reason)
    must_be_shown(decision.reason, REMOVAL_REASONS)
    return project.guidelines.all()[:1].get()


def _replace(seat: Seat, project: Project, by: User) -> None:
    """The decision in force becomes history."""
    last = Adjudication.objects.changeable(by)
    if seat.pk not in [each.seat_id for each in last]:
        text = _("Only your last %(count)s decisions can be changed.")
        raise Refused("too_late_to_change", text % {"count": CHANGEABLE})
    seat.adjudications.filter(replaced_at=None).update(replaced_at=timezone.now())
    record(seat, was=SeatState.SUBMITTED, became="grade changed", scope=project, by=by)


def store(places: Sequence[Place], decisions: Sequence[Decision], *, person: User, guideline: GuidelineVersion,
          project: Project, by: User) -> list[Adjudication]:  # fmt: skip
    """What somebody who did not sit at the page decided about many pairs, and settle them.

    The caller holds the locks of the places, after that of `disputes.lock`, and nothing bars the person from them.
    """
    seats = sit([(place, person) for place in places])
    made = Adjudication.objects.bulk_create(
        Adjudication(seat=seat, guideline=guideline, **decision._asdict())
        for seat, decision in zip(seats, decisions, strict=True)
    )
    record_all(seats, became=SeatState.SUBMITTED, scope=project, by=by)
    ratings.settle([place.item for place in places], project=project, by=by)
    return made


def skip(*, seat: Seat, reason: str, by: User) -> None:
    """Leave a pair to another third person, with a reason. One is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    if seat.person_id != by.pk:
        raise ratings.not_yours()
    give_up(seat=seat, becomes=SeatState.SKIPPED, reason=reason, by=by)
