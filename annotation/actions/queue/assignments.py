"""Assign work: which person holds which assignment, and for how long (docs/adr/0003).

A person's assignments are written under the lock of their cursor, the free room of a slot under the lock of the slot,
the tail under the lock of the queue. Lock order: queue, cursor, slot (prevents deadlock). Database constraints also
enforce the cap of a slot and "no person twice"; the locks keep people from hitting them. All locks are FOR NO KEY
UPDATE: PostgreSQL checks references on commit, and a row that refers to a locked row must not wait.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.actions.qualification import gold_stream, practice_drafts
from annotation.actions.queue.cursors import LAG, move_cursor, slots_ahead
from annotation.actions.queue.slots import reopen_slots
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Cursor, Item, Project, Queue, Slot, Step
from annotation.models.work import BARRING, TAKEN
from annotation.selectors.qualification.qualification import may_go_on
from core.actions.events import move, move_all, record
from core.domain.transitions import may_follow
from core.models import User

RENEWED_AFTER = timedelta(seconds=30)  # a younger lease is not renewed, which would be a write for each grade


@transaction.atomic
def claim(*, project: Project, step: str, count: int = 1, by: User) -> list[Assignment]:
    """Return the assignments `by` works on next, oldest first: those held, with renewed lease, and new ones up to
    `count`.

    Fewer, or none, if no slot is open to this person; none for an annotator who is not qualified or is paused. Gold is
    mixed among the pairs to rate and cannot be told from them. An author who is not qualified gets one practice item at
    a time, and nothing else. An archived project gives out nothing new.
    """
    return claim_with(own_cursor(project, step, by=by), project, count, waits=True, by=by)


def claim_with(cursor: Cursor, project: Project, count: int, *, waits: bool, by: User) -> list[Assignment]:
    """Claim as claim() does, with the person's locked cursor. Slots that others lock are skipped unless it `waits`."""
    step = cursor.queue.step
    if step in (Step.RATE, Step.WRITE) and not may_go_on(project, by, cursor):
        return _practice(cursor, project, by=by) if step == Step.WRITE else []
    lease_until = lease_end(project)
    assignments = _renewed(cursor, lease_until)
    wanted = count - len(assignments) if project.archived_at is None else 0
    slots = _next_slots(cursor, wanted, waits=waits) if wanted > 0 else []
    if step == Step.RATE:
        slots = gold_stream.with_gold(slots, cursor=cursor, project=project, most=wanted, by=by)
    return assignments + [_assign(slot, lease_until, project=project, by=by) for slot in slots]


def _practice(cursor: Cursor, project: Project, *, by: User) -> list[Assignment]:
    """Return the practice item the author holds, else the next one. Held work is not renewed, so its lease ends."""
    lease_until = lease_end(project)
    if assignments := _renewed(cursor, lease_until, is_practice=True):
        return assignments
    if project.archived_at is not None:
        return []
    slot = practice_drafts.next_slot(cursor, project=project, by=by)
    return [_assign(slot, lease_until, project=project, by=by)] if slot else []


def own_cursor(project: Project, step: str, *, by: User) -> Cursor:
    """Return the person's cursor, locked. The tail of its queue may be older than the lock, never newer."""
    own = Cursor.objects.select_related("queue").filter(queue__project=project, queue__step=step, person=by)
    own = own.select_for_update(no_key=True, of=("self",))
    if cursor := own.first():
        return cursor
    Cursor.objects.get_or_create(queue=Queue.objects.get(project=project, step=step), person=by)
    return own.get()


def _renewed(cursor: Cursor, lease_until: datetime, *, is_practice: bool = False) -> list[Assignment]:
    """Return the person's held assignments with renewed lease; of writing only practice, or only work.

    An assignment without slot number is practice.
    """
    held = Assignment.objects.filter(person=cursor.person_id, state=AssignmentState.HELD, slot__queue=cursor.queue_id)
    if cursor.queue.step == Step.WRITE:
        held = held.filter(slot_number__isnull=is_practice)
    assignments = list(held.order_by("id").select_related("slot"))
    if old := renewed(assignments, lease_until):
        Assignment.objects.filter(pk__in=[assignment.pk for assignment in old]).update(lease_until=lease_until)
    return assignments


