"""The pairs of a project for its researchers: found, sorted, and with what people gave."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import (
    Aggregate,
    Avg,
    Case,
    Exists,
    F,
    FloatField,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast

from annotation.domain.rating.rating import final_grade, gap
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Adjudication, Assignment, Flag, Item, Project, Rating, Step
from annotation.models.items import has_key
from core.domain.sorting import Sorting
from core.selectors.sorting import in_direction

PAGE = 50
SKIPPED = "skipped"  # not a state: a person left the pair to others
FLAGGED = "flagged"  # not a state: a flag on the pair is open
STATES = (ItemState.OPEN, ItemState.DISPUTED, ItemState.KEPT, ItemState.REMOVED, ItemState.CLEANED)
GAP = Max("grade") - Min("grade")
GRADED = (Step.RATE, Step.ADJUDICATE)


@dataclass(frozen=True)
class PairHistory:
    """A pair, its grades once it has all of them, an adjudicator's decision, the skips, and how many flags are open."""

    item: Item
    ratings: list[Rating]
    decision: Adjudication | None = None
    skips: list[Assignment] = field(default_factory=list)
    flags: int = 0

    @property
    def gap(self) -> int | None:
        """The gap of the grades; None until all are in."""
        return gap([rating.grade for rating in self.ratings]) if self.ratings else None

    @property
    def graded_at(self) -> datetime | None:
        """When the last of the grades was given; None until all are in."""
        return max((rating.created_at for rating in self.ratings), default=None)

    @property
    def final(self) -> float | None:
        """The final grade; None where the pair is not kept: removed, or an adjudicator has yet to decide."""
        if self.item.state != ItemState.KEPT:
            return None
        adjudicated = self.decision.grade if self.decision else None
        return final_grade([rating.grade for rating in self.ratings], adjudicated)


