"""The pairs of a project for its researchers, a page at a time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.rating.rating import final_grade, gap
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Adjudication, Assignment, Item, Project, Rating
from core.selectors import paging
from core.selectors.paging import RowsPage

PAGE = 50
SKIPPED = "skipped"  # not a state: a person left the pair to others


@dataclass(frozen=True)
class PairHistory:
    """A pair, its grades once it has all of them, an adjudicator's decision, and the skips."""

    item: Item
    ratings: list[Rating]
    decision: Adjudication | None
    skips: list[Assignment]

    @property
    def final(self) -> float | None:
        """The final grade; None where the pair is not kept: removed, or an adjudicator has yet to decide."""
        if self.item.state != ItemState.KEPT:
            return None
        adjudicated = self.decision.grade if self.decision else None
        return final_grade([rating.grade for rating in self.ratings], adjudicated)


def pairs_of(project: Project, *, search: str = "", state: str = "", source: str = "") -> QuerySet[Item]:
    """Return the matching pairs, also those removed by cleaning; `search` is part of a text, or a whole id."""
    pairs = project.items.work()
    if state == SKIPPED:
        pairs = pairs.filter(
            Exists(Assignment.objects.filter(slot__item=OuterRef("pk"), state=AssignmentState.SKIPPED))
        )
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


def page_of(pairs: QuerySet[Item], *, before: int | None = None, after: int | None = None) -> RowsPage:
    """Return up to `PAGE` pairs, in the order of assignment, with their histories."""
    page = paging.page_of(pairs, size=PAGE, before=before, after=after)
    return replace(page, rows=rows_of(page.rows))


def rows_of(items: Sequence[Item]) -> list[PairHistory]:
    """Return the pairs, in their order, with their histories. Three queries."""
    ratings, skips = _ratings(items), skips_of(items)
    decisions = _decisions(items, ratings)
    return [
        PairHistory(item, ratings.get(item.pk, []), decisions.get(item.pk), skips.get(item.pk, [])) for item in items
    ]


def graded(items: Sequence[Item]) -> list[PairHistory]:
    """Return the pairs, in their order, with their grades alone. One query."""
    ratings = _ratings(items)
    return [PairHistory(item, ratings.get(item.pk, []), None, []) for item in items]


def grades_of(items: Iterable[Item]) -> dict[int, list[int]]:
    """Return the grades of the items that have all of them, by key."""
    return {item: [rating.grade for rating in ratings] for item, ratings in _ratings(items).items()}


def _ratings(items: Iterable[Item]) -> dict[int, list[Rating]]:
    complete = [item.pk for item in items if item.state != ItemState.OPEN]
    found: dict[int, list[Rating]] = defaultdict(list)
    ratings = (
        Rating.objects.counting()
        .filter(assignment__slot__item__in=complete)
        .select_related("assignment__person", "assignment__slot")
    )
    for rating in sorted(ratings, key=lambda rating: rating.assignment.person.username):
        found[rating.assignment.slot.item_id].append(rating)
    return dict(found)


def _decisions(items: Iterable[Item], ratings: dict[int, list[Rating]]) -> dict[int, Adjudication]:
    """Return the adjudicators' decisions about pairs with too wide a gap."""
    apart = {
        item.pk
        for item in items
        if item.pk in ratings and gap([rating.grade for rating in ratings[item.pk]]) > item.project.rating.gap
    }
    made = Adjudication.objects.counting().filter(assignment__slot__item__in=apart)
    return {
        each.assignment.slot.item_id: each for each in made.select_related("assignment__slot", "assignment__person")
    }


def skips_of(items: Iterable[Item]) -> dict[int, list[Assignment]]:
    """Return the assignments on which people skipped these items, the oldest first, by key of the item."""
    found: dict[int, list[Assignment]] = defaultdict(list)
    skipped = Assignment.objects.filter(slot__item__in=[item.pk for item in items], state=AssignmentState.SKIPPED)
    for assignment in skipped.select_related("person", "slot").order_by("pk"):
        found[assignment.slot.item_id].append(assignment)
    return dict(found)
