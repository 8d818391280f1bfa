"""What people decide about pairs that a rule found, and taking it back.

What a decision removes is in the state cleaned: nobody is asked about it, its grades are kept and do not count. Locks
are taken in the order of docs/adr/0003, items after places.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions import assignments, disputes
from annotation.actions.assignments import give_up, lock, lock_cursors, lock_items, lock_queue, submit_seat
from annotation.actions.events import move, move_all, record
from annotation.actions.places import reopen_items
from annotation.actions.ratings import not_yours, settle
from annotation.actions.refusals import Refused
from annotation.domain.cleaning import Verdict
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import CleaningDecision, Item, Place, Project, Queue, Seat, Step, User
from annotation.selectors.cleaning import findings_of, responses_of


def decide(*, seat: Seat, verdict: Verdict, key: UUID | None = None, by: User) -> CleaningDecision:
    """Keep the pair on a seat of one's own, remove it, or remove its prompt with every response.

    Sent twice with one key it is stored once. Seats that others hold on what is removed are returned. Raises Refused.
    """
    if seat.person_id != by.pk:
        raise not_yours()
    with transaction.atomic():
        affected = _lock(seat, verdict)
        seat = lock(seat)
        if sent := _sent_before(seat, key):
            return sent
        _must_be_open(seat)
        decision = _store(seat, verdict, key, affected, by=by)
    return_seats(affected, by=by)
    return decision


def _lock(seat: Seat, verdict: Verdict) -> list[Item]:
    """What the verdict removes, locked."""
    if verdict == Verdict.KEEP:
        return []
    disputes.lock(seat.place.queue.project)
    queue = lock_queue(seat.place.queue.project, Step.CLEAN)
    lock_cursors(queue, [seat.person_id])
    return lock_items(list(_reach(verdict, seat.place.item)))


def _reach(verdict: str, item: Item) -> Collection[int]:
    """The keys of the items that a verdict on one of them is about."""
    if verdict == Verdict.KNOWLEDGE:
        return list(responses_of(item).values_list("pk", flat=True))
    return [item.pk] if verdict == Verdict.SENSITIVE else []


def _sent_before(seat: Seat, key: UUID | None) -> CleaningDecision | None:
    return seat.decisions.filter(submission_key=key).first() if key is not None else None


def _must_be_open(seat: Seat) -> None:
    if seat.place.item.state == ItemState.CLEANED:
        raise Refused("cleaned", _("Not saved: this pair was removed with its prompt meanwhile. Go on with the next."))
    if seat.state == SeatState.SUBMITTED:
        raise Refused("decided", _("You have decided about this pair already. To change that, undo it first."))
    if not assignments.may_submit(seat):
        raise Refused(
            "place_taken",
            _("Not saved: this pair went to someone else after your time on it ended. Go on with the next."),
        )


def _store(seat: Seat, verdict: Verdict, key: UUID | None, affected: Sequence[Item], *, by: User) -> CleaningDecision:
    submit_seat(seat, by=by)
    removed = remove(affected, project=seat.place.queue.project, by=by)
    findings = findings_of([seat.place.item_id])[seat.place.item_id]
    decision = CleaningDecision.objects.create(
        seat=seat, verdict=verdict, findings=findings, removed=removed, submission_key=key
    )
    record(decision, became=verdict, scope=seat.place.queue.project, by=by)
    return decision


def remove(items: Sequence[Item], *, project: Project, by: User | None) -> int:
    """Take locked items out of the work: nobody sits down at them any more. How many were not out before."""
    removed = [item for item in items if item.state != ItemState.CLEANED]
    move_all(removed, ItemState.CLEANED, scope=project, by=by)
    disputes.follow(removed, project=project, by=by)
    Place.objects.filter(item__in=removed).update(free=0)
    return len(removed)


def return_seats(items: Collection[Item], *, by: User | None) -> None:
    """Take what was removed out of people's hands: one seat at a time, each under its own locks."""
    for seat in Seat.objects.filter(place__item__in=items, state=SeatState.HELD).select_related("place"):
        give_up(seat=seat, becomes=SeatState.RETURNED, why="cleaned", by=by)


@transaction.atomic
def undo(*, decision: CleaningDecision, by: User) -> None:
    """Take a decision back: what it removed, and nothing else removes, is restored and settled from its grades.

    The person's own seat is theirs again, to decide anew; the pair of somebody else's is open to all. What is still
    removed is in nobody's hands. Undoing twice changes nothing.
    """
    place = decision.seat.place
    disputes.lock(place.queue.project)
    own = Queue.objects.filter(project=place.queue.project_id, step__in=(Step.CLEAN, Step.RATE)).order_by("pk")
    queues = list(own.select_for_update(no_key=True, of=("self",)))
    for queue in queues:
        lock_cursors(queue, [decision.seat.person_id])
    items = lock_items([*_reach(decision.verdict, place.item), place.item_id])
    decision = CleaningDecision.objects.select_related("seat__place__queue__project").get(pk=decision.pk)
    if decision.undone_at:
        return
    removed_still = _removed_still(items, without=decision)
    is_theirs = decision.seat.person_id == by.pk and place.item_id not in removed_still
    take_back([decision], becomes=SeatState.HELD if is_theirs else SeatState.RETURNED, by=by)
    open_now = [item for item in items if item.pk not in removed_still]
    restored = [item for item in open_now if item.state == ItemState.CLEANED]
    project = decision.seat.place.queue.project
    move_all(restored, ItemState.OPEN, scope=project, by=by)
    settle(restored, project=project, by=by)  # what is far apart again waits for a third person
    reopen_items([item for item in open_now if item in restored or item.pk == place.item_id], queues)


def take_back(decisions: Sequence[CleaningDecision], *, becomes: SeatState, by: User | None) -> None:
    """Mark locked decisions as undone, and return their seats or give them to their people again."""
    now = timezone.now()
    CleaningDecision.objects.filter(pk__in=[decision.pk for decision in decisions]).update(undone_at=now)
    for decision in decisions:
        project = decision.seat.place.queue.project
        ends: dict[str, Any] = {"ended_at": now}
        if becomes == SeatState.HELD:
            ends = {"ended_at": None, "lease_until": assignments.lease_end(project)}
        move(decision.seat, becomes, scope=project, by=by, **ends)
        record(decision, was=decision.verdict, became="undone", scope=project, by=by)


def _removed_still(items: Sequence[Item], *, without: CleaningDecision) -> set[int]:
    """Those of the items that another decision in force removes."""
    in_force = CleaningDecision.objects.in_force().exclude(pk=without.pk)
    alone = in_force.filter(verdict=Verdict.SENSITIVE, seat__place__item__in=items)
    of_prompt = in_force.filter(
        verdict=Verdict.KNOWLEDGE,
        seat__place__item__project=items[0].project_id, seat__place__item__group__in={item.group for item in items},
    )  # fmt: skip
    groups = set(of_prompt.values_list("seat__place__item__group", flat=True))
    pairs = set(alone.values_list("seat__place__item", flat=True))
    return {item.pk for item in items if item.pk in pairs or item.group in groups}
