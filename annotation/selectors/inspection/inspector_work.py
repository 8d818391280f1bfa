"""An inspector's own work: texts that wait for a verdict, and the verdicts so far."""

import statistics
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, F, Q, QuerySet

from annotation.domain.rewriting.rewriting import CandidateRole, InspectionVerdict
from annotation.domain.workflow import AssignmentState
from annotation.models import Inspection, Project, Purpose, Queue, Step
from annotation.permissions import projects_of
from annotation.selectors.inspection.open_slots import open_slots
from core.models import User

TIMED = 20  # number of last verdicts whose median is the pace


@dataclass(frozen=True)
class InspectingWork:
    """A project with the numbers of texts that wait for one of its inspectors."""

    project: Project
    waiting: int
    revised: int  # those of them that had been returned for revision
    practice: int  # those of them that are drafts for practice, whose round means nothing


@dataclass(frozen=True)
class OwnVerdicts:
    """The person's verdicts so far. `seconds` is the median time of the last ones."""

    judged: int
    right: int  # right blind answers
    accepted: int
    returned_before: int
    discarded: int
    seconds: float | None


def inspecting_work(person: User) -> list[InspectingWork]:
    """Return the projects a person inspects for, those with something waiting first."""
    queues = Queue.objects.filter(
        step=Step.INSPECT, project__in=projects_of(person, "instances.inspect"), project__archived_at=None
    ).select_related("project")
    work = [
        InspectingWork(
            queue.project,
            **open_slots(queue, person).aggregate(
                waiting=Count("pk"),
                revised=Count("pk", filter=Q(round__gt=1, item__purpose=Purpose.WORK)),
                practice=Count("pk", filter=Q(item__purpose=Purpose.PRACTICE)),
            ),
        )
        for queue in queues
    ]
    return sorted(work, key=lambda each: (not each.waiting, each.project.title))


def waiting_in(queue: Queue, person: User) -> int:
    """Return the number of items for the person to judge, including the one they hold."""
    return open_slots(queue, person).count()


def own_verdicts(person: User) -> OwnVerdicts:
    decided = Inspection.objects.filter(
        assignment__person=person,
        assignment__state=AssignmentState.SUBMITTED,
        decided_at__isnull=False,
        assignment__slot__item__purpose=Purpose.WORK,
    )
    return OwnVerdicts(**decided.aggregate(**VERDICT_COUNTS), seconds=median_seconds(decided))


VERDICT_COUNTS = {
    "judged": Count("pk"),
    "right": Count("pk", filter=Q(answer=CandidateRole.RIGHT)),
    "accepted": Count("pk", filter=Q(verdict=InspectionVerdict.ACCEPT)),
    "returned_before": Count("pk", filter=Q(verdict=InspectionVerdict.RETURN)),
    "discarded": Count("pk", filter=Q(verdict=InspectionVerdict.DISCARD)),
}


def median_seconds(decided: QuerySet[Inspection]) -> float | None:
    """Return the median time of the last verdicts, from opening the page to the verdict; None without any."""
    last = decided.order_by("-decided_at").annotate(took=F("decided_at") - F("opened_at"))
    took: list[timedelta] = list(last.values_list("took", flat=True)[:TIMED])
    return statistics.median(each.total_seconds() for each in took) if took else None
