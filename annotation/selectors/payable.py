"""What can be paid: what each person did in a project in a stretch of days, and how long they were at it."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from annotation.models import Project, User
from annotation.selectors.hours import work_by_person

COLUMNS = ["user", "name", "since", "until", "counted", "other", "voided", "skipped", "hours"]


def payable_rows(project: Project, *, since: date, until: date) -> Iterator[list[Any]]:
    """A row of `COLUMNS` for each person who did something from the day `since` to the day `until`, both included.

    Days are those of the current time zone. `counted` are grades that count, `other` those that stand and count nowhere
    (gold, and pairs that cleaning removed), `hours` the time at work (annotation.domain.hours).
    """
    work = work_by_person(project, since=_midnight(since), until=_midnight(until + timedelta(days=1)))
    people = User.objects.in_bulk(work)
    for person in sorted(people.values(), key=lambda each: each.username):
        own = work[person.pk]
        yield [
            person.username, str(person), since.isoformat(), until.isoformat(),
            own.counted, own.other, own.voided, own.skipped, round(own.hours, 2),
        ]  # fmt: skip


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
