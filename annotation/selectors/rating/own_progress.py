"""An annotator's own progress in one project: only their own figures, in which gold looks like any other pair."""

import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, QuerySet
from django.utils import timezone

from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Flag, Project, Rating, Step
from annotation.selectors.flags import own_flags_of
from annotation.selectors.quality.hours import DonePair, HoursOfWork, rows_of, work_in
from core.models import User

DAYS = 30
LATEST = 50  # skips, and flags


@dataclass(frozen=True)
class Stretch:
    """The work of a day, or of all days. The median is over grades that are not voided; None where not measured."""

    work: HoursOfWork
    median_seconds: float | None

    @property
    def handed_in(self) -> int:
        return self.work.counted + self.work.other

    @property
    def hours(self) -> float:
        return self.work.hours

    @property
    def skipped(self) -> int:
        return self.work.skipped


@dataclass(frozen=True)
class OwnProgress:
    """A person's progress: `days` are the last with work, the newest first; `types` counts the reasons given."""

    days: list[tuple[date, Stretch]]
    all_days: Stretch
    types: list[tuple[str, int]]
    skips: QuerySet[Assignment]
    flags: QuerySet[Flag]


def own_progress(project: Project, person: User) -> OwnProgress:
    assignments = Assignment.objects.filter(person=person, slot__queue__project=project, slot__queue__step=Step.RATE)
    done = list(rows_of(assignments))
    by_day: dict[date, list[DonePair]] = defaultdict(list)
    for each in done:
        by_day[timezone.localtime(each.at).date()].append(each)
    skipped = (
        assignments.filter(state=AssignmentState.SKIPPED).select_related("slot__item").order_by("-ended_at", "-pk")
    )
    return OwnProgress(
        days=[(day, _stretch(by_day[day])) for day in sorted(by_day, reverse=True)[:DAYS]],
        all_days=_stretch(done),
        types=_types(assignments),
        skips=skipped[:LATEST],
        flags=own_flags_of(project, person)[:LATEST],
    )


def _stretch(done: Iterable[DonePair]) -> Stretch:
    own = list(done)
    stands = [each for each in own if each.state != AssignmentState.VOIDED]
    measured = [each.milliseconds for each in stands if each.milliseconds is not None]
    return Stretch(work_in(own), statistics.median(measured) / 1000 if measured else None)


def _types(assignments: QuerySet[Assignment]) -> list[tuple[str, int]]:
    given = Rating.objects.filter(replaced_at=None, assignment__in=assignments.filter(state=AssignmentState.SUBMITTED))
    times = given.exclude(reason="").order_by().values_list("reason").annotate(n=Count("pk"))
    return sorted(times, key=lambda each: (-each[1], each[0]))
