"""What people did at each step of a rewriting project, and how long they were at it: what pay is counted from."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import FilteredRelation, Q

from annotation.domain.hours import LONGEST
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Project, Purpose, Seat, Step

ENDED = (SeatState.SUBMITTED, SeatState.VOIDED, SeatState.SKIPPED, SeatState.OUTDATED)


class Done(NamedTuple):
    """A transcript, a text, a verdict or a type that somebody handed in, or an item that they left to others."""

    person: int
    state: str  # of the seat
    item: int
    item_state: str
    seconds: float


class StepWork(NamedTuple):
    """Of one person at one step. `done` counts what was handed in and stands, a mended text again, `items` each item
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
    work = {}
    for step in MEASURES:
        own: dict[int, list[Done]] = defaultdict(list)
        for each in _done(project, step, since, until):
            own[each.person].append(each)
        work |= {(person, step): _work_in(done) for person, done in own.items()}
    return work


def _work_in(done: list[Done]) -> StepWork:
    states = [each.state for each in done]
    standing = {each.item: each.item_state for each in done if each.state in (SeatState.SUBMITTED, SeatState.OUTDATED)}
    became = list(standing.values())
    return StepWork(
        done=states.count(SeatState.SUBMITTED) + states.count(SeatState.OUTDATED), items=len(standing),
        accepted=became.count(ItemState.KEPT), discarded=became.count(ItemState.REMOVED),
        voided=states.count(SeatState.VOIDED), skipped=states.count(SeatState.SKIPPED),
        hours=sum(each.seconds for each in done) / 3600,
    )  # fmt: skip


def _done(project: Project, step: Step, since: datetime, until: datetime) -> Iterator[Done]:
    measure = MEASURES[step]
    seats = Seat.objects.filter(
        place__queue__project=project, place__queue__step=step, place__item__purpose__in=measure.purposes,
        state__in=ENDED, ended_at__gte=since, ended_at__lt=until,
    ).annotate(choice=FilteredRelation("type_choices", condition=Q(type_choices__replaced_at=None)))  # fmt: skip
    # What was only held when its text was voided was never handed in; a verdict on such a text was work all the same.
    ended = seats.exclude(**{"state": SeatState.OUTDATED, f"{measure.handed_in}__isnull": True})
    rows = ended.values_list("person", "state", "place__item", "place__item__state", *measure.fields)
    return (Done(*row[:4], seconds=measure.seconds(*row[4:])) for row in rows)


class Measure(NamedTuple):
    """How the work on a seat is timed: from these fields. `handed_in` is empty where nothing was."""

    handed_in: str
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
        "inspection__decided_at", ("inspection__opened_at", "inspection__decided_at"), _of_inspecting,
        # Authors practise at their own cost; to grade their practice is an inspector's work.
        purposes=(Purpose.WORK, Purpose.PRACTICE),
    ),
    Step.TYPE: Measure("choice", ("choice__milliseconds",), _of_typing),
}  # fmt: skip
