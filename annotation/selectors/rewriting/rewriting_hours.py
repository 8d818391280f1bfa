"""What people did at each step of a rewriting project, and how long they were at it: what pay is counted from."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import FilteredRelation, Q

from annotation.domain.quality.hours import LONGEST
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Project, Purpose, Step

ENDED = (AssignmentState.SUBMITTED, AssignmentState.VOIDED, AssignmentState.SKIPPED, AssignmentState.OUTDATED)


class DoneWork(NamedTuple):
    """A transcript, a text, a verdict or a type that somebody handed in, or an item that they left to others."""

    person: int
    state: str  # of the assignment
    item: int
    item_state: str
    seconds: float


class StepWork(NamedTuple):
    """Of one person at one step. `done` counts what was handed in and stands, a revised text again, `items` each item
    once; `accepted` and `discarded` say what became of these items so far.
    """

    done: int
    items: int
    accepted: int
    discarded: int
    voided: int
    skipped: int
    hours: float


def work_by_step(project: Project, *, since: datetime, until: datetime) -> dict[tuple[int, Step], StepWork]:
    """By key of the person and step: what was handed in or left from `since` until before `until`, whole."""
    work: dict[tuple[int, Step], StepWork] = {}
    for step in MEASURES:
        own: dict[int, list[DoneWork]] = defaultdict(list)
        for each in _done(project, step, since, until):
            own[each.person].append(each)
        work |= {(person, step): _work_in(done) for person, done in own.items()}
    return work


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


def _done(project: Project, step: Step, since: datetime, until: datetime) -> Iterator[DoneWork]:
    measure = MEASURES[step]
    assignments = Assignment.objects.filter(
        slot__queue__project=project,
        slot__queue__step=step,
        slot__item__purpose__in=measure.purposes,
        state__in=ENDED,
        ended_at__gte=since,
        ended_at__lt=until,
    ).annotate(choice=FilteredRelation("type_choices", condition=Q(type_choices__replaced_at=None)))
    # What was only held when its text was voided was never handed in; a verdict on such a text was work all the same.
    ended = assignments.exclude(**{"state": AssignmentState.OUTDATED, f"{measure.submitted}__isnull": True})
    rows = ended.values_list("person", "state", "slot__item", "slot__item__state", *measure.fields)
    for person, state, item, item_state, *times in rows:
        yield DoneWork(person, state, item, item_state, measure.seconds(*times))


class Measure(NamedTuple):
    """How the work on an assignment is timed: from these fields. `submitted` is empty where nothing was."""

    submitted: str
    fields: tuple[str, ...]
    seconds: Callable[..., float]
    purposes: Sequence[Purpose] = (Purpose.WORK,)


def _of_drafts(seconds: float | None) -> float:
    """Timed save by save (actions.drafts)."""
    return seconds or 0.0


def _of_inspecting(opened_at: datetime | None, decided_at: datetime | None) -> float:
    """From the page's opening to the verdict."""
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
        # Authors practise at their own cost; to grade their practice is an inspector's work.
        purposes=(Purpose.WORK, Purpose.PRACTICE),
    ),
    Step.TYPE: Measure("choice", ("choice__milliseconds",), _of_typing),
}
