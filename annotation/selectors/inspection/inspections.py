"""Figures about inspections: one of the modules that study may import from annotation."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from annotation.domain.rewriting.rewriting import CandidateRole, InspectionVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Inspection, InstanceReturn, Project, Purpose, Slot
from annotation.selectors.agreement.nominal_agreement import nominal_agreement
from annotation.selectors.rewriting.rewrites import was_inspected
from core.domain.statistics import headline, two_way, wilson

VERDICTS = list(InspectionVerdict)


class InspectedText(NamedTuple):
    """One inspection: person, text, blind answer (None: not decided), verdict, round."""

    person: int
    rewrite: int
    answer: int | None
    verdict: str
    round: int


def inspection_report(project: Project) -> dict[str, Any]:
    """Return figures of all counting verdicts of the project, JSON-ready, without people.

    ``inspections`` n; ``blind`` {answers, right, undecided, share, share_ci or share_why}: answers before the right one
    was shown, where "cannot decide" is not right: a human baseline; ``agreement`` {n, percent, percent_ci, kappa,
    kappa_ci or kappa_why} of the verdicts on texts that two people judged; ``verdicts`` {accept, return, discard};
    ``rounds`` {"1": n, ...} of the inspections; ``instances`` {inspected, discarded, revised, not_inspected,
    returned_later, discarded_share, discarded_share_ci}: those that are accepted or discarded.
    """
    counting = Inspection.objects.filter(
        assignment__slot__queue__project=project,
        assignment__slot__item__purpose=Purpose.WORK,
        assignment__state=AssignmentState.SUBMITTED,
        decided_at__isnull=False,
    ).order_by("pk")
    columns = ("assignment__person_id", "rewrite_id", "answer", "verdict", "assignment__slot__round")
    judged = [InspectedText(*row) for row in counting.values_list(*columns)]
    rounds, verdicts = Counter(row.round for row in judged), Counter(row.verdict for row in judged)
    return {
        "inspections": len(judged),
        "blind": _blind(judged),
        "agreement": _agreement(judged),
        "verdicts": {str(verdict): verdicts[verdict] for verdict in VERDICTS},
        "rounds": {str(number): rounds[number] for number in sorted(rounds)},
        "instances": _instances(project),
    }


def not_inspected(project: Project) -> int:
    """Return the number of items accepted without inspection."""
    return project.items.counting().filter(~was_inspected(), state=ItemState.KEPT).count()


def _instances(project: Project) -> dict[str, Any]:
    """Count the decided items: inspected, discarded, accepted after revision, and accepted without inspection.

    The share discarded, with Wilson's interval, estimates what inspectors would have discarded of the items not
    inspected. Items that were returned after acceptance were picked for their flaws and would bias it: they are counted
    apart.
    """
    seen, kept = Q(was_inspected=True), Q(state=ItemState.KEPT)
    revised = Exists(Slot.objects.filter(item=OuterRef("pk"), round__gt=1, required__gt=0))
    picked = Exists(InstanceReturn.objects.filter(rewrite__assignment__slot__item=OuterRef("pk")))
    decided = project.items.counting().filter(kept | Q(state=ItemState.REMOVED)).annotate(was_returned_later=picked)
    left = decided.filter(was_returned_later=False).annotate(was_inspected=was_inspected(), was_revised=revised)
    found: dict[str, Any] = left.aggregate(
        inspected=Count("pk", filter=seen),
        discarded=Count("pk", filter=~kept),
        revised=Count("pk", filter=seen & kept & Q(was_revised=True)),
        not_inspected=Count("pk", filter=~seen & kept),
    )
    found["returned_later"] = decided.filter(was_returned_later=True).count()
    discarded, inspected = found["discarded"], found["inspected"]
    if not inspected:
        return {**found, "discarded_share": None}
    return {**found, "discarded_share": discarded / inspected, "discarded_share_ci": wilson(discarded, inspected)}


def _blind(judged: Sequence[InspectedText]) -> dict[str, Any]:
    """Return the blind answers, with an interval over both inspectors and texts (METHODS, human R@1)."""
    undecided = sum(row.answer is None for row in judged)
    is_right = [row.answer == CandidateRole.RIGHT for row in judged]
    found = {"answers": len(judged) - undecided, "right": sum(is_right), "undecided": undecided}
    if not judged:
        return {**found, "share": None}
    error = two_way(is_right, [row.person for row in judged], [row.rewrite for row in judged])
    interval, why, _is_without_variance = headline(error)
    return {**found, "share": error.mean, "share_ci": interval, **({"share_why": str(why)} if why else {})}


def _agreement(judged: Sequence[InspectedText]) -> dict[str, Any]:
    """Return Fleiss's kappa of the three verdicts, which have no order."""
    verdicts = [row.verdict for row in judged]
    return nominal_agreement([row.rewrite for row in judged], [row.person for row in judged], verdicts, VERDICTS)
