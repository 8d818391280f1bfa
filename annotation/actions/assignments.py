"""Handing out work: who holds which seat, and for how long (docs/adr/0003).

A person's seats are written under the lock of their cursor, the room on a place under the lock of the place, the tail
under the lock of the queue. Locks are taken in one order, queue, cursor, place, so that nobody waits in a circle. The
cap on a place and "nobody twice" are promises of the database besides: the locks keep people from running into them.
All locks are without key: PostgreSQL checks references when it commits, and who refers to a locked row must not wait.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.actions import gold_stream, practice_items
from annotation.actions.events import move, move_all, record
from annotation.actions.places import reopen
from annotation.domain.transitions import may_follow
from annotation.domain.workflow import SeatState
from annotation.models import Cursor, Item, Place, Project, Queue, Seat, Step, User
from annotation.models.work import BARRING, JUDGES, TAKEN
from annotation.selectors.qualification import may_go_on

LAG = 50  # positions that a cursor may stay behind: they are looked at again each time, which costs less than moving it
RENEWED_AFTER = timedelta(seconds=30)  # a lease younger than that is left as it is: it would be a write for each grade


@transaction.atomic
def hold(*, project: Project, step: str, count: int = 1, by: User) -> list[Seat]:
    """The seats `by` works on next, oldest first: those held already, with their lease renewed, topped up to `count`.

    Fewer, or none, when no place is open to this person, and none for a rater who is not qualified or is paused. Gold
    comes between the pairs to rate, and nothing tells it from them. An author who is not qualified gets one practice
    item after the other, and nothing else.
    """
    return _hold(own_cursor(project, step, by=by), project, count, waits=True, by=by)


def hold_on(cursor: Cursor, *, project: Project, count: int, by: User) -> list[Seat]:
    """hold(), within a transaction that has locked the person's cursor and a place: it must not wait for another, or
    two would wait for each other. So there may be none though somebody else's place stays open in a moment."""
    return _hold(cursor, project, count, waits=False, by=by)


def _hold(cursor: Cursor, project: Project, count: int, *, waits: bool, by: User) -> list[Seat]:
    step = cursor.queue.step
    if step in (Step.RATE, Step.WRITE) and not may_go_on(project, by, cursor):
        return _practice(cursor, project, by=by) if step == Step.WRITE else []
    lease_until = lease_end(project)
    seats = _renewed(cursor, lease_until)
    wanted = count - len(seats)
    places = _next_places(cursor, wanted, waits=waits) if wanted > 0 else []
    if step == Step.RATE:
        places = gold_stream.among(places, cursor=cursor, project=project, most=wanted, by=by)
    return seats + [_sit(place, lease_until, project=project, by=by) for place in places]


def _practice(cursor: Cursor, project: Project, *, by: User) -> list[Seat]:
    """What an author practises on: the item in hand, else the next one. Work in hand waits for its lease to end."""
    lease_until = lease_end(project)
    if seats := _renewed(cursor, lease_until, is_practice=True):
        return seats
    place = practice_items.next_place(cursor, project=project, by=by)
    return [_sit(place, lease_until, project=project, by=by)] if place else []


def own_cursor(project: Project, step: str, *, by: User) -> Cursor:
    """The person's cursor, locked. Its queue's tail may be older than the lock, never newer."""
    own = Cursor.objects.select_related("queue").filter(queue__project=project, queue__step=step, person=by)
    own = own.select_for_update(no_key=True, of=("self",))
    if cursor := own.first():
        return cursor
    Cursor.objects.get_or_create(queue=Queue.objects.get(project=project, step=step), person=by)
    return own.get()


def _renewed(cursor: Cursor, lease_until: datetime, *, is_practice: bool = False) -> list[Seat]:
    """Of writing, those on practice items or the others: they are told by having no slot."""
    held = Seat.objects.filter(person=cursor.person_id, state=SeatState.HELD, place__queue=cursor.queue_id)
    if cursor.queue.step == Step.WRITE:
        held = held.filter(slot__isnull=is_practice)
    seats = list(held.order_by("id").select_related("place"))
    old = [seat for seat in seats if seat.lease_until < lease_until - RENEWED_AFTER]
    for seat in old:
        seat.lease_until = lease_until
    if old:
        Seat.objects.filter(pk__in=[seat.pk for seat in old]).update(lease_until=lease_until)
    return seats


