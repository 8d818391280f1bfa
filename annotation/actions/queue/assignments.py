"""Assigning work: who holds which assignment, and for how long (docs/adr/0003).

A person's assignments are written under the lock of their cursor, the room on a slot under the lock of the slot, the
tail under the lock of the queue. Locks are taken in one order, queue, cursor, slot, so that nobody waits in a circle.
The cap on a slot and "nobody twice" are promises of the database besides: the locks keep people from running into them.
All locks are without key: PostgreSQL checks references when it commits, and who refers to a locked row must not wait.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.actions.qualification import gold_stream, practice_items
from annotation.actions.queue.slots import reopen_slots
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Cursor, Item, Project, Queue, Slot, Step
from annotation.models.work import BARRING, JUDGES, TAKEN
from annotation.selectors.qualification.qualification import may_go_on
from core.actions.events import move, move_all, record
from core.domain.transitions import may_follow
from core.models import User

LAG = 50  # positions that a cursor may stay behind: they are looked at again each time, which costs less than moving it
RENEWED_AFTER = timedelta(seconds=30)  # a lease younger than that is left as it is: it would be a write for each grade


@transaction.atomic
def claim(*, project: Project, step: str, count: int = 1, by: User) -> list[Assignment]:
    """The assignments `by` works on next, oldest first: those held already, with their lease renewed, topped up to
    `count`.

    Fewer, or none, when no slot is open to this person, and none for an annotator who is not qualified or is paused.
    Gold comes between the pairs to rate, and nothing tells it from them. An author who is not qualified gets one
    practice item after the other, and nothing else.
    """
    return _claim(own_cursor(project, step, by=by), project, count, waits=True, by=by)


def claim_without_waiting(cursor: Cursor, *, project: Project, count: int, by: User) -> list[Assignment]:
    """claim(), within a transaction that has locked the person's cursor and a slot: it must not wait for another, or
    two would wait for each other. So there may be none though somebody else's slot stays open in a moment."""
    return _claim(cursor, project, count, waits=False, by=by)


def _claim(cursor: Cursor, project: Project, count: int, *, waits: bool, by: User) -> list[Assignment]:
    step = cursor.queue.step
    if step in (Step.RATE, Step.WRITE) and not may_go_on(project, by, cursor):
        return _practice(cursor, project, by=by) if step == Step.WRITE else []
    lease_until = lease_end(project)
    assignments = _renewed(cursor, lease_until)
    wanted = count - len(assignments)
    slots = _next_slots(cursor, wanted, waits=waits) if wanted > 0 else []
    if step == Step.RATE:
        slots = gold_stream.with_gold(slots, cursor=cursor, project=project, most=wanted, by=by)
    return assignments + [_assign(slot, lease_until, project=project, by=by) for slot in slots]


def _practice(cursor: Cursor, project: Project, *, by: User) -> list[Assignment]:
    """What an author practises on: the item in hand, else the next one. Work in hand waits for its lease to end."""
    lease_until = lease_end(project)
    if assignments := _renewed(cursor, lease_until, is_practice=True):
        return assignments
    slot = practice_items.next_slot(cursor, project=project, by=by)
    return [_assign(slot, lease_until, project=project, by=by)] if slot else []


def own_cursor(project: Project, step: str, *, by: User) -> Cursor:
    """The person's cursor, locked. Its queue's tail may be older than the lock, never newer."""
    own = Cursor.objects.select_related("queue").filter(queue__project=project, queue__step=step, person=by)
    own = own.select_for_update(no_key=True, of=("self",))
    if cursor := own.first():
        return cursor
    Cursor.objects.get_or_create(queue=Queue.objects.get(project=project, step=step), person=by)
    return own.get()


def _renewed(cursor: Cursor, lease_until: datetime, *, is_practice: bool = False) -> list[Assignment]:
    """Of writing, those on practice items or the others: they are told by having no slot number."""
    held = Assignment.objects.filter(person=cursor.person_id, state=AssignmentState.HELD, slot__queue=cursor.queue_id)
    if cursor.queue.step == Step.WRITE:
        held = held.filter(slot_number__isnull=is_practice)
    assignments = list(held.order_by("id").select_related("slot"))
    old = [assignment for assignment in assignments if assignment.lease_until < lease_until - RENEWED_AFTER]
    for assignment in old:
        assignment.lease_until = lease_until
    if old:
        Assignment.objects.filter(pk__in=[assignment.pk for assignment in old]).update(lease_until=lease_until)
    return assignments


