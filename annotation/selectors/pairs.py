"""The pairs of a project as its researchers look at them: a page at a time, whatever their number."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.rating import final_grade, gap
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Adjudication, Item, Project, Rating, Seat

PAGE = 50
SKIPPED = "skipped"  # not a state: somebody left the pair to others


@dataclass(frozen=True)
class Row:
    """A pair, its grades once all are in, what a third person decided about it, and who skipped it."""

    item: Item
    ratings: list[Rating]
    decision: Adjudication | None
    skips: list[Seat]

    @property
    def final(self) -> float | None:
        third = self.decision.grade if self.decision else None
        return final_grade([rating.grade for rating in self.ratings], third) if self.ratings else None


@dataclass(frozen=True)
class Stretch:
    """Items next to each other, and the positions to go on from."""

    items: list[Item]
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Page:
    """`before` and `after` are positions to go on from, None at either end."""

    rows: list[Row]
    before: int | None
    after: int | None


def pairs_of(project: Project, *, search: str = "", state: str = "", source: str = "") -> QuerySet[Item]:
    """The pairs that fit, those that cleaning removed too; `search` is part of a text, or the whole of an id."""
    pairs = project.items.work()
    if state == SKIPPED:
        pairs = pairs.filter(Exists(Seat.objects.filter(place__item=OuterRef("pk"), state=SeatState.SKIPPED)))
    elif state:
        pairs = pairs.filter(state=state)
    if source:
        pairs = pairs.filter(source=source)
    if search:
        in_text = Q(content__prompt__icontains=search) | Q(content__response__icontains=search)
        pairs = pairs.filter(in_text | Q(external_id=search))
    return pairs


def sources_of(project: Project) -> list[str]:
    return sorted(filter(None, project.items.counting().values_list("source", flat=True).distinct()))


def page_of(pairs: QuerySet[Item], *, before: int | None = None, after: int | None = None) -> Page:
    """Up to `PAGE` pairs with what was done with them."""
    found = place_in(pairs, before=before, after=after)
    return Page(rows_of(found.items), found.before, found.after)


def rows_of(items: Sequence[Item]) -> list[Row]:
    """The pairs, in their order, with what was done with them. Three queries."""
    ratings, skips = _ratings(items), _skips(items)
    decisions = _decisions(items, ratings)
    return [Row(item, ratings.get(item.pk, []), decisions.get(item.pk), skips.get(item.pk, [])) for item in items]


def place_in(items: QuerySet[Item], *, before: int | None = None, after: int | None = None) -> Stretch:
    """Up to `PAGE` items in the order in which they are handed out, next to a position: every page costs the same."""
    if before is not None:
        found = list(items.filter(position__lt=before).order_by("-position")[: PAGE + 1])
    else:
        found = list(items.filter(position__gt=after or 0).order_by("position")[: PAGE + 1])
    shown, more = found[:PAGE], len(found) > PAGE
    if before is not None:
        return _stretch(shown[::-1], has_before=more, has_after=True)
    return _stretch(shown, has_before=bool(after), has_after=more)


def _stretch(items: list[Item], *, has_before: bool, has_after: bool) -> Stretch:
    return Stretch(
        items=items,
        before=items[0].position if items and has_before else None,
        after=items[-1].position if items and has_after else None,
    )


def grades_of(items: Iterable[Item]) -> dict[int, list[int]]:
    """The grades of those items that have all of them, by key."""
    return {item: [rating.grade for rating in ratings] for item, ratings in _ratings(items).items()}


def _ratings(items: Iterable[Item]) -> dict[int, list[Rating]]:
    complete = [item.pk for item in items if item.state != ItemState.OPEN]
    found: dict[int, list[Rating]] = defaultdict(list)
    ratings = (
        Rating.objects.counting().filter(seat__place__item__in=complete).select_related("seat__person", "seat__place")
    )
    for rating in sorted(ratings, key=lambda rating: rating.seat.person.username):
        found[rating.seat.place.item_id].append(rating)
    return dict(found)


def _decisions(items: Iterable[Item], ratings: dict[int, list[Rating]]) -> dict[int, Adjudication]:
    """What a third person decided about those whose grades lie too far apart."""
    apart = {
        item.pk for item in items
        if item.pk in ratings and gap([rating.grade for rating in ratings[item.pk]]) > item.project.rating.gap
    }  # fmt: skip
    made = Adjudication.objects.counting().filter(seat__place__item__in=apart)
    return {each.seat.place.item_id: each for each in made.select_related("seat__place", "seat__person")}


def _skips(items: Iterable[Item]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = defaultdict(list)
    skipped = Seat.objects.filter(place__item__in=[item.pk for item in items], state=SeatState.SKIPPED)
    for seat in skipped.select_related("person", "place").order_by("pk"):
        found[seat.place.item_id].append(seat)
    return dict(found)