def _next_places(cursor: Cursor, wanted: int, *, waits: bool) -> list[Place]:
    """The first places open to the cursor's person, locked; now and then the cursor moves up to the first of them."""
    barred = Seat.objects.barring(cursor.person_id).filter(place=OuterRef("pk"))
    ahead = Place.objects.filter(queue=cursor.queue_id, position__gt=cursor.position, free__gt=0).order_by("position")
    ahead = ahead.filter(~Exists(barred))
    if cursor.queue.step in JUDGES:
        ahead = ahead.filter(~Exists(Seat.objects.in_the_way(cursor.queue.step, cursor.person_id)))
    # Whoever sits down at a place right now is passed by. If only such places are left they may yet stay open.
    places = list(ahead.select_for_update(no_key=True, skip_locked=True)[:wanted])
    if not places and waits:
        places = _wait_for_one(ahead)
    if not places or places[0].position > cursor.position + LAG:
        # Also places that were passed by just now count as open: the cursor stays before them.
        first = ahead.values_list("position", flat=True).first()
        cursor.position = cursor.queue.tail if first is None else first - 1
        cursor.save(update_fields=["position"])
    return places


class _Taken(Exception):
    """The place that was waited for is not open any more."""


def _wait_for_one(ahead: QuerySet[Place]) -> list[Place]:
    """The first place that is still open once those who sit down at it have done so, locked; none if all are full.

    Nobody may wait for a place while they hold another, or two would wait for each other: a place that turns out to be
    taken is let go, with the savepoint, before the next one is waited for.
    """
    while (first := ahead.values_list("pk", flat=True).first()) is not None:
        try:
            with transaction.atomic():
                places = list(ahead.select_for_update(no_key=True).filter(pk=first))
                if not places:
                    raise _Taken
                return places
        except _Taken:
            continue
    return []


def reserve(place: Place, *, person: User, by: User) -> Seat:
    """A seat on a place just made for somebody who did not ask for it. The caller holds the lock of their cursor."""
    project = place.queue.project
    lease_until = lease_end(project)
    seat = Seat.objects.create(place=place, slot=take_slot(place), person=person, lease_until=lease_until)
    record(seat, became=SeatState.HELD, scope=project, by=by)
    return seat


def lease_end(project: Project) -> datetime:
    """When a lease ends that begins now."""
    return timezone.now() + timedelta(minutes=project.chosen.lease_minutes)


def renew(seat: Seat) -> None:
    """Begin the lease of a locked seat anew: its holder is at work. An ended seat stays as it is."""
    if seat.state == SeatState.HELD:
        seat.lease_until = lease_end(seat.place.queue.project)
        seat.save(update_fields=["lease_until"])


def lock_queue(project: Project, step: str) -> Queue:
    """The queue, locked: whoever wants more than one lock takes this one first."""
    return Queue.objects.select_for_update(no_key=True, of=("self",)).get(project=project, step=step)


def lock_cursors(queue: Queue, people: Collection[int] | QuerySet[Any]) -> None:
    """The cursors of people in a queue that is locked, so that no other seat is written for them meanwhile."""
    cursors = Cursor.objects.select_for_update(no_key=True, of=("self",)).filter(queue=queue, person__in=people)
    list(cursors.order_by("pk"))


def _sit(place: Place, lease_until: datetime, *, project: Project, by: User) -> Seat:
    seat = Seat.objects.create(place=place, slot=take_slot(place), person=by, lease_until=lease_until)
    record(seat, became=SeatState.HELD, scope=project, by=by)
    return seat


def take_slot(place: Place) -> int | None:
    """The lowest free slot of a locked place; the place has one fewer afterwards. None on gold and practice."""
    if not place.slots:
        return None
    is_empty = place.free == place.slots
    taken = set() if is_empty else set(place.seats.taken().values_list("slot", flat=True))
    place.free -= 1
    place.save(update_fields=["free"])
    return next(slot for slot in range(1, place.slots + 1) if slot not in taken)


def may_submit(seat: Seat) -> bool:
    """Whether work on a locked seat counts: its holder has it, or had it and the place is still free.

    On gold and practice nobody takes it from them.
    """
    is_free = seat.slot is None or seat.place.free > 0
    return seat.state == SeatState.HELD or (seat.state == SeatState.EXPIRED and is_free)


