"""Store what inspectors decide about a rewrite: a blind answer before the key is shown, then a verdict."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from annotation.actions.qualification import practice_drafts
from annotation.actions.queue import assignments
from annotation.actions.queue.assignments import lock, lock_cursors, lock_queue, reserve
from annotation.actions.queue.drafts import must_own
from annotation.actions.queue.slots import open_slot
from annotation.domain.rewriting.rewriting import (
    CONTEXT,
    CUT,
    FIELDS,
    LETTERS,
    CandidateRole,
    InspectionVerdict,
    combined_verdict,
    may_be_returned,
    shown_order,
    verdict,
)
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Cursor, Inspection, Membership, PracticeDraft, Queue, Rewrite, Slot, Step
from annotation.selectors.rewriting.rewrites import rewrite_to_inspect
from core.actions.events import move, record
from core.actions.refusals import Refused, must_be_shown
from core.domain.text import normalise
from core.models import User

LONGEST_COMMENT = 2_000  # characters
SKIP_REASONS = {
    "unclear": _("I cannot judge it"),
    "unsuitable": _("Should not be shown to anyone"),
    "other": _("Another reason"),
}
BECOMES = {
    InspectionVerdict.ACCEPT: ItemState.KEPT,
    InspectionVerdict.RETURN: ItemState.RETURNED,
    InspectionVerdict.DISCARD: ItemState.REMOVED,
}


@transaction.atomic
def open_assignment(*, assignment: Assignment, by: User) -> Inspection:
    """Return the inspection of the assignment; create it and draw its candidate order when the page is first opened.

    Raises Refused, also for an item that the person wrote on.
    """
    return _begun(_locked(assignment, by), by)


def _begun(assignment: Assignment, by: User) -> Inspection:
    """Return the assignment's inspection; else the one that the person began on this slot before an earlier lease
    ended.
    """
    own = Inspection.objects.select_related("rewrite__assignment").filter(
        assignment__slot=assignment.slot_id, assignment__person=by
    )
    if found := own.filter(assignment=assignment).first():
        return found
    rewrite = rewrite_to_inspect(assignment)
    if found := own.filter(rewrite=rewrite).order_by("-assignment").first():
        found.assignment = assignment
        found.save(update_fields=["assignment"])
        return found
    if assignment.state != AssignmentState.HELD or rewrite is None:
        raise Refused("assignment_over", _("Your time on this item is over. Go on with the next one."))
    slot, project = assignment.slot, assignment.slot.queue.project
    order = shown_order(project.seed, "inspect", project.secret, slot.item.digest, str(slot.round), by.username)
    return Inspection.objects.create(assignment=assignment, rewrite=rewrite, order=order)


@transaction.atomic
def answer(*, inspection: Inspection, candidate: int | None, milliseconds: int | None = None, by: User) -> Inspection:
    """Store the blind answer, a candidate's number or None for "cannot decide". It is final. Raises Refused.

    A page that was asked for ahead, before it was shown, tells for how many `milliseconds` it was shown.
    """
    if candidate is not None and candidate not in range(len(CandidateRole)):
        text = _("Not saved: choose one of the four, or say that you cannot decide.")
        raise Refused("no_such_candidate", text, field="candidate")
    inspection, assignment = _current(inspection, by)
    if inspection.answered_at:
        if inspection.answer == candidate:
            return inspection
        raise Refused(
            "answered", _("Not changed: your answer was stored before you saw the key and cannot be changed.")
        )
    if refusal := _too_late(inspection, assignment):
        raise refusal
    inspection.answer, inspection.answered_at = candidate, timezone.now()
    if milliseconds is not None:
        shown_at = inspection.answered_at - timedelta(milliseconds=milliseconds)
        inspection.opened_at = max(inspection.opened_at, shown_at)
    inspection.save(update_fields=["answer", "answered_at", "opened_at"])
    record(inspection, became="answered", scope=assignment.slot.queue.project, by=by)
    assignments.renew(assignment)
    return inspection


def decide(
    *,
    inspection: Inspection,
    is_correct: bool,
    is_unique: bool,
    is_revisable: bool | None,
    comments: Mapping[str, str],
    by: User,
) -> Inspection:
    """Give the verdict; after the last required one the item is accepted, returned for revision or discarded.

    A practice draft is accepted or not, with a comment, and never returned for revision. Raises Refused; its `field` is
    the argument it is about, or for one comment the part. A verdict on an item that has since been returned or decided
    is refused, and its comments are kept.
    """
    said = _checked_comments(comments, inspection.order)
    with transaction.atomic():
        queue = lock_queue(inspection.assignment.slot.queue.project, Step.WRITE)
        lock_cursors(queue, [inspection.rewrite.assignment.person_id])
        inspection, assignment = _current(inspection, by)
        is_practice = assignment.slot.item.is_practice
        is_revisable = False if is_practice else is_revisable
        becomes = _judged(inspection, is_correct, is_unique, is_revisable, said)
        if is_practice and becomes != InspectionVerdict.ACCEPT and not said:
            raise _comment_missing()
        if inspection.decided_at:
            if inspection.verdict == becomes and inspection.comments == said:
                return inspection
            raise _decided()
        inspection.comments = said
        if (refusal := _too_late(inspection, assignment)) is None:
            if becomes == InspectionVerdict.RETURN and not may_be_returned(
                assignment.slot.round, queue.project.rewriting
            ):
                raise _no_round_left()
            assignments.submit_assignment(assignment, by=by)
            inspection.is_correct, inspection.is_unique = is_correct, is_unique
            inspection.is_revisable = None if becomes == InspectionVerdict.ACCEPT else is_revisable
            inspection.verdict, inspection.decided_at = becomes, timezone.now()
            inspection.guideline = queue.project.guidelines.first()
        inspection.save()
        if refusal is None:
            record(inspection, became=becomes, scope=queue.project, by=by)
            _settle(inspection, assignment, queue, by=by)
            return inspection
    raise refusal


@transaction.atomic
def skip(*, inspection: Inspection, reason: str, comments: Mapping[str, str] | None = None, by: User) -> None:
    """Leave an item to other inspectors, with a reason. The person is not asked about it again. Raises Refused.

    Comments that were begun are kept for the person alone, who gets them back when the skip is undone.
    """
    must_be_shown(reason, SKIP_REASONS)
    must_own(inspection.assignment, by)
    said = _checked_comments(comments or {}, inspection.order)
    skipped = assignments.give_up(
        assignment=inspection.assignment, becomes=AssignmentState.SKIPPED, reason=reason, by=by
    )
    if skipped:
        Inspection.objects.filter(pk=inspection.pk, decided_at=None).update(comments=said)
    elif Inspection.objects.filter(pk=inspection.pk, decided_at__isnull=False).exists():
        raise _decided()


def _locked(assignment: Assignment, by: User) -> Assignment:
    must_own(assignment, by)
    assignment = lock(assignment)
    if Assignment.objects.judged_by(Step.INSPECT, by.pk).filter(slot__item=assignment.slot.item_id).exists():
        raise Refused("own_item", _("You wrote this item: another person judges it."))
    return assignment


def _current(inspection: Inspection, by: User) -> tuple[Inspection, Assignment]:
    """Return the inspection and its assignment as stored now; after a second lease on the slot, with the newer
    assignment.
    """
    assignment = _locked(inspection.assignment, by)
    return _begun(assignment, by), assignment


def _judged(
    inspection: Inspection, is_correct: bool, is_unique: bool, is_revisable: bool | None, said: Mapping[str, str]
) -> InspectionVerdict:
    if not inspection.answered_at:
        raise Refused("not_answered", _("Answer the question first: the key is shown after that."))
    try:
        becomes = verdict(is_correct=is_correct, is_unique=is_unique, is_revisable=is_revisable)
    except ValueError as missing:
        text = _("Say whether it can be fixed: that decides whether it is sent back or discarded.")
        raise Refused("revisable_missing", text, field="is_revisable") from missing
    if becomes == InspectionVerdict.RETURN and not said:
        raise _comment_missing()
    return becomes


def _checked_comments(comments: Mapping[str, str], order: Sequence[int]) -> dict[str, str]:
    """Return the non-empty comments by field, in the order of the page."""
    if set(comments) - set(FIELDS):
        text = _("Not saved: a comment must refer to the cut, the context or a candidate.")
        raise Refused("comment_wrong", text, field="comments")
    said = {field: normalise(comments[field]) for field in FIELDS if field in comments}
    for field, comment in said.items():
        if len(comment) > LONGEST_COMMENT:
            text = _("Not saved: the comment on %(field)s has %(length)d characters; at most %(limit)d are allowed.")
            names = {"field": called(field, order), "length": len(comment), "limit": LONGEST_COMMENT}
            raise Refused("comment_too_long", text % names, field=field)
    return {field: text for field, text in said.items() if text}


def called(field: str, order: Sequence[int]) -> str:
    """Name the part a comment is on, with the candidate letters in the order shown to this inspector."""
    if field == CONTEXT:
        return pgettext("comment on", "the context")
    return pgettext("comment on", "the cut") if field == CUT else LETTERS[order.index(int(field))]


def _settle(inspection: Inspection, assignment: Assignment, queue: Queue, *, by: User) -> None:
    """Move the item by the severest verdict once all of the round are in; grade a practice draft for its attempt."""
    if assignment.slot.item.is_practice:
        draft = PracticeDraft.objects.select_related("attempt__project").get(slot=assignment.slot)
        practice_drafts.grade(draft, is_accepted=inspection.verdict == InspectionVerdict.ACCEPT, by=by)
        return
    given = Inspection.objects.filter(assignment__slot=assignment.slot, assignment__state=AssignmentState.SUBMITTED)
    verdicts = [InspectionVerdict(each) for each in given.exclude(decided_at=None).values_list("verdict", flat=True)]
    if len(verdicts) < assignment.slot.required:
        return
    outcome = combined_verdict(verdicts)
    move(assignment.slot.item, BECOMES[outcome], scope=queue.project, by=by)
    if outcome == InspectionVerdict.RETURN:
        return_for_revision(inspection.rewrite, assignment.slot, queue, by=by)


def return_for_revision(rewrite: Rewrite, judged: Slot, queue: Queue, *, by: User) -> None:
    """Open a slot of the round after `judged` and reserve it for the author; if they have left, it is open to all.

    The caller holds the locks of the queue and of the author's cursor.
    """
    slot = open_slot(item=judged.item, queue=queue, round=judged.round + 1, required=1)
    author = rewrite.assignment.person
    if author.is_active and Membership.objects.filter(project=queue.project, person=author).exists():
        Cursor.objects.get_or_create(queue=queue, person=author)
        reserve(slot, person=author, by=by)


def _too_late(inspection: Inspection, assignment: Assignment) -> Refused | None:
    """Return why this assignment no longer counts; None while it does."""
    if rewrite_to_inspect(assignment) != inspection.rewrite:
        text = _("Not counted: this item has been sent back or decided in the meantime. Your comments are kept.")
        return Refused("moved_on", text)
    if not assignments.may_submit(assignment):
        text = _("Not counted: this item went to someone else after your time on it ended. Your comments are kept.")
        return Refused("slot_taken", text)
    return None


def _decided() -> Refused:
    return Refused("decided", _("Not changed: you have already judged this item."))


def _comment_missing() -> Refused:
    text = _("Say what must be changed: its author will read it. Comment on a candidate, the context or the cut.")
    return Refused("comment_missing", text, field="comments")


def _no_round_left() -> Refused:
    text = _("Not sent back: this item has been sent back as often as allowed. Accept it or discard it.")
    return Refused("no_round_left", text, field="is_revisable")