def renewed(held: Iterable[Assignment], lease_until: datetime) -> list[Assignment]:
    """Renew the leases of held assignments, but not young ones. Return those to be stored."""
    old = [assignment for assignment in held if assignment.lease_until < lease_until - RENEWED_AFTER]
    for assignment in old:
        assignment.lease_until = lease_until
    return old


def _next_slots(cursor: Cursor, wanted: int, *, waits: bool) -> list[Slot]:
    """Return the first slots open to the cursor's person, locked; move the cursor up once they are far ahead."""
    ahead = slots_ahead(cursor)
    # SKIP LOCKED: slots being claimed by others are skipped; if only those remain, wait for one below.
    slots = list(ahead.select_for_update(no_key=True, skip_locked=True)[:wanted])
    if not slots and waits:
        slots = _wait_for_one(ahead)
    if not slots or slots[0].position > cursor.position + LAG:
        move_cursor(cursor, ahead)
    return slots


class _Taken(Exception):
    """Raised when the awaited slot is no longer open."""


def _wait_for_one(ahead: QuerySet[Slot]) -> list[Slot]:
    """Return the first slot still open after concurrent claims have ended, locked; an empty list if all are full.

    Waiting for a slot while holding another could deadlock. So a slot that was taken is released with the savepoint
    before the next one is awaited.
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
    """Assign a new slot to a person who did not claim it. The caller holds the lock of the person's cursor."""
    project = slot.queue.project
    lease_until = lease_end(project)
    assignment = Assignment.objects.create(
        slot=slot, slot_number=take_slot_number(slot), person=person, lease_until=lease_until
    )
    record(assignment, became=AssignmentState.HELD, scope=project, by=by)
    return assignment


def lease_end(project: Project) -> datetime:
    """Return the end of a lease that begins now."""
    return timezone.now() + timedelta(minutes=project.chosen.lease_minutes)


def renew(assignment: Assignment) -> None:
    """Restart the leases of a locked assignment and of what was claimed ahead with it. An ended one stays as it is."""
    if assignment.state == AssignmentState.HELD:
        assignment.lease_until = lease_end(assignment.slot.queue.project)
        held = Assignment.objects.filter(
            person=assignment.person_id, state=AssignmentState.HELD, slot__queue=assignment.slot.queue_id
        )
        held.filter(slot_number__isnull=assignment.slot_number is None).update(lease_until=assignment.lease_until)


def lock_queue(project: Project, step: str) -> Queue:
    """Lock and return the queue. Lock order: it comes before cursors and slots."""
    return Queue.objects.select_for_update(no_key=True, of=("self",)).get(project=project, step=step)


def lock_cursors(queue: Queue, people: Collection[int] | QuerySet[Any]) -> None:
    """Lock people's cursors in a locked queue, so that no other assignment is written for them."""
    cursors = Cursor.objects.select_for_update(no_key=True, of=("self",)).filter(queue=queue, person__in=people)
    list(cursors.order_by("pk"))


def _assign(slot: Slot, lease_until: datetime, *, project: Project, by: User) -> Assignment:
    assignment = Assignment.objects.create(
        slot=slot, slot_number=take_slot_number(slot), person=by, lease_until=lease_until
    )
    record(assignment, became=AssignmentState.HELD, scope=project, by=by)
    return assignment


def take_slot_number(slot: Slot) -> int | None:
    """Take the lowest free slot number of a locked slot, which then has one fewer. None on gold and practice."""
    if not slot.required:
        return None
    is_empty = slot.free == slot.required
    taken = set() if is_empty else set(slot.assignments.taken().values_list("slot_number", flat=True))
    slot.free -= 1
    slot.save(update_fields=["free"])
    return lowest_free(slot, taken)


def lowest_free(slot: Slot, taken: Collection[int | None]) -> int:
    """Return the lowest slot number that is not taken."""
    return next(number for number in range(1, slot.required + 1) if number not in taken)


