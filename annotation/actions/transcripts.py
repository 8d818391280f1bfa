"""Correcting a machine's transcript: one person corrects, a second one checks, then authors get the item
(docs/adr/0011).
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions import drafts
from annotation.actions.assignments import give_up, lock, lock_queue, submit_seat
from annotation.actions.events import move
from annotation.actions.places import open_place
from annotation.actions.refusals import Refused, must_be_shown
from annotation.domain.dialogue import Turn, conversation
from annotation.domain.rewriting import Flaw, three_choices
from annotation.domain.transcripts import LONGEST_DIALOGUE, LONGEST_SPEAKER, MOST_TURNS, flaws, tidied, without_blanks
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Item, Queue, Seat, Step, Transcript, User
from annotation.selectors.transcripts import draft_before, transcript_in_force

SKIP_REASONS = {
    "unusable": _("The audio or picture cannot be used"),
    "not_understood": _("I do not understand what is said"),
    "unsuitable": _("Should not be shown to anybody"),
    "other": _("Another reason"),
}


class NotSubmitted(Refused):
    """A submission that was not taken. Its text is kept: `transcript` is the draft, `flaws` what is to be mended."""

    def __init__(self, code: str, message: Any, transcript: Transcript, flaws: Sequence[Flaw] = ()) -> None:
        super().__init__(code, message)
        self.transcript, self.flaws = transcript, list(flaws)


@transaction.atomic
def open_seat(*, seat: Seat, by: User) -> Transcript:
    """The transcript of the seat, begun when its page is opened for the first time. Raises Refused."""
    drafts.must_own(seat, by)
    return _begun(lock(seat))


def _begun(seat: Seat) -> Transcript:
    """What stands on the seat; else the person's own draft of the same place, or what there is to correct."""
    if found := Transcript.objects.filter(seat=seat).first():
        return found
    if seat.state != SeatState.HELD:
        raise drafts.seat_over()
    checks = transcript_in_force(seat.place.item) if _is_check(seat) else None
    if draft := draft_before(seat, checks):
        return Transcript.objects.create(
            seat=seat, checks=checks, turns=draft.turns, answer=draft.answer, revision=draft.revision,
            saved_at=draft.saved_at, seconds=draft.seconds,
        )  # fmt: skip
    if checks:
        return Transcript.objects.create(seat=seat, checks=checks, turns=checks.turns, answer=checks.answer)
    content = seat.place.item.content
    return Transcript.objects.create(seat=seat, turns=content["turns"], answer=content["answer"])


def _is_check(seat: Seat) -> bool:
    return seat.place.queue.step == Step.CHECK


@transaction.atomic
def save(*, transcript: Transcript, turns: Sequence[Turn], answer: int | None, revision: int, by: User) -> Transcript:
    """Keep the draft whole. `revision` is the one that was edited: an older one is refused and nothing is changed.

    A lease that ended does not stop this; what was submitted or skipped does. Raises Refused.
    """
    transcript, seat = _locked(transcript, by)
    drafts.go_on(seat)
    return _keep(transcript, turns, answer, revision)


def submit(*, transcript: Transcript, turns: Sequence[Turn], answer: int | None, revision: int, by: User) -> Transcript:
    """Hand it in: the first person's to a second one, the second one's to the authors. Sent twice, it is submitted
    once. Raises Refused.

    With flaws, or where somebody else has the item by now, the text is kept as a draft and NotSubmitted says why.
    """
    with transaction.atomic():
        queue = lock_queue(transcript.seat.place.queue.project, _follows(transcript.seat))
        transcript, seat = _locked(transcript, by)
        if seat.state == SeatState.SUBMITTED:
            if _is_same(transcript, turns, answer) or _is_same(transcript, without_blanks(tidied(turns)), answer):
                return transcript
            raise drafts.submitted()
        transcript = _keep(transcript, turns, answer, revision)
        found = flaws(transcript.turns, transcript.answer, len(seat.place.item.content["choices"]))
        if not found and _is_of_now(transcript, seat) and submit_seat(seat, by=by):
            transcript.turns, transcript.submitted_at = without_blanks(transcript.turns), timezone.now()
            transcript.seconds += drafts.seconds_since(transcript.saved_at, transcript.submitted_at)
            _hand_in(transcript, seat, queue, by=by)
            return transcript
    raise _not_submitted(transcript, found)