def pairs_of(
    project: Project,
    *,
    search: str = "",
    state: str = "",
    source: str = "",
    rater: int | None = None,
    grade: int | None = None,
    gap: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[Item]:
    """Return the matching pairs, also those removed by cleaning; `search` is part of a text, or a whole id or key.

    Rater, grade and times are those of one grade that the pair has. By `grade`, and by a `gap` of at least so much, are
    found only pairs that have all their grades, as the list shows no others.
    """
    pairs = in_state(project.items.work(), state)
    if source:
        pairs = pairs.filter(source=source)
    if search:
        in_text = Q(content__prompt__icontains=search) | Q(content__response__icontains=search)
        pairs = pairs.filter(in_text | Q(external_id=search) | has_key(search))
    asked = {"assignment__person": rater, "grade": grade, "created_at__gte": since, "created_at__lte": until}
    of_a_grade = {name: value for name, value in asked.items() if value is not None}
    if of_a_grade:
        # Not Exists: SQLite would look through all that the rater gave, once for each pair.
        given = Rating.objects.counting().filter(assignment__slot__item__project=project, **of_a_grade)
        pairs = pairs.filter(pk__in=given.values("assignment__slot__item"))
    if grade is not None or gap is not None:
        pairs = pairs.exclude(state=ItemState.OPEN)
    return pairs if gap is None else pairs.annotate(gap=_of_grades(GAP)).filter(gap__gte=gap)


def in_state(items: QuerySet[Item], state: str) -> QuerySet[Item]:
    """Return the items in a state, or those that someone skipped, or those with an open flag; all without one."""
    if state == SKIPPED:
        return items.filter(pk__in=Assignment.objects.filter(state=AssignmentState.SKIPPED).values("slot__item"))
    if state == FLAGGED:
        return items.filter(pk__in=Flag.objects.open().values("assignment__slot__item"))
    return items.filter(state=state) if state else items


def sorted_pairs(pairs: QuerySet[Item], project: Project, order: Sorting) -> QuerySet[Item]:
    """Return the pairs in this order, equal ones in that of assignment. Pairs without a value are last either way.

    By gap and final grade are sorted only pairs that show them.
    """
    if order.column == "order":
        return pairs.order_by(in_direction(F("position"), order))
    key: Any
    if order.column == "graded":
        key = _of_grades(Max("created_at"))
    elif order.column == "gap":
        key = Case(When(~Q(state=ItemState.OPEN), then=_of_grades(GAP)))
    elif order.column == "final":
        key = _final(project)
    else:
        key = {"source": F("source"), "state": by_state(STATES)}[order.column]
    return pairs.order_by(in_direction(key, order), "position")


def by_state(states: Sequence[ItemState]) -> Case:
    """Return the place of an item's state among these."""
    return Case(*(When(state=state, then=place) for place, state in enumerate(states)), output_field=IntegerField())


def _final(project: Project) -> Case:
    """Return the final grade of kept pairs, as `PairHistory.final` has it."""
    decided = Adjudication.objects.counting().filter(assignment__slot__item=OuterRef("pk"), grade__isnull=False)
    by_adjudicator = _given().values("assignment__slot__item").annotate(gap=GAP).filter(gap__gt=project.rating.gap)
    return Case(
        When(~Q(state=ItemState.KEPT), then=None),
        When(Exists(by_adjudicator), then=Cast(Subquery(decided.values("grade")[:1]), FloatField())),
        default=_of_grades(Avg("grade")),
        output_field=FloatField(),
    )


def _given() -> QuerySet[Rating]:
    """Return the grades that count of the pair of an outer query."""
    return Rating.objects.counting().filter(assignment__slot__item=OuterRef("pk")).order_by()


def _of_grades(value: Aggregate | CombinedExpression) -> Subquery:
    return Subquery(_given().values("assignment__slot__item").annotate(value=value).values("value"))


def sources_of(project: Project) -> list[str]:
    return sorted(filter(None, project.items.counting().values_list("source", flat=True).distinct()))


def rows_of(items: Sequence[Item]) -> list[PairHistory]:
    """Return the pairs, in their order, with their histories. Four queries."""
    ratings, skips, flags = _ratings(items), skips_of(items), flags_on(items)
    decisions = _decisions(items, ratings)
    return [
        PairHistory(
            item, ratings.get(item.pk, []), decisions.get(item.pk), skips.get(item.pk, []), flags.get(item.pk, 0)
        )
        for item in items
    ]


def graded(items: Sequence[Item]) -> list[PairHistory]:
    """Return the pairs, in their order, with their grades alone. One query."""
    ratings = _ratings(items)
    return [PairHistory(item, ratings.get(item.pk, [])) for item in items]


def grades_of(items: Iterable[Item]) -> dict[int, list[int]]:
    """Return the grades of the items that have all of them, by key."""
    return {item: [rating.grade for rating in ratings] for item, ratings in _ratings(items).items()}


def grades_to_void(items: Iterable[Item]) -> QuerySet[Assignment]:
    """Return the grades on these pairs of work, complete or not, and what adjudicators decided about them."""
    done = Assignment.objects.of_work().filter(state=AssignmentState.SUBMITTED, slot__queue__step__in=GRADED)
    return done.filter(slot__item__in=[item.pk for item in items])


def numbers_to_void(items: Iterable[Item]) -> dict[int, int]:
    """Return the numbers of these grades and decisions by key of the item; items without any are left out."""
    return Counter(grades_to_void(items).values_list("slot__item", flat=True))


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


def flags_on(items: Iterable[Item]) -> dict[int, int]:
    """Return the numbers of open flags on these items, by key; those without are left out."""
    flagged = Flag.objects.open().filter(assignment__slot__item__in=[item.pk for item in items])
    return Counter(flagged.values_list("assignment__slot__item", flat=True))


def skips_of(items: Iterable[Item]) -> dict[int, list[Assignment]]:
    """Return the assignments on which people skipped these items, the oldest first, by key of the item."""
    found: dict[int, list[Assignment]] = defaultdict(list)
    skipped = Assignment.objects.filter(slot__item__in=[item.pk for item in items], state=AssignmentState.SKIPPED)
    for assignment in skipped.select_related("person", "slot").order_by("pk"):
        found[assignment.slot.item_id].append(assignment)
    return dict(found)
