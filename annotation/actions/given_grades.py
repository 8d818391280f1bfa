"""Many grades at once, by people who did not sit at the rating page: rated elsewhere, or bots."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import count
from typing import NamedTuple

from django.utils import timezone

from annotation.actions.assignments import own_cursor
from annotation.actions.events import record_all
from annotation.actions.pausing import watch
from annotation.actions.ratings import settle
from annotation.domain.workflow import SeatState
from annotation.models import GuidelineVersion, Item, Place, Project, Rating, Seat, Step, User


class Given(NamedTuple):
    """A grade with its reason, empty where it takes none, by a person at a place."""

    place: Place
    person: User
    grade: int
    reason: str


def store(given: Sequence[Given], *, project: Project, guideline: GuidelineVersion, by: User) -> None:
    """Store grades that are not to be asked for any more, and settle their items.

    The caller holds the locks of the places, and nobody among the people is barred from theirs. More people than a
    place asks for widen it.
    """
    seats = sit([(one.place, one.person) for one in given])
    _store(seats, given, project=project, guideline=guideline, by=by)
    settle(Item.objects.filter(places__in={one.place.pk for one in given}), project=project, by=by)


def store_gold(one: Given, *, project: Project, guideline: GuidelineVersion, by: User) -> None:
    """The same of gold between the pairs, which takes nobody's place: whoever missed too much of it is paused.

    One at a time, as each may be the miss that is too many.
    """
    cursor = own_cursor(project, Step.RATE, by=one.person)
    seat = _submitted(one.place, one.person, None, timezone.now())
    seat.save()
    _store([seat], [one], project=project, guideline=guideline, by=by)
    watch(cursor, project=project)


def _store(
    seats: Sequence[Seat], given: Sequence[Given], *, project: Project, guideline: GuidelineVersion, by: User
) -> None:
    Rating.objects.bulk_create(
        Rating(seat=seat, grade=one.grade, reason=one.reason, guideline=guideline)
        for seat, one in zip(seats, given, strict=True)
    )
    record_all(seats, became=SeatState.SUBMITTED, scope=project, by=by)


def _submitted(place: Place, person: User, slot: int | None, now: datetime) -> Seat:
    return Seat(
        place=place, slot=slot, person=person, state=SeatState.SUBMITTED, lease_until=now, claimed_at=now, ended_at=now
    )


def sit(sitting: Sequence[tuple[Place, User]]) -> list[Seat]:
    """Submitted seats on places that are locked, of people whom nothing bars from them."""
    now = timezone.now()
    places = {place.pk: place for place, _person in sitting}
    taken: dict[int, set[int | None]] = defaultdict(set)
    seats_with_slot = Seat.objects.taken().filter(place__in=places, slot__isnull=False)
    for place_pk, slot in seats_with_slot.values_list("place", "slot"):
        taken[place_pk].add(slot)
    seats = []
    for place, person in sitting:
        slots = taken[place.pk]
        slot = next(number for number in count(1) if number not in slots)
        slots.add(slot)
        seats.append(_submitted(place, person, slot, now))
    _count_free(places.values(), taken)
    return Seat.objects.bulk_create(seats)


def _count_free(places: Collection[Place], taken: dict[int, set[int | None]]) -> None:
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place in places:
        slots = max(place.slots, len(taken[place.pk]))
        alike[slots, slots - len(taken[place.pk])].append(place.pk)
    for (slots, free), pks in alike.items():
        Place.objects.filter(pk__in=pks).update(slots=slots, free=free)
