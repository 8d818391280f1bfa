"""The items of a rewriting project for its researchers: texts, their authors, and the verdicts on them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.rewriting.rewriting import LETTERS
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Item, Project, Rewrite
from annotation.models.items import KEY
from annotation.selectors.rating.pairs import PAGE, SKIPPED, skips_of
from annotation.selectors.rewriting.rewrites import was_inspected
from annotation.selectors.transcription import recorded_of
from core.selectors import paging
from core.selectors.paging import RowsPage

NOT_INSPECTED = "not_inspected"  # not a state: accepted without inspection


@dataclass(frozen=True)
class ItemHistory:
    """An item with its last submitted text, all verdicts and skips, the oldest first, and kinds of recordings."""

    item: Item
    rewrite: Rewrite | None
    inspections: list[Inspection]
    skips: list[Assignment]
    recordings: list[str]

    @property
    def candidates(self) -> list[tuple[str, str]]:
        """Letters and texts in the author's order, the right one first."""
        return list(zip(LETTERS, self.rewrite.candidates, strict=True)) if self.rewrite else []


def items_of(project: Project, *, search: str = "", state: str = "") -> QuerySet[Item]:
    """Return the matching items that count, with `was_inspected`; `search` is part of a question, or a whole id."""
    items = project.items.counting().annotate(was_inspected=was_inspected())
    if state == SKIPPED:
        items = items.filter(
            Exists(Assignment.objects.filter(slot__item=OuterRef("pk"), state=AssignmentState.SKIPPED))
        )
    elif state == NOT_INSPECTED:
        items = items.filter(state=ItemState.KEPT, was_inspected=False)
    elif state:
        items = items.filter(state=state)
    if search:
        items = items.filter(Q(content__question__icontains=search) | Q(external_id=search))
    return items


def items_by_key(project: Project, key: str) -> QuerySet[Item]:
    """Return the counting items with this public name (`Item.key`); several, as ids of sources may be equal."""
    of_digest = Q(external_id="", digest__startswith=key) if len(key) == KEY else Q()
    return project.items.counting().filter(Q(external_id=key) | of_digest)


def item_page(items: QuerySet[Item], *, before: int | None = None, after: int | None = None) -> RowsPage:
    """Return up to `PAGE` items with their histories."""
    page = paging.page_of(items, size=PAGE, before=before, after=after)
    rewrites, inspections, skips = _rewrites(page.rows), _inspections(page.rows), skips_of(page.rows)
    recorded = recorded_of(page.rows)
    rows = [
        ItemHistory(
            item, rewrites.get(item.pk), inspections.get(item.pk, []), skips.get(item.pk, []), recorded.get(item.pk, [])
        )
        for item in page.rows
    ]
    return replace(page, rows=rows)


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
