"""The items of a rewriting project for its researchers: found, sorted, and with texts, authors and verdicts."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Lower

from annotation.domain.rewriting.rewriting import LETTERS
from annotation.domain.workflow import STATES_OF_REWRITING, AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Item, Project, Rewrite, Step
from annotation.models.items import has_key
from annotation.selectors.rating.pairs import by_state, flags_on, in_state, skips_of
from annotation.selectors.rewriting.rewrites import was_inspected
from annotation.selectors.transcription import recorded_of
from core.domain.sorting import Sorting
from core.selectors.sorting import in_direction

NOT_INSPECTED = "not_inspected"  # not a state: accepted without inspection


@dataclass(frozen=True)
class ItemHistory:
    """An item with its last submitted text, all verdicts and skips, the oldest first, kinds of recordings, and the
    number of open flags.
    """

    item: Item
    rewrite: Rewrite | None
    inspections: list[Inspection]
    skips: list[Assignment]
    recordings: list[str]
    flags: int

    @property
    def candidates(self) -> list[tuple[str, str]]:
        """Letters and texts in the author's order, the right one first."""
        return list(zip(LETTERS, self.rewrite.candidates, strict=True)) if self.rewrite else []


def items_of(
    project: Project,
    *,
    search: str = "",
    state: str = "",
    author: int | None = None,
    inspector: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[Item]:
    """Return the matching items that count, with `was_inspected`; `search` is part of a question, or a whole id or key.

    Author and times are those of one submitted text, in any round; an inspector gave a verdict on one.
    """
    counting = project.items.counting().annotate(was_inspected=was_inspected())
    items: QuerySet[Item] = counting
    if state == NOT_INSPECTED:
        items = counting.filter(state=ItemState.KEPT, was_inspected=False)
    else:
        items = in_state(items, state)
    if search:
        items = items.filter(Q(content__question__icontains=search) | Q(external_id=search) | has_key(search))
    asked = {"person": author, "ended_at__gte": since, "ended_at__lte": until}
    of_a_text = {name: value for name, value in asked.items() if value is not None}
    if of_a_text:
        items = items.filter(pk__in=_done(project, Step.WRITE).filter(**of_a_text).values("slot__item"))
    if inspector is not None:
        items = items.filter(pk__in=_done(project, Step.INSPECT).filter(person=inspector).values("slot__item"))
    return items


def sorted_items(items: QuerySet[Item], order: Sorting) -> QuerySet[Item]:
    """Return the items in this order, equal ones in that of assignment. Items without a value are last either way."""
    if order.column == "order":
        return items.order_by(in_direction(F("position"), order))
    of_item = {"slot__item": OuterRef("pk")}
    last_text = _submitted(Step.WRITE).filter(**of_item).order_by("-slot__round")
    last_verdict = _submitted(Step.INSPECT).filter(**of_item).order_by("-ended_at")
    keys: dict[str, Any] = {
        "state": by_state(STATES_OF_REWRITING),
        "author": Subquery(last_text.values(name=Lower("person__name"))[:1]),
        "written": Subquery(last_text.values("ended_at")[:1]),
        "judged": Subquery(last_verdict.values("ended_at")[:1]),
    }
    return items.order_by(in_direction(keys[order.column], order), "position")


def _done(project: Project, step: Step) -> QuerySet[Assignment]:
    """Return what was submitted at the step in the project."""
    return _submitted(step).filter(slot__queue__project=project)


def _submitted(step: Step) -> QuerySet[Assignment]:
    return Assignment.objects.filter(slot__queue__step=step, state=AssignmentState.SUBMITTED)


def items_by_key(project: Project, key: str) -> QuerySet[Item]:
    """Return the counting items with this public name (`Item.key`); several, as ids of sources may be equal."""
    of_digest = Q(external_id="") & has_key(key)
    return project.items.counting().filter(Q(external_id=key) | of_digest)


def histories_of(items: Sequence[Item]) -> list[ItemHistory]:
    """Return the items, in their order, with their histories. Five queries."""
    rewrites, inspections, skips = _rewrites(items), _inspections(items), skips_of(items)
    recorded, flags = recorded_of(items), flags_on(items)
    return [
        ItemHistory(
            item,
            rewrites.get(item.pk),
            inspections.get(item.pk, []),
            skips.get(item.pk, []),
            recorded.get(item.pk, []),
            flags.get(item.pk, 0),
        )
        for item in items
    ]


def _rewrites(items: Iterable[Item]) -> dict[int, Rewrite]:
    """Return the last submitted text of each item."""
    submitted = Rewrite.objects.filter(assignment__slot__item__in=items, assignment__state=AssignmentState.SUBMITTED)
    in_order = submitted.select_related("assignment__person", "assignment__slot").order_by("assignment__slot__round")
    return {rewrite.assignment.slot.item_id: rewrite for rewrite in in_order}


def _inspections(items: Iterable[Item]) -> dict[int, list[Inspection]]:
    found: dict[int, list[Inspection]] = defaultdict(list)
    decided = Inspection.objects.filter(
        assignment__slot__item__in=items, assignment__state=AssignmentState.SUBMITTED, decided_at__isnull=False
    )
    for inspection in decided.select_related("assignment__person", "assignment__slot").order_by("decided_at", "pk"):
        found[inspection.assignment.slot.item_id].append(inspection)
    return dict(found)