def _next_slots(cursor: Cursor, wanted: int, *, waits: bool) -> list[Slot]:
    """The first slots open to the cursor's person, locked; now and then the cursor moves up to the first of them."""
    barred = Assignment.objects.barring(cursor.person_id).filter(slot=OuterRef("pk"))
    ahead = Slot.objects.filter(queue=cursor.queue_id, position__gt=cursor.position, free__gt=0).order_by("position")
    ahead = ahead.filter(~Exists(barred))
    if cursor.queue.step in JUDGES:
        ahead = ahead.filter(~Exists(Assignment.objects.in_the_way(cursor.queue.step, cursor.person_id)))
    # Whoever claims a slot right now is passed by. If only such slots are left they may yet stay open.
    slots = list(ahead.select_for_update(no_key=True, skip_locked=True)[:wanted])
    if not slots and waits:
        slots = _wait_for_one(ahead)
    if not slots or slots[0].position > cursor.position + LAG:
        # Also slots that were passed by just now count as open: the cursor stays before them.
        first = ahead.values_list("position", flat=True).first()
        cursor.position = cursor.queue.tail if first is None else first - 1
        cursor.save(update_fields=["position"])
    return slots


class _Taken(Exception):
    """The slot that was waited for is not open any more."""


def _wait_for_one(ahead: QuerySet[Slot]) -> list[Slot]:
    """The first slot that is still open once those who claim it have done so, locked; none if all are full.

    Nobody may wait for a slot while they hold another, or two would wait for each other: a slot that turns out to be
    taken is let go, with the savepoint, before the next one is waited for.
    """
    while (first := ahead.values_list("pk", flat=True).first()) is not None:
        try:
            with transaction.atomic():
                slots = list(ahead.select_for_update(no_key=True).filter(pk=first))
                if not slots:
                    raise _Taken
                return slots
        except _Taken:
            continue
    return []


def reserve(slot: Slot, *, person: User, by: User) -> Assignment:
    """An assignment on a slot just made for somebody who did not ask for it. The caller holds the lock of their
    cursor.
    """
    project = slot.queue.project
    lease_until = lease_end(project)
    assignment = Assignment.objects.create(
        slot=slot, slot_number=take_slot_number(slot), person=person, lease_until=lease_until
    )
    record(assignment, became=AssignmentState.HELD, scope=project, by=by)
    return assignment


def lease_end(project: Project) -> datetime:
    """When a lease ends that begins now."""
    return timezone.now() + timedelta(minutes=project.chosen.lease_minutes)


def renew(assignment: Assignment) -> None:
    """Begin the lease of a locked assignment anew: its holder is at work. An ended assignment stays as it is."""
    if assignment.state == AssignmentState.HELD:
        assignment.lease_until = lease_end(assignment.slot.queue.project)
        assignment.save(update_fields=["lease_until"])


def lock_queue(project: Project, step: str) -> Queue:
    """The queue, locked: whoever wants more than one lock takes this one first."""
    return Queue.objects.select_for_update(no_key=True, of=("self",)).get(project=project, step=step)


def lock_cursors(queue: Queue, people: Collection[int] | QuerySet[Any]) -> None:
    """The cursors of people in a queue that is locked, so that no other assignment is written for them meanwhile."""
    cursors = Cursor.objects.select_for_update(no_key=True, of=("self",)).filter(queue=queue, person__in=people)
    list(cursors.order_by("pk"))


def _assign(slot: Slot, lease_until: datetime, *, project: Project, by: User) -> Assignment:
    assignment = Assignment.objects.create(
        slot=slot, slot_number=take_slot_number(slot), person=by, lease_until=lease_until
    )
    record(assignment, became=AssignmentState.HELD, scope=project, by=by)
    return assignment


def take_slot_number(slot: Slot) -> int | None:
    """The lowest free slot number of a locked slot; the slot has one fewer afterwards. None on gold and practice."""
    if not slot.required:
        return None
    is_empty = slot.free == slot.required
    taken = set() if is_empty else set(slot.assignments.taken().values_list("slot_number", flat=True))
    slot.free -= 1
    slot.save(update_fields=["free"])
    return next(slot_number for slot_number in range(1, slot.required + 1) if slot_number not in taken)


def may_submit(assignment: Assignment) -> bool:
    """Whether work on a locked assignment counts: its holder has it, or had it and the slot is still free.

    On gold and practice nobody takes it from them.
    """
    is_free = assignment.slot_number is None or assignment.slot.free > 0
    return assignment.state == AssignmentState.HELD or (assignment.state == AssignmentState.EXPIRED and is_free)


