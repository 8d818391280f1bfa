"""Void texts, verdicts and types, and update the item and what others did on it (docs/adr/0007).

Neither a voided text nor its verdicts count. The item returns to its last counting text, to be revised by another
author, or to its beginning. A voided verdict is asked for again while its text is the last one; an item that no other
verdict returned for revision is then taken back from its author. A voided reasoning type is asked for again while its
text is accepted. Transcripts: voided_transcripts.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.actions.qualification import practice_drafts
from annotation.actions.queue.assignments import lock_cursors
from annotation.actions.queue.slots import reopen_slots
from annotation.actions.reasoning import stop_asking
from annotation.actions.transcription.voided_transcripts import transcribe_again
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Project, Queue, Slot, Step
from annotation.selectors.rewriting.rewrites import was_returned
from core.actions.events import move, move_all
from core.models import User


@transaction.atomic
def void_on_items(
    items: Sequence[int], *, project: Project, person: User, since: datetime, why: str, by: User | None
) -> int:
    """Void what the person submitted on these items from `since` on. Return the number of texts, verdicts, types and
    transcripts.

    Practice drafts are voided too, but not counted.
    """
    queues = _locked_queues(project)
    assignments_of = _locked_assignments(items, queues)
    count = 0
    for assignments in assignments_of.values():
        own = [
            assignment
            for assignment in assignments
            if assignment.person_id == person.pk and assignment.state == AssignmentState.SUBMITTED
        ]
        voided = [assignment for assignment in own if assignment.ended_at and assignment.ended_at >= since]
        move_all(voided, AssignmentState.VOIDED, scope=project, why=why, by=by)
        if assignments[0].slot.item.is_practice:
            practice_drafts.follow_voided(voided, queues[Step.INSPECT], why=why, by=by)
        else:
            _RoundVoiding(project, queues, assignments, why, by).settle(voided)
            transcribe_again(
                assignments[0].slot.item, assignments, voided, project=project, queues=queues, why=why, by=by
            )
        count += sum(assignment.slot_number is not None for assignment in voided)
    return count


def _locked_queues(project: Project) -> dict[Step, Queue]:
    """Lock and return the queues of writing and inspection, and of reasoning types and transcripts if the project has
    them.
    """
    own = Queue.objects.filter(project=project).order_by("pk")
    return {Step(queue.step): queue for queue in own.select_for_update(no_key=True, of=("self",))}


def _locked_assignments(items: Sequence[int], queues: dict[Step, Queue]) -> dict[int, list[Assignment]]:
    """Lock and return by item the assignments that hold its slots, with slots and items, in the lock order of
    docs/adr/0003.
    """
    taken = Assignment.objects.taken().filter(slot__item__in=items)
    for step, queue in queues.items():
        lock_cursors(queue, taken.filter(slot__queue__step=step).values("person"))
    slots = Slot.objects.select_related("item").select_for_update(no_key=True, of=("self", "item"))
    slot_of = {slot.pk: slot for slot in slots.filter(item__in=items).order_by("pk")}
    item_of = {slot.item_id: slot.item for slot in slot_of.values()}
    assignments_of: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in taken.order_by("pk"):
        assignment.slot = slot_of[assignment.slot_id]
        assignment.slot.item = item_of[assignment.slot.item_id]
        assignments_of[assignment.slot.item_id].append(assignment)
    return assignments_of


class _RoundVoiding:
    """Voiding on one item; `assignments` held its slots before some of them were voided."""

    def __init__(
        self, project: Project, queues: dict[Step, Queue], assignments: list[Assignment], why: str, by: User | None
    ) -> None:
        self.project, self.queues, self.assignments, self.why, self.by = project, queues, assignments, why, by
        self.item: Item = assignments[0].slot.item

    def settle(self, voided: Collection[Assignment]) -> None:
        """Update the item and its other assignments after some were voided."""
        texts = [assignment for assignment in self.assignments if self._is(assignment, Step.WRITE)]
        last = max(
            (assignment.slot.round for assignment in texts if assignment.state == AssignmentState.SUBMITTED), default=0
        )
        if any(assignment in texts and assignment.slot.round > last for assignment in voided):
            self._go_back_to(last)
            return
        for assignment in voided:
            if assignment in texts:
                self._leave_behind(assignment.slot.round)
            elif self._is(assignment, Step.INSPECT):
                self._ask_again(assignment, last)
        for assignment in voided:
            if self._is(assignment, Step.TYPE) and self.item.state == ItemState.KEPT and assignment.slot.round == last:
                reopen_slots([assignment.slot], self.queues[Step.TYPE])

    def _is(self, assignment: Assignment, step: Step) -> bool:
        return step in self.queues and assignment.slot.queue_id == self.queues[step].pk

    def _go_back_to(self, last: int) -> None:
        """Reopen the round after the last counting text."""
        self._close_after(last)
        slot = self.item.slots.get(queue=self.queues[Step.WRITE], round=last + 1)
        slot.required = 1
        reopen_slots([slot], self.queues[Step.WRITE])
        self._move(ItemState.RETURNED if last else ItemState.OPEN)

    def _leave_behind(self, round: int) -> None:
        """Mark inspections of a voided, already revised text as outdated."""
        self._outdate(
            [
                assignment
                for assignment in self.assignments
                if assignment.slot.round == round and assignment.state == AssignmentState.SUBMITTED
            ]
        )

    def _close_after(self, last: int) -> None:
        later = [assignment for assignment in self.assignments if assignment.slot.round > last]
        self._outdate(
            [assignment for assignment in later if assignment.state == AssignmentState.HELD], ended_at=timezone.now()
        )
        self._outdate([assignment for assignment in later if assignment.state == AssignmentState.SUBMITTED])
        self.item.slots.filter(round__gt=last).update(required=0, free=0)

    def _outdate(self, assignments: Sequence[Assignment], **facts: object) -> None:
        move_all(assignments, AssignmentState.OUTDATED, scope=self.project, why=self.why, by=self.by, **facts)

    def _ask_again(self, assignment: Assignment, last: int) -> None:
        """Ask for another verdict in place of a voided one, unless its text was revised or is returned for revision."""
        if assignment.slot.round != last or (self.item.state == ItemState.RETURNED and was_returned(self.item, last)):
            assignment.slot.required -= 1
            assignment.slot.save(update_fields=["required"])
            return
        self._close_after(last)
        reopen_slots([assignment.slot], self.queues[Step.INSPECT])
        stop_asking(self.item, why=self.why, by=self.by)
        self._move(ItemState.WRITTEN)

    def _move(self, becomes: ItemState) -> None:
        if self.item.state != becomes:
            move(self.item, becomes, scope=self.project, why=self.why, by=self.by)
