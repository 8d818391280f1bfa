"""Store and undo people's decisions about pairs in which a rule found something.

A removed pair is in the state cleaned: it is not assigned, and its grades are kept but do not count. Lock order:
docs/adr/0003, items after slots.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.projects.archiving import must_give_out_work
from annotation.actions.queue import assignments
from annotation.actions.queue.assignments import give_up, lock, lock_cursors, lock_items, lock_queue, submit_assignment
from annotation.actions.queue.slots import reopen_slots_of
from annotation.actions.rating.ratings import not_yours, settle
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, CleaningDecision, Item, Project, Queue, Slot, Step
from annotation.selectors.cleaning.cleaning import findings_of, responses_of
from core.actions.events import move, move_all, must_say_why, record, record_all
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
        [decision] = _store([assignment], verdict, affected, key=key, by=by)
    return_assignments(affected, by=by)
    return decision


def _lock(assignment: Assignment, verdict: CleaningVerdict) -> list[Item]:
    """Lock and return the items that the verdict removes."""
    if verdict == CleaningVerdict.KEEP:
        return []
    disputes.lock(assignment.slot.queue.project)
    queue = lock_queue(assignment.slot.queue.project, Step.CLEAN)
    lock_cursors(queue, [assignment.person_id])
    return lock_items(list(_reach(verdict, [assignment.slot.item])))


def _reach(verdict: str, items: Sequence[Item]) -> Collection[int]:
    """Return the keys of the items that the verdict on these items removes."""
    if verdict == CleaningVerdict.KNOWLEDGE:
        return list(responses_of(items).values_list("pk", flat=True))
    return [item.pk for item in items] if verdict == CleaningVerdict.SENSITIVE else []


def _sent_before(assignment: Assignment, key: UUID | None) -> CleaningDecision | None:
    return assignment.decisions.filter(submission_key=key).first() if key is not None else None


def _must_be_open(assignment: Assignment) -> None:
    if assignment.slot.item.state == ItemState.CLEANED:
        raise Refused(
            "cleaned", _("Not saved: this pair has been removed together with its prompt. Go on with the next.")
        )
    if assignment.state == AssignmentState.SUBMITTED:
        raise Refused("decided", _("You have decided about this pair already. To change that, undo it first."))
    if not assignments.may_submit(assignment):
        raise Refused(
            "slot_taken",
            _("Not saved: this pair went to someone else after your time on it ended. Go on with the next."),
        )


def _store(
    assignments: Sequence[Assignment],
    verdict: CleaningVerdict,
    affected: Sequence[Item],
    *,
    key: UUID | None = None,
    why: str = "",
    by: User,
) -> list[CleaningDecision]:
    """Store one verdict on the pairs of locked assignments, of which no two remove the same item."""
    project = assignments[0].slot.queue.project
    for assignment in assignments:
        submit_assignment(assignment, by=by)
    removed = remove(affected, project=project, why=why, by=by)
    of_prompt = Counter(item.group for item in removed)
    alone = {item.pk for item in removed}
    is_whole = verdict == CleaningVerdict.KNOWLEDGE
    findings = findings_of([assignment.slot.item_id for assignment in assignments])
    decisions = CleaningDecision.objects.bulk_create(
        CleaningDecision(
            assignment=assignment,
            verdict=verdict,
            findings=findings[item.pk],
            removed=of_prompt[item.group] if is_whole else int(item.pk in alone),
            submission_key=key,
        )
        for assignment in assignments
        for item in [assignment.slot.item]
    )
    record_all(decisions, became=verdict, why=why, scope=project, by=by)
    return decisions


def remove(items: Sequence[Item], *, project: Project, why: str = "", by: User | None) -> list[Item]:
    """Take locked items out of the work, so that they are no longer assigned. Return those not out before."""
    removed = [item for item in items if item.state != ItemState.CLEANED]
    move_all(removed, ItemState.CLEANED, scope=project, why=why, by=by)
    disputes.follow(removed, project=project, by=by)
    Slot.objects.filter(item__in=removed).update(free=0)
    return removed


def return_assignments(items: Collection[Item], *, by: User | None) -> None:
    """Return the assignments held on removed items one at a time, each under its own locks."""
    for assignment in Assignment.objects.filter(slot__item__in=items, state=AssignmentState.HELD).select_related(
        "slot"
    ):
        give_up(assignment=assignment, becomes=AssignmentState.RETURNED, why="cleaned", by=by)


@dataclass(frozen=True)
class ManyDecided:
    """What one verdict on many pairs did: how many pairs it kept or removed, and how many chosen ones it left out."""

    done: int
    left_out: int


def decide_many(
    *, items: Sequence[Item], project: Project, verdict: CleaningVerdict, why: str = "", by: User
) -> ManyDecided:
    """Give one verdict on all of these pairs that wait, as `decide` does on one.

    A pair that someone else holds, or that was decided about before, is left out. Of a prompt that is removed with all
    its responses, one pair has the decision. Raises Refused without a reason to remove.
    """
    if verdict != CleaningVerdict.KEEP:
        must_say_why(why)
    must_give_out_work(project)
    with transaction.atomic():
        disputes.lock(project)
        queue = lock_queue(project, Step.CLEAN)
        assignments.own_cursor(project, Step.CLEAN, by=by)
        locked = lock_items([*_reach(verdict, items), *(item.pk for item in items)])
        own = _assigned(queue, items, is_whole=verdict == CleaningVerdict.KNOWLEDGE, by=by)
        affected = _reached(verdict, locked, [assignment.slot.item for assignment in own])
        decisions = _store(own, verdict, affected, why=why, by=by) if own else []
    return_assignments(affected, by=by)
    covered = {item.pk for item in affected} | {assignment.slot.item_id for assignment in own}
    done = len(own) if verdict == CleaningVerdict.KEEP else sum(decision.removed for decision in decisions)
    return ManyDecided(done, sum(item.pk not in covered for item in items))


def _assigned(queue: Queue, items: Sequence[Item], *, is_whole: bool, by: User) -> list[Assignment]:
    """Return the person's assignments on those of the locked items that wait and that no one else holds.

    Where the prompt `is_whole` in what the verdict removes, one for each prompt.
    """
    slots = Slot.objects.filter(queue=queue, item__in=items).exclude(item__state=ItemState.CLEANED)
    mine = Assignment.objects.filter(slot__in=slots, state=AssignmentState.HELD, person=by)
    held = {assignment.slot_id: assignment for assignment in mine}
    found = slots.select_related("queue__project", "item").order_by("position")
    waiting = [slot for slot in found if slot.free or slot.pk in held]
    if is_whole:
        waiting = list({slot.item.group: slot for slot in waiting}.values())
    for slot in waiting:
        if slot.pk in held:
            held[slot.pk].slot = slot
    return [held.get(slot.pk) or assignments.reserve(slot, person=by, by=by) for slot in waiting]


def _reached(verdict: CleaningVerdict, locked: Sequence[Item], decided: Sequence[Item]) -> list[Item]:
    """Return those of the locked items that the verdict on the decided ones removes."""
    if verdict == CleaningVerdict.KNOWLEDGE:
        prompts = {item.group for item in decided}
        return [item for item in locked if item.group in prompts]
    alone = {item.pk for item in decided} if verdict == CleaningVerdict.SENSITIVE else set()
    return [item for item in locked if item.pk in alone]


def undo(*, decision: CleaningDecision, by: User) -> None:
    """Undo a decision: restore what it alone removed, and settle it from its grades.

    The person who decided gets the assignment back to decide again; on another person's decision the pair is open to
    all. An item that another decision still removes is not assigned. Undoing twice changes nothing.
    """
    _undo([decision], gives_back=True, by=by)


def undo_many(*, decisions: Sequence[CleaningDecision], by: User) -> int:
    """Undo decisions of one project as `undo` does one, and return how many; their pairs are open to all."""
    return _undo(decisions, gives_back=False, by=by) if decisions else 0


@transaction.atomic
def _undo(decisions: Sequence[CleaningDecision], *, gives_back: bool, by: User) -> int:
    project = decisions[0].assignment.slot.queue.project
    disputes.lock(project)
    own = Queue.objects.filter(project=project, step__in=(Step.CLEAN, Step.RATE)).order_by("pk")
    queues = list(own.select_for_update(no_key=True, of=("self",)))
    for queue in queues:
        lock_cursors(queue, {decision.assignment.person_id for decision in decisions})
    of_verdict = {
        verdict: [decision for decision in decisions if decision.verdict == verdict] for verdict in CleaningVerdict
    }
    decided = {verdict: [each.assignment.slot.item for each in some] for verdict, some in of_verdict.items()}
    reach = {pk for verdict, items in decided.items() for pk in _reach(verdict, items)}
    items = lock_items([*reach, *(decision.assignment.slot.item_id for decision in decisions)])
    in_force = CleaningDecision.objects.in_force().filter(pk__in=[decision.pk for decision in decisions])
    undone = list(in_force.select_related("assignment__slot__queue__project").order_by("pk"))
    if not undone:
        return 0
    removed_still = _removed_still(items, without=undone)
    theirs = [
        decision
        for decision in undone
        if gives_back
        and decision.assignment.person_id == by.pk
        and decision.assignment.slot.item_id not in removed_still
    ]
    take_back(theirs, becomes=AssignmentState.HELD, by=by)
    others = [decision for decision in undone if decision not in theirs]
    take_back(others, becomes=AssignmentState.RETURNED, by=by)
    open_now = [item for item in items if item.pk not in removed_still]
    restored = [item for item in open_now if item.state == ItemState.CLEANED]
    move_all(restored, ItemState.OPEN, scope=project, by=by)
    settle(restored, project=project, by=by)  # a pair whose grades still differ too much goes to adjudication again
    reopened = {item.pk for item in restored} | {decision.assignment.slot.item_id for decision in undone}
    reopen_slots_of([item for item in open_now if item.pk in reopened], queues)
    return len(undone)


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


def _removed_still(items: Sequence[Item], *, without: Sequence[CleaningDecision]) -> set[int]:
    """Return the keys of the items that another decision in force still removes."""
    in_force = CleaningDecision.objects.in_force().exclude(pk__in=[decision.pk for decision in without])
    alone = in_force.filter(verdict=CleaningVerdict.SENSITIVE, assignment__slot__item__in=items)
    of_prompt = in_force.filter(
        verdict=CleaningVerdict.KNOWLEDGE,
        assignment__slot__item__project=items[0].project_id,
        assignment__slot__item__group__in={item.group for item in items},
    )
    groups = set(of_prompt.values_list("assignment__slot__item__group", flat=True))
    pairs = set(alone.values_list("assignment__slot__item", flat=True))
    return {item.pk for item in items if item.pk in pairs or item.group in groups}
