"""Store and undo people's decisions about pairs in which a rule found something.

A removed pair is in the state cleaned: it is not assigned, and its grades are kept but do not count. Lock order:
docs/adr/0003, items after slots.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.queue import assignments
from annotation.actions.queue.assignments import give_up, lock, lock_cursors, lock_items, lock_queue, submit_assignment
from annotation.actions.queue.slots import reopen_slots_of
from annotation.actions.rating.ratings import not_yours, settle
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, CleaningDecision, Item, Project, Queue, Slot, Step
from annotation.selectors.cleaning import findings_of, responses_of
from core.actions.events import move, move_all, record
from core.actions.refusals import Refused
from core.models import User


def decide(*, assignment: Assignment, verdict: CleaningVerdict, key: UUID | None = None, by: User) -> CleaningDecision:
    """Keep the pair on one's own assignment, remove it, or remove its prompt with every response.

    A decision sent twice with one key is stored once. Assignments that others hold on removed pairs are returned.
    Raises Refused.
    """
    if assignment.person_id != by.pk:
        raise not_yours()
    with transaction.atomic():
        affected = _lock(assignment, verdict)
        assignment = lock(assignment)
        if sent := _sent_before(assignment, key):
            return sent
        _must_be_open(assignment)
        decision = _store(assignment, verdict, key, affected, by=by)
    return_assignments(affected, by=by)
    return decision


def _lock(assignment: Assignment, verdict: CleaningVerdict) -> list[Item]:
    """Lock and return the items that the verdict removes."""
    if verdict == CleaningVerdict.KEEP:
        return []
    disputes.lock(assignment.slot.queue.project)
    queue = lock_queue(assignment.slot.queue.project, Step.CLEAN)
    lock_cursors(queue, [assignment.person_id])
    return lock_items(list(_reach(verdict, assignment.slot.item)))


def _reach(verdict: str, item: Item) -> Collection[int]:
    """Return the keys of the items that the verdict removes."""
    if verdict == CleaningVerdict.KNOWLEDGE:
        return list(responses_of(item).values_list("pk", flat=True))
    return [item.pk] if verdict == CleaningVerdict.SENSITIVE else []


def _sent_before(assignment: Assignment, key: UUID | None) -> CleaningDecision | None:
    return assignment.decisions.filter(submission_key=key).first() if key is not None else None


def _must_be_open(assignment: Assignment) -> None:
    if assignment.slot.item.state == ItemState.CLEANED:
        raise Refused("cleaned", _("Not saved: this pair was removed with its prompt meanwhile. Go on with the next."))
    if assignment.state == AssignmentState.SUBMITTED:
        raise Refused("decided", _("You have decided about this pair already. To change that, undo it first."))
    if not assignments.may_submit(assignment):
        raise Refused(
            "slot_taken",
            _("Not saved: this pair went to someone else after your time on it ended. Go on with the next."),
        )


def _store(
    assignment: Assignment, verdict: CleaningVerdict, key: UUID | None, affected: Sequence[Item], *, by: User
) -> CleaningDecision:
    submit_assignment(assignment, by=by)
    removed = remove(affected, project=assignment.slot.queue.project, by=by)
    findings = findings_of([assignment.slot.item_id])[assignment.slot.item_id]
    decision = CleaningDecision.objects.create(
        assignment=assignment, verdict=verdict, findings=findings, removed=removed, submission_key=key
    )
    record(decision, became=verdict, scope=assignment.slot.queue.project, by=by)
    return decision


def remove(items: Sequence[Item], *, project: Project, by: User | None) -> int:
    """Take locked items out of the work, so that they are no longer assigned. Return how many were not out before."""
    removed = [item for item in items if item.state != ItemState.CLEANED]
    move_all(removed, ItemState.CLEANED, scope=project, by=by)
    disputes.follow(removed, project=project, by=by)
    Slot.objects.filter(item__in=removed).update(free=0)
    return len(removed)


def return_assignments(items: Collection[Item], *, by: User | None) -> None:
    """Return the assignments held on removed items one at a time, each under its own locks."""
    for assignment in Assignment.objects.filter(slot__item__in=items, state=AssignmentState.HELD).select_related(
        "slot"
    ):
        give_up(assignment=assignment, becomes=AssignmentState.RETURNED, why="cleaned", by=by)


@transaction.atomic
def undo(*, decision: CleaningDecision, by: User) -> None:
    """Undo a decision: restore what it alone removed, and settle it from its grades.

    The person who decided gets the assignment back to decide again; on another person's decision the pair is open to
    all. An item that another decision still removes is not assigned. Undoing twice changes nothing.
    """
    slot = decision.assignment.slot
    disputes.lock(slot.queue.project)
    own = Queue.objects.filter(project=slot.queue.project_id, step__in=(Step.CLEAN, Step.RATE)).order_by("pk")
    queues = list(own.select_for_update(no_key=True, of=("self",)))
    for queue in queues:
        lock_cursors(queue, [decision.assignment.person_id])
    items = lock_items([*_reach(decision.verdict, slot.item), slot.item_id])
    decision = CleaningDecision.objects.select_related("assignment__slot__queue__project").get(pk=decision.pk)
    if decision.undone_at:
        return
    removed_still = _removed_still(items, without=decision)
    is_theirs = decision.assignment.person_id == by.pk and slot.item_id not in removed_still
    take_back([decision], becomes=AssignmentState.HELD if is_theirs else AssignmentState.RETURNED, by=by)
    open_now = [item for item in items if item.pk not in removed_still]
    restored = [item for item in open_now if item.state == ItemState.CLEANED]
    project = decision.assignment.slot.queue.project
    move_all(restored, ItemState.OPEN, scope=project, by=by)
    settle(restored, project=project, by=by)  # a pair whose grades still differ too much goes to adjudication again
    reopen_slots_of([item for item in open_now if item in restored or item.pk == slot.item_id], queues)


def take_back(decisions: Sequence[CleaningDecision], *, becomes: AssignmentState, by: User | None) -> None:
    """Mark locked decisions as undone; their assignments become held again or returned."""
    now = timezone.now()
    CleaningDecision.objects.filter(pk__in=[decision.pk for decision in decisions]).update(undone_at=now)
    for decision in decisions:
        project = decision.assignment.slot.queue.project
        ends: dict[str, Any] = {"ended_at": now}
        if becomes == AssignmentState.HELD:
            ends = {"ended_at": None, "lease_until": assignments.lease_end(project)}
        move(decision.assignment, becomes, scope=project, by=by, **ends)
        record(decision, was=decision.verdict, became="undone", scope=project, by=by)


def _removed_still(items: Sequence[Item], *, without: CleaningDecision) -> set[int]:
    """Return the keys of the items that another decision in force still removes."""
    in_force = CleaningDecision.objects.in_force().exclude(pk=without.pk)
    alone = in_force.filter(verdict=CleaningVerdict.SENSITIVE, assignment__slot__item__in=items)
    of_prompt = in_force.filter(
        verdict=CleaningVerdict.KNOWLEDGE,
        assignment__slot__item__project=items[0].project_id,
        assignment__slot__item__group__in={item.group for item in items},
    )
    groups = set(of_prompt.values_list("assignment__slot__item__group", flat=True))
    pairs = set(alone.values_list("assignment__slot__item", flat=True))
    return {item.pk for item in items if item.pk in pairs or item.group in groups}
