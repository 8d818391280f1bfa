"""The list of the marked pairs of a project that wait for a decision, and what a verdict on many of them reaches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.domain.cleaning.cleaning import CleaningVerdict, Findings
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, CleaningDecision, CleaningFinding, Item, Project, Slot, Step
from annotation.selectors.cleaning.cleaning import findings_of, responses_of, spans_in, waiting_slots
from core.domain.sorting import Sorting
from core.models import Event, User
from core.selectors.sorting import in_direction


def waiting_by_rule(project: Project) -> dict[str, int]:
    """Return the number of pairs that wait for a decision by the rule that marks them."""
    found = CleaningFinding.objects.filter(item__in=waiting_slots(project).values("item"))
    return dict(found.order_by().values_list("rule").annotate(Count("pk")))


def hits_of(project: Project, *, search: str = "", rule: str = "") -> QuerySet[Item]:
    """Return the pairs that wait for a decision, including those that people hold.

    Ids are not searched: one may name the system that wrote the response, which those who clean are not told.
    """
    pairs = project.items.work().filter(pk__in=waiting_slots(project).values("item"))
    if search:
        pairs = pairs.filter(Q(content__prompt__icontains=search) | Q(content__response__icontains=search))
    return pairs.filter(findings__rule=rule) if rule else pairs


def sorted_hits(pairs: QuerySet[Item], order: Sorting) -> QuerySet[Item]:
    """Return the pairs in this order; the usual one is that in which pairs are given out."""
    return pairs.order_by(in_direction(F("position"), order))


@dataclass(frozen=True)
class Hit:
    """A pair that waits for a decision, with its findings and the person who holds it, if any."""

    item: Item
    findings: Findings
    holder: User | None

    def spans(self, part: str) -> list[tuple[int, int]]:
        return spans_in(self.findings, part)


def hits_on(items: Sequence[Item]) -> list[Hit]:
    """Return the pairs of one page with their findings and holders, in the same order."""
    held = Assignment.objects.filter(
        slot__item__in=items, slot__queue__step=Step.CLEAN, state=AssignmentState.HELD
    ).select_related("person", "slot")
    holders = {assignment.slot.item_id: assignment.person for assignment in held}
    found = findings_of([item.pk for item in items])
    return [Hit(item, found[item.pk], holders.get(item.pk)) for item in items]


def numbers_to_clean(items: Iterable[Item], *, verdict: CleaningVerdict, person: User) -> dict[int, int]:
    """Return by item how many pairs the person's verdict keeps or removes: of items that wait and no one else holds.

    Of a prompt that is removed with all its responses, the first item has the number, and the others 0.
    """
    items = list(items)
    slots = Slot.objects.filter(queue__step=Step.CLEAN, item__in=items).exclude(item__state=ItemState.CLEANED)
    own = Exists(Assignment.objects.filter(slot=OuterRef("pk"), state=AssignmentState.HELD, person=person))
    free = set(slots.filter(Q(free__gt=0) | own).values_list("item", flat=True))
    fitting = [item for item in items if item.pk in free]
    if verdict != CleaningVerdict.KNOWLEDGE:
        return dict.fromkeys((item.pk for item in fitting), 1)
    left = responses_of(fitting).exclude(state=ItemState.CLEANED).order_by()
    of_prompt = dict(left.values_list("group").annotate(Count("pk")))
    return {item.pk: of_prompt.pop(item.group, 0) for item in fitting}


def reasons_of(decisions: Sequence[CleaningDecision]) -> dict[int, str]:
    """Return the reasons of decisions, by key; empty for those that were made one by one."""
    keys = [decision.pk for decision in decisions]
    made = Event.objects.filter(subject="cleaningdecision", subject_id__in=keys, became__in=list(CleaningVerdict))
    return dict.fromkeys(keys, "") | dict(made.values_list("subject_id", "why"))
