"""What inspectors say of a rewrite: a blind answer, stored before the key can be read, then a verdict."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from annotation.actions import assignments, practice_drafts
from annotation.actions.assignments import lock, lock_cursors, lock_queue, reserve
from annotation.actions.drafts import must_own
from annotation.actions.events import move, record
from annotation.actions.places import open_place
from annotation.actions.refusals import Refused, must_be_shown
from annotation.domain.rewriting import (
    CONTEXT,
    CUT,
    FIELDS,
    LETTERS,
    Part,
    Verdict,
    may_be_sent_back,
    shown_order,
    together,
    verdict,
)  # fmt: skip
from annotation.domain.text import normalise
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Cursor, Inspection, Membership, Place, PracticeDraft, Queue, Rewrite, Seat, Step, User
from annotation.selectors.rewrites import rewrite_to_inspect

LONGEST_COMMENT = 2_000  # characters
SKIP_REASONS = {
    "unclear": _("I cannot judge it"),
    "unsuitable": _("Should not be shown to anybody"),
    "other": _("Another reason"),
}
BECOMES = {
    Verdict.ACCEPT: ItemState.KEPT,
    Verdict.RETURN: ItemState.RETURNED,
    Verdict.DISCARD: ItemState.REMOVED,
}


@transaction.atomic
def open_seat(*, seat: Seat, by: User) -> Inspection:
    """The inspection of the seat, begun when its page is opened for the first time: the order is drawn then.

    Raises Refused, also for an item that the person wrote on.
    """
    return _begun(_locked(seat, by), by)


def _begun(seat: Seat, by: User) -> Inspection:
    """What stands on the seat; else what the person began on the same place before their time on it ended."""
    own = Inspection.objects.select_related("rewrite__seat").filter(seat__place=seat.place_id, seat__person=by)
    if found := own.filter(seat=seat).first():
        return found
    rewrite = rewrite_to_inspect(seat)
    if found := own.filter(rewrite=rewrite).order_by("-seat").first():
        found.seat = seat
        found.save(update_fields=["seat"])
        return found
    if seat.state != SeatState.HELD or rewrite is None:
        raise Refused("seat_over", _("Your time on this item is over. Go on with the next one."))
    place = seat.place
    order = shown_order(place.queue.project.seed, "inspect", place.item.digest, str(place.round), by.username)
    return Inspection.objects.create(seat=seat, rewrite=rewrite, order=order)


@transaction.atomic
def answer(*, inspection: Inspection, candidate: int | None, by: User) -> Inspection:
    """Store the blind answer: a candidate's number, or None for "cannot decide". It is given once. Raises Refused."""
    if candidate is not None and candidate not in range(len(Part)):
        text = _("Not saved: choose one of the four, or say that you cannot decide.")
        raise Refused("no_such_candidate", text, field="candidate")
    inspection, seat = _current(inspection, by)
    if inspection.answered_at:
        if inspection.answer == candidate:
            return inspection
        raise Refused("answered", _("Not changed: your answer was stored before you saw the key, and stays."))
    if refusal := _too_late(inspection, seat):
        raise refusal
    inspection.answer, inspection.answered_at = candidate, timezone.now()
    inspection.save(update_fields=["answer", "answered_at"])
    record(inspection, became="answered", scope=seat.place.queue.project, by=by)
    assignments.renew(seat)
    return inspection


def decide(*, inspection: Inspection, is_correct: bool, is_unique: bool, is_mendable: bool | None,
           comments: Mapping[str, str], by: User) -> Inspection:  # fmt: skip
    """Give the verdict; with the last one wanted the item is accepted, sent back or discarded. A practice draft is
    accepted or not, with a comment, and never sent back.

    Raises Refused; its `field` is the argument that it is about or, of one comment, the part. A verdict on an item that
    was returned or decided meanwhile is refused, and its comments are kept.
    """
    said = _checked_comments(comments, inspection.order)
    with transaction.atomic():
        queue = lock_queue(inspection.seat.place.queue.project, Step.WRITE)
        lock_cursors(queue, [inspection.rewrite.seat.person_id])
        inspection, seat = _current(inspection, by)
        is_practice = seat.place.item.is_practice
        is_mendable = False if is_practice else is_mendable
        becomes = _judged(inspection, is_correct, is_unique, is_mendable, said)
        if is_practice and becomes != Verdict.ACCEPT and not said:
            raise _comment_missing()
        if inspection.decided_at:
            if inspection.verdict == becomes and inspection.comments == said:
                return inspection
            raise _decided()
        inspection.comments = said
        if (refusal := _too_late(inspection, seat)) is None:
            if becomes == Verdict.RETURN and not may_be_sent_back(seat.place.round, queue.project.rewriting):
                raise _no_round_left()
            assignments.submit_seat(seat, by=by)
            inspection.is_correct, inspection.is_unique = is_correct, is_unique
            inspection.is_mendable = None if becomes == Verdict.ACCEPT else is_mendable
            inspection.verdict, inspection.decided_at = becomes, timezone.now()
        inspection.save()
        if refusal is None:
            record(inspection, became=becomes, scope=queue.project, by=by)
            _settle(inspection, seat, queue, by=by)
            return inspection
    raise refusal


