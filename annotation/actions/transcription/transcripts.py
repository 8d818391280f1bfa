"""Correct a machine transcript: one person corrects it, a second one checks it, then authors get the item
(docs/adr/0011).
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.queue import drafts
from annotation.actions.queue.assignments import lock, lock_queue, submit_assignment
from annotation.actions.queue.slots import open_slot
from annotation.domain.corpora.dialogue import Turn, conversation
from annotation.domain.rewriting.rewriting import three_choices
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
from annotation.selectors.drafts import draft_before
from annotation.selectors.transcription import transcript_in_force
from core.actions.events import move
from core.actions.refusals import Refused, must_be_shown
from core.models import User

SKIP_REASONS = {
    "unusable": _("The audio or picture cannot be used"),
    "not_understood": _("I do not understand what is said"),
    "unsuitable": _("Should not be shown to anyone"),
    "other": _("Another reason"),
}


@transaction.atomic
def open_assignment(*, assignment: Assignment, by: User) -> Transcript:
    """Return the transcript of the assignment; create it when its page is first opened. Raises Refused."""
    drafts.must_own(assignment, by)
    return _begun(lock(assignment))


def _begun(assignment: Assignment) -> Transcript:
    """Return the assignment's transcript, created if missing: from the person's own earlier draft, else from the text
    to correct.
    """
    if found := drafts.begun(Transcript, assignment):
        return found
    checks = transcript_in_force(assignment.slot.item) if _is_check(assignment) else None
    if draft := draft_before(Transcript, assignment, checks=checks):
        return drafts.begin_again(draft, assignment)
    if checks:
        return Transcript.objects.create(assignment=assignment, checks=checks, turns=checks.turns, answer=checks.answer)
    content = assignment.slot.item.content
    return Transcript.objects.create(assignment=assignment, turns=content["turns"], answer=content["answer"])


def _is_check(assignment: Assignment) -> bool:
    return assignment.slot.queue.step == Step.CHECK


@transaction.atomic
def save(
    *,
    transcript: Transcript,
    turns: Sequence[Turn],
    answer: int | None,
    revision: int,
    save_key: UUID | None = None,
    by: User,
) -> Transcript:
    """Save the whole draft. `revision` is the one that was edited; if it is not the latest, nothing is saved.

    An expired lease is no obstacle; a draft that was submitted or skipped is refused. Raises Refused.
    """
    transcript = _locked(transcript, by)
    drafts.go_on(transcript)
    _keep(transcript, turns, answer, revision, save_key)
    return transcript


def submit(
    *,
    transcript: Transcript,
    turns: Sequence[Turn],
    answer: int | None,
    revision: int,
    save_key: UUID | None = None,
    by: User,
) -> Transcript:
    """Submit the transcript: a first person's goes to a second for a check, the second one's to the authors.

    Sent twice, it is submitted once. With flaws, or if another person has the item by now, the text is kept as a draft
    and NotSubmitted says why. Raises Refused.
    """
    with transaction.atomic():
        queue = lock_queue(transcript.assignment.slot.queue.project, _follows(transcript.assignment))
        transcript = _locked(transcript, by)
        assignment = transcript.assignment
        if assignment.state == AssignmentState.SUBMITTED:
            text = _text(turns, answer)
            if drafts.has_text(transcript, text | {"turns": without_blanks(text["turns"])}):
                return transcript
            raise drafts.submitted()
        _keep(transcript, turns, answer, revision, save_key)
        found = flaws(transcript.turns, transcript.answer, len(assignment.slot.item.content["choices"]))
        if not found and _is_of_now(transcript) and submit_assignment(assignment, by=by):
            _submit_draft(transcript, queue, by=by)
            return transcript
    raise drafts.not_submitted(found)


def _follows(assignment: Assignment) -> Step:
    return Step.WRITE if _is_check(assignment) else Step.CHECK


def _is_of_now(transcript: Transcript) -> bool:
    """Tell whether the checked transcript is still the one in force; it may have been voided since."""
    assignment = transcript.assignment
    return not _is_check(assignment) or transcript.checks == transcript_in_force(assignment.slot.item)


def _submit_draft(transcript: Transcript, queue: Queue, *, by: User) -> None:
    """Store the submitted transcript; open the check to a second person, or the checked item to the authors."""
    item, is_check = transcript.assignment.slot.item, _is_check(transcript.assignment)
    transcript.turns = without_blanks(transcript.turns)
    if is_check:
        transcript.replaced = item.content
        _put_in_force(item, transcript)
    drafts.close(transcript, "turns", "replaced")
    move(item, ItemState.OPEN if is_check else ItemState.CORRECTED, scope=queue.project, by=by)
    open_slot(item=item, queue=queue, round=1 if is_check else 0, required=1)


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
    drafts.skip(transcript, reason, by=by)


def _locked(transcript: Transcript, by: User) -> Transcript:
    """Return the transcript as stored now, with its locked assignment; after a second lease on the slot, that of the
    newer assignment.
    """
    return _begun(drafts.locked_to_write(transcript.assignment, by))


def _text(turns: Sequence[Turn], answer: int | None) -> dict[str, Any]:
    return {"turns": tidied(turns), "answer": answer}


def _keep(
    transcript: Transcript, turns: Sequence[Turn], answer: int | None, revision: int, save_key: UUID | None
) -> None:
    text = _text(turns, answer)
    if drafts.has_text(transcript, text):
        return  # also if the response to the last save was lost
    drafts.must_be_newest(transcript, revision)
    _check_shape(turns, answer)
    drafts.write(transcript, text, save_key)


def _check_shape(turns: Sequence[Turn], answer: int | None) -> None:
    if len(turns) > MOST_TURNS:
        text = _("Not saved: a dialogue can have at most %(limit)s turns.")
        raise Refused("too_many_turns", text % {"limit": MOST_TURNS})
    if any(len(turn["speaker"]) > LONGEST_SPEAKER for turn in turns):
        text = _("Not saved: the name of a speaker is longer than %(limit)s characters.")
        raise Refused("speaker_too_long", text % {"limit": LONGEST_SPEAKER})
    if sum(len(turn["text"]) for turn in turns) > LONGEST_DIALOGUE:
        text = _("Not saved: the dialogue is longer than %(limit)s characters.")
        raise Refused("dialogue_too_long", text % {"limit": LONGEST_DIALOGUE})
    if answer is not None and not 0 <= answer <= 32_767:
        raise Refused("answer_wrong", _("Not saved: choose one of the answers shown."))
