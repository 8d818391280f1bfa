"""Payable work: the work of each person in a project in a period of days, and their hours."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from annotation.models import Kind, Project
from annotation.selectors.quality.hours import work_by_person
from annotation.selectors.rewriting.rewriting_hours import work_by_step
from core.models import User

OF_RATING = ["user", "name", "since", "until", "counted", "other", "voided", "skipped", "hours"]
OF_REWRITING = [
    "user",
    "name",
    "step",
    "since",
    "until",
    "done",
    "items",
    "accepted",
    "discarded",
    "voided",
    "skipped",
    "hours",
]


def payable_columns(project: Project) -> Sequence[str]:
    return OF_RATING if project.kind == Kind.RATING else OF_REWRITING


def payable_rows(project: Project, *, since: date, until: date) -> Iterator[list[Any]]:
    """Yield a row of `payable_columns` for each person with work from the day `since` to `until`, both included.

    In a rewriting project there is a row for each person and step. Days are those of the current time zone. `hours` is
    the time at work (domain.quality.hours). In rating `counted` are grades that count, `other` grades in force that do
    not (gold, and pairs removed by cleaning). In rewriting `done` are transcripts, texts, verdicts and types; the other
    columns are those of rewriting_hours.StepWork.
    """
    begins, ends = _midnight(since), _midnight(until + timedelta(days=1))
    rows_of = _rating_rows if project.kind == Kind.RATING else _rewriting_rows
    return rows_of(project, begins, ends, [since.isoformat(), until.isoformat()])


def _rating_rows(project: Project, begins: datetime, ends: datetime, days: list[str]) -> Iterator[list[Any]]:
    work = work_by_person(project, since=begins, until=ends)
    for person in _by_name(work):
        own = work[person.pk]
        yield [
            person.username,
            str(person),
            *days,
            own.counted,
            own.other,
            own.voided,
            own.skipped,
            round(own.hours, 2),
        ]


def _rewriting_rows(project: Project, begins: datetime, ends: datetime, days: list[str]) -> Iterator[list[Any]]:
    work = work_by_step(project, since=begins, until=ends)
    for person in _by_name({person for person, _step in work}):
        if person.is_name_only:  # a bot
            continue
        for step in (step for worker, step in work if worker == person.pk):
            own = work[person.pk, step]
            yield [person.username, str(person), step.value, *days, *own[:-1], round(own.hours, 2)]


def _by_name(people: Collection[int]) -> list[User]:
    return sorted(User.objects.in_bulk(people).values(), key=lambda each: each.username)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
