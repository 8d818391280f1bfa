"""People's work at each step of a rewriting project and their hours: the basis of pay."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

from django.db.models import FilteredRelation, Q
from django.utils import timezone

from annotation.domain.quality.hours import LONGEST
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Project, Purpose, Step
from core.models import User

ENDED = (AssignmentState.SUBMITTED, AssignmentState.VOIDED, AssignmentState.SKIPPED, AssignmentState.OUTDATED)


class DoneWork(NamedTuple):
    """A submitted transcript, text, verdict or type, or a skipped item."""

    person: int
    at: datetime
    state: str  # state of the assignment
    item: int
    item_state: str
    seconds: float


class StepWork(NamedTuple):
    """The work of one person at one step.

    `done` counts submissions that are not voided, each revision again, `items` each item once; `accepted` and
    `discarded` are the present states of these items.
    """

    done: int
    items: int
    accepted: int
    discarded: int
    voided: int
    skipped: int
    hours: float

    @property
    def handed_in(self) -> int:
        return self.done + self.voided


def work_by_step(
    project: Project, *, since: datetime, until: datetime, person: User | None = None
) -> dict[tuple[int, Step], StepWork]:
    """Return the work submitted or skipped from `since` until before `until`, by key of the person and step.

    With `person` it is theirs alone.
    """
    work: dict[tuple[int, Step], StepWork] = {}
    for step in MEASURES:
        own: dict[int, list[DoneWork]] = defaultdict(list)
        for each in _done(project, step, since, until, person):
            own[each.person].append(each)
        work |= {(person, step): _work_in(done) for person, done in own.items()}
    return work


def work_by_day(project: Project, person: User, *, until: datetime) -> dict[date, StepWork]:
    """Return the person's work until before `until` at all steps together, by day in their own time zone."""
    by_day: dict[date, list[DoneWork]] = defaultdict(list)
    for step in MEASURES:
        for each in _done(project, step, project.created_at, until, person):
            by_day[timezone.localtime(each.at).date()].append(each)
    return {day: _work_in(done) for day, done in by_day.items()}


def _work_in(done: list[DoneWork]) -> StepWork:
    states = [each.state for each in done]
    status = {
        each.item: each.item_state
        for each in done
        if each.state in (AssignmentState.SUBMITTED, AssignmentState.OUTDATED)
    }
    became = list(status.values())
    return StepWork(
        done=states.count(AssignmentState.SUBMITTED) + states.count(AssignmentState.OUTDATED),
        items=len(status),
        accepted=became.count(ItemState.KEPT),
        discarded=became.count(ItemState.REMOVED),
        voided=states.count(AssignmentState.VOIDED),
        skipped=states.count(AssignmentState.SKIPPED),
        hours=sum(each.seconds for each in done) / 3600,
    )


def _done(project: Project, step: Step, since: datetime, until: datetime, person: User | None) -> Iterator[DoneWork]:
    measure = MEASURES[step]
    assignments = Assignment.objects.filter(
        slot__queue__project=project,
        slot__queue__step=step,
        slot__item__purpose__in=measure.purposes,
        state__in=ENDED,
        ended_at__gte=since,
        ended_at__lt=until,
    ).annotate(choice=FilteredRelation("type_choices", condition=Q(type_choices__replaced_at=None)))
    if person:
        assignments = assignments.filter(person=person)
    # Leave out assignments that were only held when their text was voided; a verdict on such a text was work.
    ended = assignments.exclude(**{"state": AssignmentState.OUTDATED, f"{measure.submitted}__isnull": True})
    rows = ended.values_list("person", "ended_at", "state", "slot__item", "slot__item__state", *measure.fields)
    for worker, at, state, item, item_state, *times in rows:
        yield DoneWork(worker, at, state, item, item_state, measure.seconds(*times))


class Measure(NamedTuple):
    """The fields from which the work on an assignment is timed. `submitted` is null where nothing was submitted."""

    submitted: str
    fields: tuple[str, ...]
    seconds: Callable[..., float]
    purposes: Sequence[Purpose] = (Purpose.WORK,)


def _of_drafts(seconds: float | None) -> float:
    """Return the seconds measured save by save (actions.drafts)."""
    return seconds or 0.0


def _of_inspecting(opened_at: datetime | None, decided_at: datetime | None) -> float:
    """Return the seconds from opening the page to the verdict."""
    return min((decided_at - opened_at).total_seconds(), LONGEST) if opened_at and decided_at else 0.0


def _of_typing(milliseconds: int | None) -> float:
    return min((milliseconds or 0) / 1000, LONGEST)


MEASURES = {
    Step.TRANSCRIBE: Measure("transcript__submitted_at", ("transcript__seconds",), _of_drafts),
    Step.CHECK: Measure("transcript__submitted_at", ("transcript__seconds",), _of_drafts),
    Step.WRITE: Measure("rewrite__submitted_at", ("rewrite__seconds",), _of_drafts),
    Step.INSPECT: Measure(
        "inspection__decided_at",
        ("inspection__opened_at", "inspection__decided_at"),
        _of_inspecting,
        # Practice is unpaid for authors, but grading it is an inspector's work.
        purposes=(Purpose.WORK, Purpose.PRACTICE),
    ),
    Step.TYPE: Measure("choice", ("choice__milliseconds",), _of_typing),
}