def submit_assignment(assignment: Assignment, *, by: User) -> bool:
    """Turn a locked assignment into a submitted one. False when it has ended and the slot has no room left."""
    if not may_submit(assignment):
        return False
    slot_number = (
        assignment.slot_number if assignment.state == AssignmentState.HELD else take_slot_number(assignment.slot)
    )
    project = assignment.slot.queue.project
    move(assignment, AssignmentState.SUBMITTED, scope=project, by=by, ended_at=timezone.now(), slot_number=slot_number)
    return True


def lock(assignment: Assignment) -> Assignment:
    """The assignment as it is now, with all locked that may change with it: its person's cursor, its slot and item.

    When it ended and the same person was given the slot again, that newer assignment.
    """
    cursors = Cursor.objects.filter(queue__slots=assignment.slot_id, person=assignment.person_id)
    cursors.select_for_update(no_key=True, of=("self",)).first()
    return lock_slot_of(assignment)


def lock_slot_of(assignment: Assignment) -> Assignment:
    """lock(), where the cursor is locked already."""
    slots = Slot.objects.select_related("queue__project", "item").select_for_update(no_key=True, of=("self", "item"))
    own = list(slots.get(pk=assignment.slot_id).assignments.filter(person=assignment.person_id))
    barring = (other for other in own if other.state in BARRING)
    return next(barring, None) or next(same for same in own if same.pk == assignment.pk)


@transaction.atomic
def give_up(
    *, assignment: Assignment, becomes: AssignmentState, reason: str = "", why: str = "", by: User | None
) -> Assignment | None:
    """End an assignment without a grade; its slot opens again at the queue's tail.

    The ended assignment, or None when it had ended already: ending it twice changes nothing.
    """
    queue = _lock_queue_of(assignment.slot_id)
    return _end(lock(assignment), queue, becomes, reason=reason, why=why, by=by)


def _lock_queue_of(slot: int) -> Queue:
    return Queue.objects.select_for_update(no_key=True, of=("self",)).get(slots=slot)


def _end(
    assignment: Assignment, queue: Queue, becomes: AssignmentState, *, reason: str = "", why: str = "", by: User | None
) -> Assignment | None:
    if assignment.state == AssignmentState.SUBMITTED or not may_follow(AssignmentState(assignment.state), becomes):
        return None
    held_its_slot = assignment.state in TAKEN and assignment.slot_number is not None
    project = assignment.slot.queue.project
    move(assignment, becomes, scope=project, why=why or reason, by=by, ended_at=timezone.now(), reason=reason)
    if held_its_slot:
        reopen_slots([assignment.slot], queue)
    return assignment


@transaction.atomic
def void(*, person: User, slots: Sequence[int], why: str, by: User | None) -> list[Assignment]:
    """Void the person's graded assignments on these slots of one queue, and open the slots again. The voided
    assignments."""
    queue = _lock_queue_of(slots[0])
    lock_cursors(queue, [person.pk])
    locked = Slot.objects.select_related("item").select_for_update(no_key=True, of=("self", "item"))
    slot_of = {slot.pk: slot for slot in locked.filter(pk__in=slots).order_by("pk")}
    assignments = list(
        Assignment.objects.filter(person=person, slot__in=slots, state=AssignmentState.SUBMITTED).order_by("slot")
    )
    for assignment in assignments:
        assignment.slot = slot_of[assignment.slot_id]
    move_all(assignments, AssignmentState.VOIDED, scope=queue.project, why=why, by=by)
    reopen_slots([assignment.slot for assignment in assignments if assignment.slot_number is not None], queue)
    return assignments


def lock_items(items: Sequence[int]) -> list[Item]:
    """The items, locked, after every slot they have in whatever queue: nobody claims it or submits there meanwhile."""
    list(Slot.objects.select_for_update(no_key=True, of=("self",)).filter(item__in=items).order_by("pk"))
    return list(Item.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=items).order_by("pk"))


def expire_assignments(*, now: datetime | None = None) -> int:
    """End every assignment whose lease is over. How many there were."""
    now = now or timezone.now()
    over = Assignment.objects.filter(state=AssignmentState.HELD, lease_until__lt=now).order_by("lease_until")
    return sum(_expire(assignment, now) for assignment in list(over))


@transaction.atomic
def _expire(assignment: Assignment, now: datetime) -> bool:
    queue, assignment = _lock_queue_of(assignment.slot_id), lock(assignment)
    renewed = assignment.lease_until >= now  # a moment ago, while this waited for the locks
    return not renewed and _end(assignment, queue, AssignmentState.EXPIRED, by=None) is not None
