"""What authors write: kept as one object while they write, submitted whole, left to others with a reason."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.assignments import give_up, lock, lock_queue, renew, submit_seat
from annotation.actions.events import move
from annotation.actions.places import open_place
from annotation.actions.refusals import Refused, must_be_shown
from annotation.domain.rewriting import LONGEST_CANDIDATE, Flaw, Part, flaws
from annotation.domain.text import normalise
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Rewrite, Seat, Step, User
from annotation.selectors.rewrites import draft_before, rewrite_in_force

LONGEST_DRAFT = 10 * LONGEST_CANDIDATE  # characters of a text that is kept while its author shortens it
SKIP_REASONS = {
    "no_clue": _("Nothing to reason about"),
    "unclear": _("The dialogue or its question is unclear"),
    "unsuitable": _("Should not be shown to anybody"),
    "other": _("Another reason"),
}


class NotSubmitted(Refused):
    """A submission that was not taken. Its text is kept: `rewrite` is the draft, `flaws` what is to be mended."""

    def __init__(self, code: str, message: Any, rewrite: Rewrite, flaws: Sequence[Flaw] = ()) -> None:
        super().__init__(code, message)
        self.rewrite, self.flaws = rewrite, list(flaws)


@transaction.atomic
def open_seat(*, seat: Seat, by: User) -> Rewrite:
    """The rewrite of the seat, begun when its page is opened for the first time. Raises Refused."""
    must_own(seat, by)
    return _begun(lock(seat))


def _begun(seat: Seat) -> Rewrite:
    """What stands on the seat; else the person's own draft of the same place, what is to be mended, or four blanks."""
    if found := Rewrite.objects.filter(seat=seat).first():
        return found
    if seat.state != SeatState.HELD:
        raise Refused("seat_over", _("Your time on this item is over. Go on with the next one."))
    if draft := draft_before(seat):
        return Rewrite.objects.create(
            seat=seat, cut=draft.cut, candidates=draft.candidates, revision=draft.revision, saved_at=draft.saved_at
        )
    if earlier := rewrite_in_force(seat.place.item):
        return Rewrite.objects.create(seat=seat, cut=earlier.cut, candidates=earlier.candidates)
    turns = seat.place.item.content["turns"]
    return Rewrite.objects.create(seat=seat, cut=len(turns) - 1, candidates=[""] * len(Part))


@transaction.atomic
def save(*, rewrite: Rewrite, cut: int, candidates: Sequence[str], revision: int, by: User) -> Rewrite:
    """Keep the draft whole. `revision` is the one that was edited: an older one is refused and nothing is changed.

    A lease that ended does not stop this; what was submitted or skipped does. Raises Refused.
    """
    rewrite, seat = _locked(rewrite, by)
    if seat.state == SeatState.SUBMITTED:
        raise _submitted()
    renew(seat)
    return _keep(rewrite, cut, candidates, revision)


def submit(*, rewrite: Rewrite, cut: int, candidates: Sequence[str], revision: int, by: User) -> Rewrite:
    """Hand the rewrite to the inspectors. Sent twice, it is submitted once. Raises Refused.

    With flaws, or where somebody else has the item by now, the text is kept as a draft and NotSubmitted says why.
    """
    with transaction.atomic():
        queue = lock_queue(rewrite.seat.place.queue.project, Step.INSPECT)
        rewrite, seat = _locked(rewrite, by)
        if seat.state == SeatState.SUBMITTED:
            if _is_same(rewrite, cut, candidates):
                return rewrite
            raise _submitted()
        rewrite = _keep(rewrite, cut, candidates, revision)
        item, project = seat.place.item, seat.place.queue.project
        found = flaws(item.content["turns"], rewrite.cut, rewrite.candidates)
        if not found and submit_seat(seat, by=by):
            rewrite.submitted_at = timezone.now()
            rewrite.save(update_fields=["submitted_at"])
            move(item, ItemState.WRITTEN, project=project, by=by)
            open_place(item=item, queue=queue, round=seat.place.round, slots=project.rewriting.inspectors)
            return rewrite
    raise _not_submitted(rewrite, found)


def skip(*, rewrite: Rewrite, reason: str, by: User) -> None:
    """Leave an item to others, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    must_own(rewrite.seat, by)
    skipped = give_up(seat=rewrite.seat, becomes=SeatState.SKIPPED, reason=reason, by=by)
    if (
        skipped is None
        and Seat.objects.filter(place=rewrite.seat.place_id, person=by, state=SeatState.SUBMITTED).exists()
    ):
        raise _submitted()


def must_own(seat: Seat, by: User) -> None:
    """Raises Refused for an item in somebody else's hands."""
    if seat.person_id != by.pk:
        raise Refused("not_yours", _("Not saved: this item was handed to someone else."))


def _locked(rewrite: Rewrite, by: User) -> tuple[Rewrite, Seat]:
    """The rewrite and its seat as they are now; of a place that the person was given again, those of the newer seat."""
    must_own(rewrite.seat, by)
    seat = lock(rewrite.seat)
    if seat.state in (SeatState.SKIPPED, SeatState.VOIDED):
        raise Refused("skipped", _("Not saved: you have left this item to others. Go on with the next one."))
    return _begun(seat), seat


def _keep(rewrite: Rewrite, cut: int, candidates: Sequence[str], revision: int) -> Rewrite:
    if _is_same(rewrite, cut, candidates):
        return rewrite  # also when the answer to the save before was lost on its way
    if revision != rewrite.revision:
        raise Refused(
            "stale",
            _("Not saved: this item was changed in another window meanwhile. Open it anew to go on from there."),
        )
    _check_shape(cut, candidates)
    rewrite.cut, rewrite.candidates = cut, [normalise(text) for text in candidates]
    rewrite.revision += 1
    rewrite.saved_at = timezone.now()
    rewrite.save(update_fields=["cut", "candidates", "revision", "saved_at"])
    return rewrite


def _is_same(rewrite: Rewrite, cut: int, candidates: Sequence[str]) -> bool:
    return rewrite.cut == cut and rewrite.candidates == [normalise(text) for text in candidates]


def _check_shape(cut: int, candidates: Sequence[str]) -> None:
    if not 0 <= cut <= 32_767 or len(candidates) != len(Part):
        raise Refused("draft_wrong", _("Not saved: an item has one cut and four texts."))
    if max(map(len, candidates)) > LONGEST_DRAFT:
        text = _("Not saved: one of the texts is longer than %(limit)s characters.")
        raise Refused("draft_too_long", text % {"limit": LONGEST_DRAFT})


def _submitted() -> Refused:
    return Refused("submitted", _("You have submitted this item already: an inspector has it now."))


def _not_submitted(rewrite: Rewrite, found: Sequence[Flaw]) -> NotSubmitted:
    if found:
        return NotSubmitted(
            "flaws", _("Not submitted: something is to be mended first. Your text is kept."), rewrite, found
        )
    text = _("Not submitted: this item went to someone else after your time on it ended. Your text is kept as a draft.")
    return NotSubmitted("place_taken", text, rewrite)