def _follows(seat: Seat) -> Step:
    return Step.WRITE if _is_check(seat) else Step.CHECK


def _is_of_now(transcript: Transcript, seat: Seat) -> bool:
    """Whether what a second person checked is still what the first one submitted: it may have been voided since."""
    return not _is_check(seat) or transcript.checks == transcript_in_force(seat.place.item)


def _hand_in(transcript: Transcript, seat: Seat, queue: Queue, *, by: User) -> None:
    item = seat.place.item
    if _is_check(seat):
        transcript.replaced = item.content
        _put_in_force(item, transcript)
    move(item, ItemState.OPEN if _is_check(seat) else ItemState.CORRECTED, scope=queue.project, by=by)
    open_place(item=item, queue=queue, round=1 if _is_check(seat) else 0, slots=1)
    transcript.save(update_fields=["turns", "submitted_at", "seconds", "replaced"])


def _put_in_force(item: Item, transcript: Transcript) -> None:
    """What two people agree on is the item from now on. What it is known by, its question and choices, stays."""
    assert transcript.answer is not None
    choices = item.content["choices"]
    choices, answer = three_choices(choices, transcript.answer, item.project.seed, item.digest)
    put_content(item, {**item.content, "turns": transcript.turns, "choices": choices, "answer": answer})


def put_content(item: Item, content: dict[str, Any]) -> None:
    """Another text of a locked item, with the conversation that it belongs to (as importers.intake makes it)."""
    item.content, item.group = content, conversation(content["turns"])
    item.save(update_fields=["content", "group"])


def skip(*, transcript: Transcript, reason: str, by: User) -> None:
    """Leave an item to others, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    seat = transcript.seat
    drafts.must_own(seat, by)
    skipped = give_up(seat=seat, becomes=SeatState.SKIPPED, reason=reason, by=by)
    if skipped is None and Seat.objects.filter(place=seat.place_id, person=by, state=SeatState.SUBMITTED).exists():
        raise drafts.submitted()


def _locked(transcript: Transcript, by: User) -> tuple[Transcript, Seat]:
    """The transcript and its seat as they are now; of a place given again to its person, those of the newer seat."""
    seat = drafts.locked_to_write(transcript.seat, by)
    return _begun(seat), seat


def _keep(transcript: Transcript, turns: Sequence[Turn], answer: int | None, revision: int) -> Transcript:
    if _is_same(transcript, turns, answer):
        return transcript  # also when the answer to the save before was lost on its way
    if revision != transcript.revision:
        raise drafts.stale()
    _check_shape(turns, answer)
    transcript.turns, transcript.answer = tidied(turns), answer
    transcript.revision += 1
    now = timezone.now()
    transcript.seconds += drafts.seconds_since(transcript.saved_at, now)
    transcript.saved_at = now
    transcript.save(update_fields=["turns", "answer", "revision", "saved_at", "seconds"])
    return transcript


def _is_same(transcript: Transcript, turns: Sequence[Turn], answer: int | None) -> bool:
    return transcript.answer == answer and transcript.turns == tidied(turns)


def _check_shape(turns: Sequence[Turn], answer: int | None) -> None:
    if len(turns) > MOST_TURNS:
        text = _("Not saved: a dialogue has at most %(limit)s turns.")
        raise Refused("too_many_turns", text % {"limit": MOST_TURNS})
    if any(len(turn["speaker"]) > LONGEST_SPEAKER for turn in turns):
        text = _("Not saved: the name of a speaker is longer than %(limit)s characters.")
        raise Refused("speaker_too_long", text % {"limit": LONGEST_SPEAKER})
    if sum(len(turn["text"]) for turn in turns) > LONGEST_DIALOGUE:
        text = _("Not saved: the dialogue is longer than %(limit)s characters.")
        raise Refused("dialogue_too_long", text % {"limit": LONGEST_DIALOGUE})
    if answer is not None and not 0 <= answer <= 32_767:
        raise Refused("answer_wrong", _("Not saved: choose one of the answers shown."))


def _not_submitted(transcript: Transcript, found: Sequence[Flaw]) -> NotSubmitted:
    if found:
        text = _("Not submitted: something is to be mended first. Your text is kept.")
        return NotSubmitted("flaws", text, transcript, found)
    text = _("Not submitted: this item went to someone else after your time on it ended. Your text is kept as a draft.")
    return NotSubmitted("place_taken", text, transcript)
