"""Grades: given, changed, skipped."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions import disputes
from annotation.actions.assignments import give_up, hold_on, lock_place_of, own_cursor, submit_seat
from annotation.actions.events import move_all, record
from annotation.actions.pausing import watch
from annotation.actions.refusals import Refused, must_be_shown
from annotation.domain.rating import Outcome, check_reason, outcome
from annotation.domain.workflow import ItemState, RaterState, SeatState
from annotation.models import Adjudication, Cursor, GuidelineVersion, Item, Project, Rating, Seat, Step, User

SKIP_REASONS = {
    "not_chinese": _("Not Chinese"),
    "cut_off": _("Cut off"),
    "not_cleaned": _("Should have been cleaned"),
    "other": _("Another reason"),
}


def submit(*, seat: Seat, grade: int, reason: str = "", milliseconds: int | None = None,
           key: UUID | None = None, by: User) -> Rating:  # fmt: skip
    """The grade `by` gives on a seat of their own. Sent twice with one key, it is stored once.

    A grade that comes after its lease ended is taken while the place is still free. Otherwise it is refused and kept
    as the seat's draft. Raises Refused.
    """
    guideline = check(seat.place.queue.project, grade, reason)  # before the transaction, in which others wait
    with transaction.atomic():
        cursor = _lock_first(seat, by=by)
        seat, rating = _give(seat, cursor, grade, reason, milliseconds, key, guideline, by=by)
    if rating is None:
        raise _too_late(seat, grade)
    return rating


def submit_and_hold(*, seat: Seat, grade: int, reason: str = "", milliseconds: int | None = None,
                    key: UUID | None = None, count: int, by: User) -> tuple[Rating, list[Seat]]:  # fmt: skip
    """submit(), and the `count` seats to work on next: what a rater does all day, in one transaction.

    None may come though a place stays open: assignments.hold() waits for it. Raises Refused.
    """
    held: list[Seat] = []
    guideline = check(seat.place.queue.project, grade, reason)  # before the transaction, in which others wait
    with transaction.atomic():
        cursor = _lock_first(seat, by=by)
        seat, rating = _give(seat, cursor, grade, reason, milliseconds, key, guideline, by=by)
        if rating is not None:
            held = hold_on(cursor, project=seat.place.queue.project, count=count, by=by)
    if rating is None:
        raise _too_late(seat, grade)
    return rating, held


def _lock_first(seat: Seat, *, by: User) -> Cursor:
    """Lock what comes before a place: whatever decides about disputes, and the person's cursor. Raises Refused."""
    if seat.person_id != by.pk:
        raise not_yours()
    project = seat.place.queue.project
    disputes.lock(project)
    return own_cursor(project, Step.RATE, by=by)


def _give(seat: Seat, cursor: Cursor, grade: int, reason: str, milliseconds: int | None, key: UUID | None,
          guideline: GuidelineVersion, *, by: User) -> tuple[Seat, Rating | None]:  # fmt: skip
    """The seat as it is now and its grade; without one when it came too late, or after cleaning: it is a draft then."""
    seat = lock_place_of(seat)
    if sent := _sent_before(seat, key):
        return seat, sent
    if seat.state in (SeatState.SUBMITTED, SeatState.VOIDED):
        raise _already_rated()
    if seat.place.item.state == ItemState.CLEANED or not submit_seat(seat, by=by):
        seat.draft = {"grade": grade, "reason": reason}
        seat.save(update_fields=["draft"])
        return seat, None
    rating = _store(seat, grade, reason, milliseconds, key, guideline)
    _conclude(seat, cursor, by=by)
    return seat, rating


def not_yours() -> Refused:
    """The refusal of what somebody sends of a pair in another's hands."""
    return Refused("not_yours", _("Not saved: this pair was handed to someone else."))


def _sent_before(seat: Seat, key: UUID | None) -> Rating | None:
    """The grade that was stored under this key, in force or not."""
    if key is None or seat.state == SeatState.HELD:
        return None
    return seat.ratings.filter(submission_key=key).first()


def _already_rated() -> Refused:
    return Refused(
        "already_rated", _("You have graded this pair already. To change the grade, choose it under your last grades.")
    )


def _too_late(seat: Seat, grade: int) -> Refused:
    if seat.place.item.state == ItemState.CLEANED:
        text = _(
            "Not saved: this pair was removed by cleaning meanwhile. Your grade was %(grade)s. "
            "Go on with the next pair."
        )
        return Refused("cleaned", text % {"grade": grade})
    if seat.state == SeatState.SKIPPED:
        text = _("Not saved: you have skipped this pair. Your grade was %(grade)s. Go on with the next pair.")
        return Refused("skipped", text % {"grade": grade})
    text = _(
        "Not saved: this pair went to someone else after your time on it ended. "
        "Your grade was %(grade)s. Go on with the next pair."
    )
    return Refused("place_taken", text % {"grade": grade})