def skip(*, inspection: Inspection, reason: str, by: User) -> None:
    """Leave an item to other inspectors, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    must_own(inspection.seat, by)
    skipped = assignments.give_up(seat=inspection.seat, becomes=SeatState.SKIPPED, reason=reason, by=by)
    if skipped is None and Inspection.objects.filter(pk=inspection.pk, decided_at__isnull=False).exists():
        raise _decided()


def _locked(seat: Seat, by: User) -> Seat:
    must_own(seat, by)
    seat = lock(seat)
    if Seat.objects.judged_by(Step.INSPECT, by.pk).filter(place__item=seat.place.item_id).exists():
        raise Refused("own_item", _("This item was yours to write: somebody else judges it."))
    return seat


def _current(inspection: Inspection, by: User) -> tuple[Inspection, Seat]:
    """The inspection and its seat as they are now; of a place that the person was given again, with the newer seat."""
    seat = _locked(inspection.seat, by)
    return _begun(seat, by), seat


def _judged(
    inspection: Inspection, is_correct: bool, is_unique: bool, is_mendable: bool | None, said: Mapping[str, str]
) -> Verdict:
    if not inspection.answered_at:
        raise Refused("not_answered", _("Answer the question first: the key is shown after that."))
    try:
        becomes = verdict(is_correct=is_correct, is_unique=is_unique, is_mendable=is_mendable)
    except ValueError as missing:
        text = _("Say whether it can be mended: that decides what becomes of it.")
        raise Refused("mendable_missing", text, field="is_mendable") from missing
    if becomes == Verdict.RETURN and not said:
        raise _comment_missing()
    return becomes


def _checked_comments(comments: Mapping[str, str], order: Sequence[int]) -> dict[str, str]:
    """The comments that say something, by field, in the order of the page."""
    if set(comments) - set(FIELDS):
        text = _("Not saved: a comment belongs to the cut, the context or a candidate.")
        raise Refused("comment_wrong", text, field="comments")
    said = {field: normalise(comments[field]) for field in FIELDS if field in comments}
    for field, comment in said.items():
        if len(comment) > LONGEST_COMMENT:
            text = _("Not saved: the comment on %(field)s has %(length)d characters; at most %(limit)d are taken.")
            names = {"field": called(field, order), "length": len(comment), "limit": LONGEST_COMMENT}
            raise Refused("comment_too_long", text % names, field=field)
    return {field: text for field, text in said.items() if text}


def called(field: str, order: Sequence[int]) -> str:
    """What a comment is on, as an inspector who is shown the candidates in this order calls it."""
    if field == CONTEXT:
        return pgettext("comment on", "the context")
    return pgettext("comment on", "the cut") if field == CUT else LETTERS[order.index(int(field))]


def _settle(inspection: Inspection, seat: Seat, queue: Queue, *, by: User) -> None:
    """Once all verdicts of the round are in, the item follows the severest; a practice draft goes to its attempt."""
    if seat.place.item.is_practice:
        draft = PracticeDraft.objects.select_related("attempt__project").get(place=seat.place)
        practice_drafts.grade(draft, is_accepted=inspection.verdict == Verdict.ACCEPT, by=by)
        return
    given = Inspection.objects.filter(seat__place=seat.place, seat__state=SeatState.SUBMITTED)
    verdicts = [Verdict(each) for each in given.exclude(decided_at=None).values_list("verdict", flat=True)]
    if len(verdicts) < seat.place.slots:
        return
    outcome = together(verdicts)
    move(seat.place.item, BECOMES[outcome], scope=queue.project, by=by)
    if outcome == Verdict.RETURN:
        send_back(inspection.rewrite, seat.place, queue, by=by)


def send_back(rewrite: Rewrite, judged: Place, queue: Queue, *, by: User) -> None:
    """A place of the round after the `judged` one, held for the author; open to all where they are no longer there to
    take it. The caller holds the locks of the queue and of the author's cursor.
    """
    place = open_place(item=judged.item, queue=queue, round=judged.round + 1, slots=1)
    author = rewrite.seat.person
    if author.is_active and Membership.objects.filter(project=queue.project, person=author).exists():
        Cursor.objects.get_or_create(queue=queue, person=author)
        reserve(place, person=author, by=by)


def _too_late(inspection: Inspection, seat: Seat) -> Refused | None:
    """Why nothing counts any more on this seat; None while it does."""
    if rewrite_to_inspect(seat) != inspection.rewrite:
        text = _("Not counted: this item was sent back or decided meanwhile. Your comments are kept.")
        return Refused("moved_on", text)
    if not assignments.may_submit(seat):
        text = _("Not counted: this item went to someone else after your time on it ended. Your comments are kept.")
        return Refused("place_taken", text)
    return None


def _decided() -> Refused:
    return Refused("decided", _("Not changed: you have judged this item already."))


def _comment_missing() -> Refused:
    text = _("Say what is to be mended: its author reads it. Comment on a candidate, the context or the cut.")
    return Refused("comment_missing", text, field="comments")


def _no_round_left() -> Refused:
    text = _("Not sent back: this was done as often as may be. Accept it or discard it.")
    return Refused("no_round_left", text, field="is_mendable")
