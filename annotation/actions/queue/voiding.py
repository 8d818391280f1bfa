"""Void a person's work: it is kept, not counted, and its slots reopen. Existing releases stay as they are."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.qualification import pausing
from annotation.actions.queue import assignments
from annotation.actions.rating.ratings import settle
from annotation.actions.rewriting.voided_rewriting import void_on_items
from annotation.models import Assignment, Item, Kind, Project, Slot
from annotation.selectors.projects.members import assignments_since
from annotation.selectors.rating.pairs import GRADED, grades_to_void
from core.actions import jobs
from core.actions.events import WHY_MISSING, must_say_why
from core.actions.jobs import ProgressReport, handles
from core.domain.batches import batched
from core.models import Job, User

AT_ONCE = 500  # slots or items in one transaction, and the most done while a page waits
REFUSALS = {"why_missing": WHY_MISSING}


def void_work(
    *, project: Project, person: User, since: datetime, why: str, report: ProgressReport = jobs.silent, by: User | None
) -> int:
    """Void a person's grades, transcripts, texts, verdicts or types from `since` on. Return how many; repeating voids
    none.

    Gold is voided too, so that remaining work does not reveal it; it is not counted in the number. A pause caused by
    voided gold ends. Raises Refused without a reason.
    """
    must_say_why(why)
    unit, void = WAYS[Kind(project.kind)]
    units = list(assignments_since(project, person, since).order_by(unit).values_list(unit, flat=True).distinct())
    voided = 0
    for some in batched(units, AT_ONCE):
        voided += void(some, project=project, person=person, since=since, why=why, by=by)
        report(voided, len(units))
    if project.kind == Kind.RATING:
        pausing.end_without_cause(project=project, person=person, why=why, by=by)
    return voided


def ask_for(*, project: Project, person: User, since: datetime, why: str, by: User) -> Job:
    """Request a job that voids what takes too long for a page request. Raises Refused without a reason."""
    must_say_why(why)
    arguments = {"person": person.pk, "since": since.isoformat(), "why": why}
    return jobs.ask_for(kind="void_work", arguments=arguments, scope=project, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    return "members", [job.scope.slug]


@handles("void_work", title=_("Voiding work"), page=_page, refusals=REFUSALS)
def run_void(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Return {"voided": number of grades, transcripts, texts, verdicts or types}."""
    wanted = job.arguments
    voided = void_work(
        project=job.scope,
        person=User.objects.get(pk=wanted["person"]),
        since=datetime.fromisoformat(wanted["since"]),
        why=wanted["why"],
        report=report,
        by=job.created_by,
    )
    return {"voided": voided}


@transaction.atomic
def void_grades(*, items: Collection[Item], project: Project, why: str, by: User) -> int:
    """Void every grade on these pairs of work, and what adjudicators decided about them. Return how many.

    Repeating voids none. Raises Refused without a reason.
    """
    must_say_why(why)
    rows = list(grades_to_void(items).values_list("slot", "person"))
    slots, people = {slot for slot, _person in rows}, {person for _slot, person in rows}
    return _void_on_slots(slots, people, project=project, why=why, by=by)


@transaction.atomic
def _void_grades(
    slots: Sequence[int], *, project: Project, person: User, since: datetime, why: str, by: User | None
) -> int:
    """Void the person's grades and their decisions as adjudicator. Return the number voided."""
    return _void_on_slots(slots, [person.pk], project=project, why=why, by=by)


def _void_on_slots(
    slots: Collection[int], people: Collection[int], *, project: Project, why: str, by: User | None
) -> int:
    disputes.lock(project)
    claimed: list[Assignment] = []
    for step in GRADED:
        of_step = Slot.objects.filter(pk__in=slots, queue__step=step).values_list("pk", flat=True)
        if own := list(of_step):
            claimed += assignments.void(people=people, slots=own, why=why, by=by)
    counted = [assignment for assignment in claimed if assignment.slot_number is not None]
    items = list({assignment.slot.item_id: assignment.slot.item for assignment in counted}.values())
    settle(items, project=project, by=by)
    disputes.follow(items, project=project, by=by)  # a voided decision may have left a slot open
    return len(counted)


# The unit that is voided in one transaction, and the function that voids it.
WAYS: dict[Kind, tuple[str, Callable[..., int]]] = {
    Kind.RATING: ("slot", _void_grades),
    Kind.REWRITING: ("slot__item", void_on_items),
}