def check(project: Project, grade: int, reason: str) -> GuidelineVersion:
    """The guideline in force, which allows the grade and its reason. Raises Refused."""
    guideline = project.guidelines.all()[:1].get()
    if grade not in project.rating.grades:
        text = _("Not saved: %(grade)s is not on the scale %(scale)s.")
        raise Refused("grade_outside", text % {"grade": grade, "scale": project.rating.grades})
    try:
        check_reason(guideline.content, grade, reason)
    except ValueError as wrong:
        text = _("Not saved: this reason does not belong to grade %(grade)s. Choose one of those shown.")
        raise Refused("reason_wrong", text % {"grade": grade}) from wrong
    return guideline


def _store(seat: Seat, grade: int, reason: str, milliseconds: int | None, key: UUID | None,
           guideline: GuidelineVersion) -> Rating:  # fmt: skip
    return Rating.objects.create(
        seat=seat, grade=grade, reason=reason, milliseconds=milliseconds, submission_key=key, guideline=guideline
    )


def _conclude(seat: Seat, cursor: Cursor, *, by: User) -> None:
    """What follows from a grade: an outcome for the pair, or, on gold, a look at how the person does."""
    project = seat.place.queue.project
    if seat.slot is None:
        watch(cursor, project=project)
    else:
        settle([seat.place.item], project=project, by=by)


def settle(items: Collection[Item], *, project: Project, by: User | None) -> None:
    """Bring the items' states in line with the grades in force and, where these lie too far apart, with the decision of
    a third person. The caller holds the locks of their places, and first of all that of `disputes.lock`.

    What cleaning removed stays removed, whatever its grades.
    """
    items = [item for item in items if item.state != ItemState.CLEANED]
    grades: dict[int, list[int]] = {item.pk: [] for item in items}
    in_force = Rating.objects.filter(replaced_at=None, seat__state=SeatState.SUBMITTED, seat__place__item__in=grades)
    for item_pk, grade in in_force.values_list("seat__place__item", "grade"):
        grades[item_pk].append(grade)
    settings = project.rating
    not_asked = replace(settings, adjudicate=False)
    settled = {
        item: outcome(grades[item.pk], settings if disputes.may_be_decided(item) else not_asked) for item in items
    }
    decisions = _decisions(item for item, becomes in settled.items() if becomes in (Outcome.DISPUTED, Outcome.REMOVED))
    moving: dict[ItemState, list[Item]] = defaultdict(list)
    waiting = [item for item in items if item.state == ItemState.DISPUTED]
    for item, by_gap in settled.items():
        becomes = ItemState(decisions.get(item.pk, by_gap))
        if becomes != item.state:
            moving[becomes].append(item)
    for becomes, some in moving.items():
        move_all(some, becomes, scope=project, by=by)
    if waiting or moving[ItemState.DISPUTED]:
        disputes.follow([*waiting, *moving[ItemState.DISPUTED]], project=project, by=by)


def _decisions(items: Iterable[Item]) -> dict[int, Outcome]:
    """What third persons decided about these items."""
    few = list(items)
    if not few:
        return {}
    made = Adjudication.objects.counting().filter(seat__place__item__in=few)
    return {
        item: Outcome.REMOVED if grade is None else Outcome.KEPT
        for item, grade in made.values_list("seat__place__item", "grade")
    }


@transaction.atomic
def change(*, seat: Seat, grade: int, reason: str = "", key: UUID | None = None, by: User) -> Rating:
    """Another grade in place of one of the person's last five. The old one stays as history. Raises Refused."""
    cursor = _lock_first(seat, by=by)
    seat = lock_place_of(seat)
    if sent := _sent_before(seat, key):
        return sent
    if seat not in Seat.objects.changeable(by):
        raise Refused("too_late_to_change", _("Only your last five grades can be changed."))
    project = seat.place.queue.project
    if cursor.state == RaterState.PAUSED:
        # What follows from a change would tell which of the pairs is gold, and mend what somebody is to decide about.
        raise Refused("paused", _("Not changed: you are paused, and your grades stay until somebody has decided."))
    guideline = check(project, grade, reason)
    old = seat.ratings.get(replaced_at=None)
    old.replaced_at = timezone.now()
    old.save(update_fields=["replaced_at"])
    rating = _store(seat, grade, reason, old.milliseconds, key, guideline)
    record(seat, was=SeatState.SUBMITTED, became="grade changed", scope=project, by=by)
    _conclude(seat, cursor, by=by)
    return rating


def skip(*, seat: Seat, reason: str, by: User) -> None:
    """Leave a pair to others, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    if seat.person_id != by.pk:
        raise not_yours()
    skipped = give_up(seat=seat, becomes=SeatState.SKIPPED, reason=reason, by=by)
    if skipped is None and Rating.objects.filter(seat__place=seat.place_id, seat__person=by).exists():
        raise _already_rated()
