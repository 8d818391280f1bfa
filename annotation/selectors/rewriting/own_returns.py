"""What became of an author's own texts at inspection, without a trace of who inspected them."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Q

from annotation.domain.own_work import Doubt, doubts
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Project, Purpose, Step
from annotation.selectors.rewriting.rewrites import has_later_round
from core.models import User

WRITTEN_ON = "rewrite__assignment__slot"


@dataclass(frozen=True)
class OwnReturns:
    """The person's inspected texts, those of them that were returned or discarded, and how many of these by doubt."""

    inspected: int
    rejected: int
    doubts: Counter[Doubt]


def own_returns(project: Project, person: User) -> OwnReturns:
    """Return what verdicts say of the person's texts. A text whose outcome is open counts nowhere.

    Texts are counted, never verdicts, so that no number tells how many people inspect.
    """
    given = Inspection.objects.filter(
        assignment__state=AssignmentState.SUBMITTED,
        decided_at__isnull=False,
        rewrite__assignment__person=person,
        rewrite__assignment__state=AssignmentState.SUBMITTED,
        rewrite__assignment__slot__queue__project=project,
        rewrite__assignment__slot__item__purpose=Purpose.WORK,
    ).annotate(is_returned=has_later_round(WRITTEN_ON))
    is_decided = Q(rewrite__assignment__slot__item__state__in=(ItemState.KEPT, ItemState.REMOVED))
    inspected: set[int] = set()
    said: dict[int, set[Doubt]] = {}
    columns = ("rewrite", "verdict", "is_correct", "is_unique", "is_revisable", "comments")
    for text, verdict, is_correct, is_unique, is_revisable, comments in given.filter(
        is_decided | Q(is_returned=True)
    ).values_list(*columns):
        inspected.add(text)
        if verdict != InspectionVerdict.ACCEPT:
            said.setdefault(text, set()).update(
                doubts(is_correct=is_correct, is_unique=is_unique, is_revisable=is_revisable, commented=comments)
            )
    return OwnReturns(len(inspected), len(said), Counter(doubt for each in said.values() for doubt in each))


def revisions_held(project: Project, person: User) -> dict[tuple[int, int], Assignment]:
    """Return what the person has to revise in the project, by item and by the round of the text that was returned."""
    held = Assignment.objects.of_work().filter(
        person=person,
        slot__queue__project=project,
        slot__queue__step=Step.WRITE,
        slot__round__gt=1,
        state=AssignmentState.HELD,
    )
    return {(each.slot.item_id, each.slot.round - 1): each for each in held.select_related("slot")}
