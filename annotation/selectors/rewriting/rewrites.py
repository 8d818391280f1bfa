"""The texts written on an item, and the inspections of them."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, InstanceReturn, Item, Purpose, Rewrite, Slot, Step


def rewrite_in_force(item: Item | int) -> Rewrite | None:
    """Return the last submitted text of the item, without drafts for practice, which only their author uses."""
    submitted = Rewrite.objects.filter(
        assignment__slot__item=item, assignment__state=AssignmentState.SUBMITTED, assignment__slot_number__isnull=False
    )
    return submitted.select_related("assignment__slot").order_by("-assignment__slot__round").first()


def rewrites_in_force(items: Collection[int]) -> dict[int, Rewrite]:
    """Return rewrite_in_force() of each item that has one, by key of the item."""
    submitted = Rewrite.objects.filter(
        assignment__slot__item__in=items,
        assignment__state=AssignmentState.SUBMITTED,
        assignment__slot_number__isnull=False,
    )
    by_round = submitted.select_related("assignment__slot").order_by("assignment__slot__round")
    return {rewrite.assignment.slot.item_id: rewrite for rewrite in by_round}


def submitted_before(assignment: Assignment, *, most: int) -> int:
    """Return the number of items that the person has submitted as first author, up to `most`, without voided ones."""
    own = Assignment.objects.filter(
        person=assignment.person_id,
        slot__queue=assignment.slot.queue_id,
        slot__round=1,
        slot__item__purpose=Purpose.WORK,
        state=AssignmentState.SUBMITTED,
    )
    return own[:most].count()


def was_inspected(item: str = "pk") -> Exists:
    """Return an expression: whether inspectors were asked about an accepted item's text.

    `item` is the query's name of the item. A text that was not drawn for inspection, or was voided, has no slot with
    required inspectors.
    """
    return Exists(Slot.objects.filter(item=OuterRef(item), queue__step=Step.INSPECT, required__gt=0))


def has_later_round(slot: str = "slot") -> Exists:
    """Return an expression: whether the text written on a slot was returned for revision. `slot` is its name there."""
    later = Slot.objects.filter(
        item=OuterRef(f"{slot}__item"), queue=OuterRef(f"{slot}__queue"), round__gt=OuterRef(f"{slot}__round")
    )
    return Exists(later.filter(required__gt=0))


def inspections_before(assignment: Assignment) -> QuerySet[Inspection]:
    """Return the inspections that returned an item for revision on this assignment, by time."""
    earlier = Inspection.objects.filter(
        assignment__slot__item=assignment.slot.item_id,
        assignment__slot__round=assignment.slot.round - 1,
        decided_at__isnull=False,
        assignment__state=AssignmentState.SUBMITTED,
    )
    return earlier.order_by("decided_at", "pk")


def was_returned(item: Item, round: int) -> bool:
    """Return whether a counting verdict, or a researcher, returned the text of this round for revision."""
    counting = Assignment.objects.filter(slot__item=item, slot__round=round, state=AssignmentState.SUBMITTED)
    return (
        Inspection.objects.filter(assignment__in=counting, verdict=InspectionVerdict.RETURN).exists()
        or InstanceReturn.objects.filter(rewrite__assignment__in=counting).exists()
    )


def text_before(rewrite: Rewrite) -> Rewrite | None:
    """Return the text of the round before, which the rewrite revises."""
    slot = rewrite.assignment.slot
    earlier = Rewrite.objects.filter(
        assignment__slot__item=slot.item_id,
        assignment__slot__round=slot.round - 1,
        assignment__state=AssignmentState.SUBMITTED,
    )
    return earlier.first()


def return_before(assignment: Assignment) -> InstanceReturn | None:
    """Return the return of the round before, if its text was returned after it had been accepted."""
    earlier = InstanceReturn.objects.filter(
        rewrite__assignment__slot__item=assignment.slot.item_id,
        rewrite__assignment__slot__round=assignment.slot.round - 1,
        rewrite__assignment__state=AssignmentState.SUBMITTED,
    )
    return earlier.first()


def rewrite_to_inspect(assignment: Assignment) -> Rewrite | None:
    """Return the text that an inspector's assignment is to judge; None once the item was returned or decided."""
    item = assignment.slot.item
    if item.is_practice:
        submitted = Rewrite.objects.filter(
            practice__slot=assignment.slot_id, assignment__state=AssignmentState.SUBMITTED
        )
        return submitted.select_related("assignment__slot").first()
    rewrite = rewrite_in_force(item)
    is_of_this_round = rewrite is not None and rewrite.assignment.slot.round == assignment.slot.round
    return rewrite if is_of_this_round and item.state == ItemState.WRITTEN else None
