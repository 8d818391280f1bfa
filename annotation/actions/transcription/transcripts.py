"""Correct a machine transcript: one person corrects it, a second one checks it, then authors get the item
(docs/adr/0011).
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.queue import drafts
from annotation.actions.queue.assignments import give_up, lock, lock_queue, submit_assignment
from annotation.actions.queue.slots import open_slot
from annotation.domain.corpora.dialogue import Turn, conversation
from annotation.domain.rewriting.rewriting import Flaw, three_choices
from annotation.domain.transcription.transcripts import (
    LONGEST_DIALOGUE,
    LONGEST_SPEAKER,
    MOST_TURNS,
    flaws,
    tidied,
    without_blanks,
)
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Queue, Step, Transcript
from annotation.selectors.transcription import draft_before, transcript_in_force
from core.actions.events import move
from core.actions.refusals import Refused, must_be_shown
from core.models import User

SKIP_REASONS = {
    "unusable": _("The audio or picture cannot be used"),
    "not_understood": _("I do not understand what is said"),
    "unsuitable": _("Should not be shown to anybody"),
    "other": _("Another reason"),
}


class TranscriptNotSubmitted(Refused):
    """Refusal of a submission. The text is kept: `transcript` is the draft, `flaws` lists what must be revised."""

    def __init__(self, code: str, message: Any, transcript: Transcript, flaws: Sequence[Flaw] = ()) -> None:
        super().__init__(code, message)
        self.transcript, self.flaws = transcript, list(flaws)


@transaction.atomic
def open_assignment(*, assignment: Assignment, by: User) -> Transcript:
    """Return the transcript of the assignment; create it when its page is first opened. Raises Refused."""
    drafts.must_own(assignment, by)
    return _begun(lock(assignment))


def _begun(assignment: Assignment) -> Transcript:
    """Return the assignment's transcript, created if missing: from the person's own earlier draft, else from the text
    to correct.
    """
    if found := Transcript.objects.filter(assignment=assignment).first():
        return found
    if assignment.state != AssignmentState.HELD:
        raise drafts.assignment_over()
    checks = transcript_in_force(assignment.slot.item) if _is_check(assignment) else None
    if draft := draft_before(assignment, checks):
        return Transcript.objects.create(
            assignment=assignment,
            checks=checks,
            turns=draft.turns,
            answer=draft.answer,
            revision=draft.revision,
            saved_at=draft.saved_at,
            seconds=draft.seconds,
        )
    if checks:
        return Transcript.objects.create(assignment=assignment, checks=checks, turns=checks.turns, answer=checks.answer)
    content = assignment.slot.item.content
    return Transcript.objects.create(assignment=assignment, turns=content["turns"], answer=content["answer"])


def _is_check(assignment: Assignment) -> bool:
    return assignment.slot.queue.step == Step.CHECK


@transaction.atomic
def save(*, transcript: Transcript, turns: Sequence[Turn], answer: int | None, revision: int, by: User) -> Transcript:
    """Save the whole draft. `revision` is the one that was edited; if it is not the latest, nothing is saved.

    An expired lease is no obstacle; a draft that was submitted or skipped is refused. Raises Refused.
    """
    transcript, assignment = _locked(transcript, by)
    drafts.go_on(assignment)
    return _keep(transcript, turns, answer, revision)


def submit(*, transcript: Transcript, turns: Sequence[Turn], answer: int | None, revision: int, by: User) -> Transcript:
    """Submit the transcript: a first person's goes to a second for a check, the second one's to the authors.

    Sent twice, it is submitted once. With flaws, or if another person has the item by now, the text is kept as a draft
    and TranscriptNotSubmitted says why. Raises Refused.
    """
    with transaction.atomic():
        queue = lock_queue(transcript.assignment.slot.queue.project, _follows(transcript.assignment))
        transcript, assignment = _locked(transcript, by)
        if assignment.state == AssignmentState.SUBMITTED:
            if _is_same(transcript, turns, answer) or _is_same(transcript, without_blanks(tidied(turns)), answer):
                return transcript
            raise drafts.submitted()
        transcript = _keep(transcript, turns, answer, revision)
        found = flaws(transcript.turns, transcript.answer, len(assignment.slot.item.content["choices"]))
        if not found and _is_of_now(transcript, assignment) and submit_assignment(assignment, by=by):
            transcript.turns, transcript.submitted_at = without_blanks(transcript.turns), timezone.now()
            transcript.seconds += drafts.seconds_since(transcript.saved_at, transcript.submitted_at)
            _submit_draft(transcript, assignment, queue, by=by)
            return transcript
    raise _not_submitted(transcript, found)


def _follows(assignment: Assignment) -> Step:
    return Step.WRITE if _is_check(assignment) else Step.CHECK


def _is_of_now(transcript: Transcript, assignment: Assignment) -> bool:
    """Tell whether the checked transcript is still the one in force; it may have been voided since."""
    return not _is_check(assignment) or transcript.checks == transcript_in_force(assignment.slot.item)


def _submit_draft(transcript: Transcript, assignment: Assignment, queue: Queue, *, by: User) -> None:
    item = assignment.slot.item
    if _is_check(assignment):
        transcript.replaced = item.content
        _put_in_force(item, transcript)
    move(item, ItemState.OPEN if _is_check(assignment) else ItemState.CORRECTED, scope=queue.project, by=by)
    open_slot(item=item, queue=queue, round=1 if _is_check(assignment) else 0, required=1)
    transcript.save(update_fields=["turns", "submitted_at", "seconds", "replaced"])


def _put_in_force(item: Item, transcript: Transcript) -> None:
    """Make the checked transcript the text of the item. The item's digest, question and choices stay."""
    assert transcript.answer is not None
    choices = item.content["choices"]
    choices, answer = three_choices(choices, transcript.answer, item.project.seed, item.digest)
    put_content(item, {**item.content, "turns": transcript.turns, "choices": choices, "answer": answer})


def put_content(item: Item, content: dict[str, Any]) -> None:
    """Replace the text of a locked item, and set its conversation as importers.registry does."""
    item.content, item.group = content, conversation(content["turns"])
    item.save(update_fields=["content", "group"])


def skip(*, transcript: Transcript, reason: str, by: User) -> None:
    """Leave an item to others, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    assignment = transcript.assignment
    drafts.must_own(assignment, by)
    skipped = give_up(assignment=assignment, becomes=AssignmentState.SKIPPED, reason=reason, by=by)
    if (
        skipped is None
        and Assignment.objects.filter(slot=assignment.slot_id, person=by, state=AssignmentState.SUBMITTED).exists()
    ):
        raise drafts.submitted()


def _locked(transcript: Transcript, by: User) -> tuple[Transcript, Assignment]:
    """Return the transcript and its assignment as stored now; after a second lease on the slot, those of
    the newer one.
    """
    assignment = drafts.locked_to_write(transcript.assignment, by)
    return _begun(assignment), assignment


def _keep(transcript: Transcript, turns: Sequence[Turn], answer: int | None, revision: int) -> Transcript:
    if _is_same(transcript, turns, answer):
        return transcript  # also if the response to the last save was lost
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


def _not_submitted(transcript: Transcript, found: Sequence[Flaw]) -> TranscriptNotSubmitted:
    if found:
        text = _("Not submitted: something is to be mended first. Your text is kept.")
        return TranscriptNotSubmitted("flaws", text, transcript, found)
    text = _("Not submitted: this item went to someone else after your time on it ended. Your text is kept as a draft.")
    return TranscriptNotSubmitted("slot_taken", text, transcript)