def may_submit(assignment: Assignment) -> bool:
    """Tell whether work on a locked assignment counts: it is held, or it expired and its slot is still free.

    Gold and practice slots are always free, because they have no slot numbers.
    """
    is_free = assignment.slot_number is None or assignment.slot.free > 0
    return assignment.state == AssignmentState.HELD or (assignment.state == AssignmentState.EXPIRED and is_free)


def submit_assignment(assignment: Assignment, *, by: User) -> bool:
    """Submit a locked assignment. Return False if it has ended and the slot has no room left."""
    if not may_submit(assignment):
        return False
    slot_number = (
        assignment.slot_number if assignment.state == AssignmentState.HELD else take_slot_number(assignment.slot)
    )
    project = assignment.slot.queue.project
    move(assignment, AssignmentState.SUBMITTED, scope=project, by=by, ended_at=timezone.now(), slot_number=slot_number)
    return True


def lock(assignment: Assignment) -> Assignment:
    """Lock the cursor, slot and item of an assignment, and return it as stored now.

    If it ended and the same person was given the slot again, return the newer assignment.
    """
    cursors = Cursor.objects.filter(queue__slots=assignment.slot_id, person=assignment.person_id)
    cursors.select_for_update(no_key=True, of=("self",)).first()
    return lock_slot_of(assignment)


def lock_slot_of(assignment: Assignment) -> Assignment:
    """Do the same as lock() when the cursor is locked already."""
    slots = Slot.objects.select_related("queue__project", "item").select_for_update(no_key=True, of=("self", "item"))
    own = list(slots.get(pk=assignment.slot_id).assignments.filter(person=assignment.person_id))
    barring = (other for other in own if other.state in BARRING)
    return next(barring, None) or next(same for same in own if same.pk == assignment.pk)


@transaction.atomic
def give_up(
    *, assignment: Assignment, becomes: AssignmentState, reason: str = "", why: str = "", by: User | None
) -> Assignment | None:
    """End an assignment without a grade; its slot reopens at the queue's tail.

    Return the ended assignment, or None if it had ended before, so that ending it twice changes nothing.
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
def void(*, people: Collection[int], slots: Sequence[int], why: str, by: User | None) -> list[Assignment]:
    """Void these people's submitted assignments on these slots of one queue, reopen the slots, and return the
    assignments.
    """
    queue = _lock_queue_of(slots[0])
    lock_cursors(queue, people)
    locked = Slot.objects.select_related("item").select_for_update(no_key=True, of=("self", "item"))
    slot_of = {slot.pk: slot for slot in locked.filter(pk__in=slots).order_by("pk")}
    assignments = list(
        Assignment.objects.filter(person__in=people, slot__in=slots, state=AssignmentState.SUBMITTED).order_by("slot")
    )
    for assignment in assignments:
        assignment.slot = slot_of[assignment.slot_id]
    move_all(assignments, AssignmentState.VOIDED, scope=queue.project, why=why, by=by)
    reopen_slots([assignment.slot for assignment in assignments if assignment.slot_number is not None], queue)
    return assignments


def lock_items(items: Sequence[int]) -> list[Item]:
    """Lock and return the items, after all their slots in any queue, so that these cannot be claimed or submitted."""
    list(Slot.objects.select_for_update(no_key=True, of=("self",)).filter(item__in=items).order_by("pk"))
    return list(Item.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=items).order_by("pk"))


def expire_assignments(*, now: datetime | None = None) -> int:
    """End every assignment whose lease is over. Return how many ended."""
    now = now or timezone.now()
    over = Assignment.objects.filter(state=AssignmentState.HELD, lease_until__lt=now).order_by("lease_until")
    return sum(_expire(assignment, now) for assignment in list(over))


@transaction.atomic
def _expire(assignment: Assignment, now: datetime) -> bool:
    queue, assignment = _lock_queue_of(assignment.slot_id), lock(assignment)
    renewed = assignment.lease_until >= now  # its holder renewed it while this waited for the locks
    return not renewed and _end(assignment, queue, AssignmentState.EXPIRED, by=None) is not None
