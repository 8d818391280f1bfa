"""Store many grades at once that were not given on the rating page: rated elsewhere, or by bots."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import count
from typing import NamedTuple

from django.utils import timezone

from annotation.actions.qualification.pausing import watch
from annotation.actions.queue.assignments import own_cursor
from annotation.actions.rating.ratings import settle
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, GuidelineVersion, Item, Project, Rating, Slot, Step
from core.actions.events import record_all
from core.models import User


class Given(NamedTuple):
    """A person's grade on a slot, with its reason; the reason is empty if the grade takes none."""

    slot: Slot
    person: User
    grade: int
    reason: str


def store(given: Sequence[Given], *, project: Project, guideline: GuidelineVersion, by: User) -> None:
    """Store grades given outside the page, and settle their items.

    The caller holds the locks of the slots and has checked that the people may grade them. A slot with more people than
    it requires is widened.
    """
    assignments = assign([(one.slot, one.person) for one in given])
    _store(assignments, given, project=project, guideline=guideline, by=by)
    settle(Item.objects.filter(slots__in={one.slot.pk for one in given}), project=project, by=by)


def store_gold(one: Given, *, project: Project, guideline: GuidelineVersion, by: User) -> None:
    """Store a grade of gold, which takes no slot number, and pause the person if they missed too much of it.

    Called for one grade at a time, as each may be the miss that pauses.
    """
    cursor = own_cursor(project, Step.RATE, by=one.person)
    assignment = _submitted(one.slot, one.person, None, timezone.now())
    assignment.save()
    _store([assignment], [one], project=project, guideline=guideline, by=by)
    watch(cursor, project=project)


def _store(
    assignments: Sequence[Assignment],
    given: Sequence[Given],
    *,
    project: Project,
    guideline: GuidelineVersion,
    by: User,
) -> None:
    Rating.objects.bulk_create(
        Rating(assignment=assignment, grade=one.grade, reason=one.reason, guideline=guideline)
        for assignment, one in zip(assignments, given, strict=True)
    )
    record_all(assignments, became=AssignmentState.SUBMITTED, scope=project, by=by)


def _submitted(slot: Slot, person: User, slot_number: int | None, now: datetime) -> Assignment:
    return Assignment(
        slot=slot,
        slot_number=slot_number,
        person=person,
        state=AssignmentState.SUBMITTED,
        lease_until=now,
        claimed_at=now,
        ended_at=now,
    )


def assign(assigned: Sequence[tuple[Slot, User]]) -> list[Assignment]:
    """Create submitted assignments on locked slots for people who are not barred from them."""
    now = timezone.now()
    slots = {slot.pk: slot for slot, _person in assigned}
    taken: dict[int, set[int | None]] = defaultdict(set)
    assignments_with_number = Assignment.objects.taken().filter(slot__in=slots, slot_number__isnull=False)
    for slot_pk, slot_number in assignments_with_number.values_list("slot", "slot_number"):
        taken[slot_pk].add(slot_number)
    assignments = []
    for slot, person in assigned:
        required = taken[slot.pk]
        slot_number = next(number for number in count(1) if number not in required)
        required.add(slot_number)
        assignments.append(_submitted(slot, person, slot_number, now))
    _count_free(slots.values(), taken)
    return Assignment.objects.bulk_create(assignments)


def _count_free(slots: Collection[Slot], taken: dict[int, set[int | None]]) -> None:
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for slot in slots:
        required = max(slot.required, len(taken[slot.pk]))
        alike[required, required - len(taken[slot.pk])].append(slot.pk)
    for (required, free), pks in alike.items():
        Slot.objects.filter(pk__in=pks).update(required=required, free=free)
