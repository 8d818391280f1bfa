"""The pairs of a project as its researchers look at them: a page at a time, whatever their number."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.rating import final_grade, gap
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Adjudication, Item, Project, Rating, Seat
from annotation.selectors import paging
from annotation.selectors.paging import Page

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
        """None where the pair is not kept: it is removed, or a third person has yet to decide."""
        if self.item.state != ItemState.KEPT:
            return None
        third = self.decision.grade if self.decision else None
        return final_grade([rating.grade for rating in self.ratings], third)


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
    """Up to `PAGE` pairs in the order in which they are handed out, with what was done with them."""
    page = paging.page_of(pairs, size=PAGE, before=before, after=after)
    return replace(page, rows=rows_of(page.rows))


def rows_of(items: Sequence[Item]) -> list[Row]:
    """The pairs, in their order, with what was done with them. Three queries."""
    ratings, skips = _ratings(items), skips_of(items)
    decisions = _decisions(items, ratings)
    return [Row(item, ratings.get(item.pk, []), decisions.get(item.pk), skips.get(item.pk, [])) for item in items]


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


def skips_of(items: Iterable[Item]) -> dict[int, list[Seat]]:
    """The seats on which somebody left these items to others, the oldest first, by key of the item."""
    found: dict[int, list[Seat]] = defaultdict(list)
    skipped = Seat.objects.filter(place__item__in=[item.pk for item in items], state=SeatState.SKIPPED)
    for seat in skipped.select_related("person", "place").order_by("pk"):
        found[seat.place.item_id].append(seat)
    return dict(found)
