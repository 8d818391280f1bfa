"""Assign practice items to authors; submit and grade their drafts, each on a slot of its own; settle their attempts."""

from collections.abc import Sequence

from django.db.models import Max
from django.utils import timezone

from annotation.actions.qualification.gold_stream import open_round
from annotation.actions.queue.slots import open_slot, reopen_slots
from annotation.domain.qualification.qualification import outcome, window
from annotation.domain.workflow import AssignmentState, AttemptState
from annotation.models import Assignment, Attempt, Cursor, PracticeDraft, Project, Purpose, Queue, Rewrite, Slot, Step
from annotation.selectors.qualification.practice_drafts import met_by, open_attempt, practice_of, verdicts_of
from annotation.selectors.qualification.qualification import items_to_practise
from core.actions.events import move, move_all, record
from core.domain.draws import lowest_first
from core.models import User

NOT_NEEDED = "practice is over"  # the reason in the audit log


def next_slot(cursor: Cursor, *, project: Project, by: User) -> Slot | None:
    """Return a slot of the practice item that the author has had least often, in an order drawn for them.

    Practice slots have no numbers. An author's first time with an item is its round 1, and so on.
    Return None if the person has submitted all drafts of the attempt, or may not practise. The caller holds the lock of
    the cursor.
    """
    if practice_of(project, by).left <= 0:
        return None
    met = met_by(by, project)
    key, *_later = lowest_first(met, project.seed, "practice item", project.secret, project.slug, by.username)
    slot = Slot.objects.filter(queue=cursor.queue_id, item__digest=key, item__project=project, round=met[key] + 1)
    if not slot.exists():
        open_round(cursor.queue_id, items_to_practise(project), met[key] + 1)
    return slot.get()


def may_submit_draft(assignment: Assignment) -> bool:
    """Tell whether a draft on a locked assignment is still wanted: practice is not over and the attempt is not full."""
    return practice_of(assignment.slot.queue.project, assignment.person).left > 0


def submit_draft(rewrite: Rewrite, queue: Queue, *, by: User) -> PracticeDraft:
    """Add a submitted draft to the open attempt; if there is none, begin the next attempt.

    The caller holds the locks of the queue of inspection and of the author's cursor.
    """
    item, project = rewrite.assignment.slot.item, queue.project
    attempt = _attempt(project, by=by)
    round = Slot.objects.filter(queue=queue, item=item).aggregate(last=Max("round"))["last"] or 0
    slot = open_slot(item=item, queue=queue, round=round + 1, required=1)
    position = (attempt.drafts.aggregate(last=Max("position"))["last"] or 0) + 1
    return PracticeDraft.objects.create(attempt=attempt, rewrite=rewrite, slot=slot, position=position)


def _attempt(project: Project, *, by: User) -> Attempt:
    annotator = practice_of(project, by).annotator
    if attempt := open_attempt(annotator):
        return attempt
    attempt = Attempt.objects.create(
        project=project, person=by, number=len(annotator.attempts) + 1, pairs=project.rewriting.practice
    )
    record(attempt, became=AttemptState.OPEN, scope=project, by=by)
    return attempt


def grade(draft: PracticeDraft, *, is_accepted: bool, by: User) -> None:
    """Store an inspector's verdict on a draft; end the attempt if the verdict passes or fails it.

    The caller holds the lock of the author's cursor.
    """
    draft.is_accepted = is_accepted
    draft.save(update_fields=["is_accepted"])
    _settle(draft.attempt, by=by)


def _settle(attempt: Attempt, *, by: User | None) -> None:
    if attempt.is_over:
        return
    settings = attempt.project.rewriting
    accepted = verdicts_of(list(attempt.drafts.counting()))
    became = outcome(accepted, attempt.pairs, settings)
    if became == AttemptState.OPEN:
        return
    _size, _graded, good = window(accepted, attempt.pairs, settings)
    move(attempt, became, scope=attempt.project, by=by, ended_at=timezone.now(), right=good)
    if became == AttemptState.PASSED:
        _stop(attempt, by=by)


def _stop(attempt: Attempt, *, by: User | None) -> None:
    """Close what an ended attempt no longer needs: drafts without an inspector, and the draft the author has begun."""
    waiting = Slot.objects.filter(practice__attempt=attempt, practice__is_accepted=None, free__gt=0)
    waiting.update(required=0, free=0)
    begun = Assignment.objects.filter(
        person=attempt.person_id,
        state=AssignmentState.HELD,
        slot__queue__step=Step.WRITE,
        slot__queue__project=attempt.project_id,
        slot__item__purpose=Purpose.PRACTICE,
    )
    move_all(
        list(begun), AssignmentState.OUTDATED, scope=attempt.project, why=NOT_NEEDED, by=by, ended_at=timezone.now()
    )


def follow_voided(voided: Sequence[Assignment], queue: Queue, *, why: str, by: User | None) -> None:
    """Update practice drafts after they or their verdicts were voided. An attempt that is over keeps its outcome.

    A voided draft leaves its attempt and is not judged any more; a voided verdict is asked for again while the attempt
    is open. The caller holds all locks of the items; `queue` is that of inspection.
    """
    drafts = PracticeDraft.objects.select_related("attempt__project", "slot__item")
    for draft in drafts.filter(rewrite__assignment__in=voided):
        _close(draft.slot)
        judged = list(draft.slot.assignments.taken())
        for state in (AssignmentState.HELD, AssignmentState.SUBMITTED):
            facts = {"ended_at": timezone.now()} if state == AssignmentState.HELD else {}
            some = [assignment for assignment in judged if assignment.state == state]
            move_all(some, AssignmentState.OUTDATED, scope=queue.project, why=why, by=by, **facts)
        _settle(draft.attempt, by=by)
    for draft in drafts.filter(slot__assignments__in=voided, rewrite__assignment__state=AssignmentState.SUBMITTED):
        if draft.attempt.is_over:
            _close(draft.slot)
        else:
            draft.is_accepted = None
            draft.save(update_fields=["is_accepted"])
            reopen_slots([draft.slot], queue)


def _close(slot: Slot) -> None:
    slot.required = slot.free = 0
    slot.save(update_fields=["required", "free"])