def submit_seat(seat: Seat, *, by: User) -> bool:
    """Turn a locked seat into a submitted one. False when it has ended and the place has no room left."""
    if not may_submit(seat):
        return False
    slot = seat.slot if seat.state == SeatState.HELD else take_slot(seat.place)
    project = seat.place.queue.project
    move(seat, SeatState.SUBMITTED, scope=project, by=by, ended_at=timezone.now(), slot=slot)
    return True


def lock(seat: Seat) -> Seat:
    """The seat as it is now, with all locked that may change with it: its person's cursor, its place and item.

    When it ended and the same person was given the place again, that newer seat.
    """
    cursors = Cursor.objects.filter(queue__places=seat.place_id, person=seat.person_id)
    cursors.select_for_update(no_key=True, of=("self",)).first()
    return lock_place_of(seat)


def lock_place_of(seat: Seat) -> Seat:
    """lock(), where the cursor is locked already."""
    places = Place.objects.select_related("queue__project", "item").select_for_update(no_key=True, of=("self", "item"))
    own = list(places.get(pk=seat.place_id).seats.filter(person=seat.person_id))
    barring = (other for other in own if other.state in BARRING)
    return next(barring, None) or next(same for same in own if same.pk == seat.pk)


@transaction.atomic
def give_up(*, seat: Seat, becomes: SeatState, reason: str = "", why: str = "", by: User | None) -> Seat | None:
    """End a seat without a grade; its place opens again at the queue's tail.

    The ended seat, or None when it had ended already: ending it twice changes nothing.
    """
    queue = _lock_queue_of(seat.place_id)
    return _end(lock(seat), queue, becomes, reason=reason, why=why, by=by)


def _lock_queue_of(place: int) -> Queue:
    return Queue.objects.select_for_update(no_key=True, of=("self",)).get(places=place)


def _end(
    seat: Seat, queue: Queue, becomes: SeatState, *, reason: str = "", why: str = "", by: User | None
) -> Seat | None:
    if seat.state == SeatState.SUBMITTED or not may_follow(SeatState(seat.state), becomes):
        return None
    held_its_place = seat.state in TAKEN and seat.slot is not None
    project = seat.place.queue.project
    move(seat, becomes, scope=project, why=why or reason, by=by, ended_at=timezone.now(), reason=reason)
    if held_its_place:
        reopen([seat.place], queue)
    return seat


@transaction.atomic
def void(*, person: User, places: Sequence[int], why: str, by: User | None) -> list[Seat]:
    """Void the person's graded seats on these places of one queue, and open the places again. The voided seats."""
    queue = _lock_queue_of(places[0])
    lock_cursors(queue, [person.pk])
    locked = Place.objects.select_related("item").select_for_update(no_key=True, of=("self", "item"))
    place_of = {place.pk: place for place in locked.filter(pk__in=places).order_by("pk")}
    seats = list(Seat.objects.filter(person=person, place__in=places, state=SeatState.SUBMITTED).order_by("place"))
    for seat in seats:
        seat.place = place_of[seat.place_id]
    move_all(seats, SeatState.VOIDED, scope=queue.project, why=why, by=by)
    reopen([seat.place for seat in seats if seat.slot is not None], queue)
    return seats


def lock_items(items: Sequence[int]) -> list[Item]:
    """The items, locked, after every place they have in whatever queue: nobody sits down or submits there meanwhile."""
    list(Place.objects.select_for_update(no_key=True, of=("self",)).filter(item__in=items).order_by("pk"))
    return list(Item.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=items).order_by("pk"))


def expire_seats(*, now: datetime | None = None) -> int:
    """End every seat whose lease is over. How many there were."""
    now = now or timezone.now()
    over = Seat.objects.filter(state=SeatState.HELD, lease_until__lt=now).order_by("lease_until")
    return sum(_expire(seat, now) for seat in list(over))


@transaction.atomic
def _expire(seat: Seat, now: datetime) -> bool:
    queue, seat = _lock_queue_of(seat.place_id), lock(seat)
    renewed = seat.lease_until >= now  # a moment ago, while this waited for the locks
    return not renewed and _end(seat, queue, SeatState.EXPIRED, by=None) is not None
