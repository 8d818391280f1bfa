"""Progress of fieldwork: how many people, in which groups and forms, with which outcome.

It only counts answers and never reads them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Lower, TruncHour
from django.utils import timezone

from core.domain.sorting import Sorting
from core.selectors.sorting import in_direction
from study.domain.survey import phases
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Answer, FormQuestion, Participant, Study
from study.models.people import Origin, StudyGroup
from study.selectors.survey.plans import question_counts

PAID = (ParticipantState.COMPLETE, ParticipantState.TIMED_OUT)  # who gave enough answers, in time or at its end
FAILED = (ParticipantState.FAILED_CHECKS, ParticipantState.UNANSWERED_CHECK)
HOURS = 36  # of arrivals that a board shows
PACE = timedelta(hours=6)  # of which a pace is made
# People who were imported came by no link and hold no place, but finished.
PLACES = Count("pk", filter=Q(has_place=True) | Q(group=None) | Q(origin=Origin.IMPORT))


@dataclass(frozen=True)
class FieldworkRow:
    """People of a group, a form or a study by state; `quota` is how many are wanted, None for no limit.

    `held` are those among them who have a place of it: under way, or ended so that they count by the rules of the plan.
    A group has its `forms` as rows of their own. `median_minutes` is of those who completed.
    """

    name: str
    states: Counter[str]
    held: Counter[str]
    quota: int | None = None
    is_closed: bool = False
    median_minutes: float | None = None
    forms: "list[FieldworkRow]" = field(default_factory=list)

    @property
    def people(self) -> int:
        """The places taken: people under way, and those who ended so that they count."""
        return self.held.total()

    @property
    def is_full(self) -> bool:
        return self.quota is not None and self.people >= self.quota

    @property
    def under_way(self) -> int:
        """Those who can still finish: once the study is closed, no one who only agreed can begin."""
        states = (ParticipantState.ANSWERING,) if self.is_closed else phases.UNDER_WAY
        return sum(self.states[state] for state in states)

    @property
    def joined(self) -> int:
        return self.states.total()

    @property
    def finished(self) -> int:
        """Those who fill the quota; people who end in another way, or are left out, leave the place to another."""
        return self.held[ParticipantState.COMPLETE]

    @property
    def missing(self) -> int:
        """How many are still needed to fill the quota; 0 without one."""
        return max(0, (self.quota or 0) - self.finished)

    @property
    def quota_of_a_form(self) -> int:
        """How many are wanted in each of its forms, at most; 0 without a quota."""
        return -(-(self.quota or 0) // max(1, len(self.forms)))

    @property
    def outcomes(self) -> dict[str, int]:
        """Where the people are, or how they ended; the numbers add up to those who joined."""
        states = self.states
        return {
            "agreed": states[ParticipantState.CONSENTED],
            "answering": states[ParticipantState.ANSWERING],
            "complete": states[ParticipantState.COMPLETE],
            "too_few_answers": states[ParticipantState.TOO_FEW_ANSWERS],
            "failed_checks": sum(states[state] for state in FAILED),
            "timed_out": states[ParticipantState.TIMED_OUT],
            "withdrawn": states[ParticipantState.WITHDRAWN],
        }

    @property
    def share(self) -> float:
        """Share of the quota that has finished, from 0 to 1."""
        return min(1.0, self.finished / self.quota) if self.quota else 0.0


@dataclass(frozen=True)
class Fieldwork:
    """People of a study by group and by form, and in all."""

    groups: list[FieldworkRow]
    forms: list[FieldworkRow]
    total: FieldworkRow
    last_at: datetime | None
    active: int  # people under way who did something in the last minutes

    @property
    def median_minutes(self) -> float | None:
        return self.total.median_minutes


@dataclass(frozen=True)
class StudyRow:
    """A study in the list of studies; `questions` are those that figures count."""

    study: Study
    questions: int
    people: FieldworkRow


def matching_studies(studies: QuerySet[Study], *, search: str = "", state: str = "") -> QuerySet[Study]:
    """Return the studies in a state; `search` is part of a title or a short name."""
    found = studies.filter(Q(title__icontains=search) | Q(slug__icontains=search))
    return found.filter(state=state) if state else found


def sorted_studies(studies: QuerySet[Study], order: Sorting) -> QuerySet[Study]:
    done = Participant.objects.filter(study=OuterRef("pk"), state=ParticipantState.COMPLETE)
    finished = Subquery(done.order_by().values("study").annotate(count=PLACES).values("count"))
    keys: dict[str, Any] = {"made": F("created_at"), "title": Lower("title"), "finished": Coalesce(finished, 0)}
    return studies.order_by(in_direction(keys[order.column], order), "-created_at", "-pk")


def rows_of(studies: Iterable[Study]) -> list[StudyRow]:
    """Return each study with its people and questions, in their order; six queries in all."""
    studies = list(studies)
    shown = Study.objects.filter(pk__in=[study.pk for study in studies])
    people: dict[int, Counter[str]] = {}
    held: dict[int, Counter[str]] = {}
    rows = Participant.objects.filter(study__in=shown).order_by()
    for study, state, count, places in rows.values_list("study", "state").annotate(Count("pk"), held=PLACES):
        people.setdefault(study, Counter())[state] = count
        held.setdefault(study, Counter())[state] = places
    quotas = _quotas(shown)
    questions = question_counts(shown)
    return [
        StudyRow(
            each,
            questions.get(each.pk, 0),
            FieldworkRow(
                each.slug,
                people.get(each.pk, Counter()),
                held.get(each.pk, Counter()),
                quotas.get(each.pk),
                each.state == StudyState.CLOSED,
            ),
        )
        for each in studies
    ]


def _quotas(studies: QuerySet[Study]) -> dict[int, int | None]:
    """Return how many people each study wants; None where one of its groups has no limit."""
    groups = StudyGroup.objects.filter(study__in=studies).order_by().values_list("study")
    rows = groups.annotate(Sum("quota"), open_groups=Count("pk", filter=Q(quota=None)))
    return {study: None if open_groups else quota for study, quota, open_groups in rows}


def fieldwork_of(study: Study) -> Fieldwork:
    """Return the progress of a study, counted now."""
    people = study.participants.order_by()
    rows = people.values_list("group", "form", "state").annotate(Count("pk"), held=PLACES)
    states = [(_Place(group, form), state, n, held) for group, form, state, n, held in rows]
    times = _minutes(study)
    forms = _forms(study, {place.form for place, *_counts in states})
    groups = list(study.groups.all())
    own = {group.pk: group.forms or forms for group in groups}

    def row(name: str, quota: int | None = None, group: int | None = None, form: int | None = None) -> FieldworkRow:
        place = _Place(group, form)
        minutes = [each for where, each in times if where.is_in(place)]
        return FieldworkRow(
            name,
            _counted((state, n) for where, state, n, _held in states if where.is_in(place)),
            _counted((state, held) for where, state, _n, held in states if where.is_in(place)),
            quota,
            study.state == StudyState.CLOSED,
            median(minutes) if minutes else None,
            [row(str(each), group=group, form=each) for each in own[group]] if group and not form else [],
        )

    quotas = [group.quota for group in groups]
    wanted = None if None in quotas or not quotas else sum(filter(None, quotas))
    return Fieldwork(
        groups=[row(group.name, group.quota, group.pk) for group in groups],
        forms=[row(str(form), form=form) for form in forms],
        total=row(study.slug, wanted),
        last_at=_last_at(study),
        active=study.participants.active().count(),
    )


class _Place(NamedTuple):
    """Group and form of people; None of a wanted place stands for all."""

    group: int | None
    form: int | None

    def is_in(self, wanted: "_Place") -> bool:
        return wanted.group in (None, self.group) and wanted.form in (None, self.form)


def _counted(people: Iterable[tuple[str, int]]) -> Counter[str]:
    states: Counter[str] = Counter()
    for state, count in people:
        states[state] += count
    return states


def _forms(study: Study, taken: set[int | None]) -> list[int]:
    """Return the forms of the plan, and those that imported answers name."""
    planned = FormQuestion.objects.filter(study=study).values_list("form", flat=True).distinct().order_by()
    return sorted({*planned, *(form for form in taken if form is not None)})


def _minutes(study: Study) -> list[tuple[_Place, float]]:
    """Return how long each person took who completed, with where they belong."""
    complete = study.participants.filter(state=ParticipantState.COMPLETE).order_by()
    return [
        (_Place(group, form), (end - start).total_seconds() / 60)
        for group, form, start, end in complete.values_list("group", "form", "started_at", "ended_at")
        if start and end
    ]


def _last_at(study: Study) -> datetime | None:
    """Return when a person last joined, answered or ended; None for imported answers, whose times are unknown."""
    if study.is_imported:
        return None
    answers = Answer.objects.filter(presentation__participant__study=study)
    moments = study.participants.aggregate(Max("joined_at"), Max("ended_at")) | answers.aggregate(Max("answered_at"))
    return max(filter(None, moments.values()), default=None)


@dataclass(frozen=True)
class Arrivals:
    """How many people joined in each hour, oldest first, up to the hour under way; and by group in the last hours."""

    hours: list[tuple[datetime, int]]
    pace: dict[str, float]  # of a group, people an hour


def arrivals_of(study: Study) -> Arrivals:
    """Return who joined in the last HOURS; once a study is closed, in the last HOURS before that."""
    end = study.closed_at or timezone.now()
    last = end.replace(minute=0, second=0, microsecond=0)
    came = study.participants.filter(joined_at__gte=last - timedelta(hours=HOURS - 1), joined_at__lte=end).order_by()
    by_hour = dict(came.annotate(hour=TruncHour("joined_at")).values_list("hour").annotate(Count("pk")))
    hours = [last - timedelta(hours=back) for back in reversed(range(HOURS))]
    lately = came.filter(joined_at__gt=end - PACE).values_list("group__name").annotate(Count("pk"))
    pace = {name: count / (PACE / timedelta(hours=1)) for name, count in lately if name}
    return Arrivals([(hour, by_hour.get(hour, 0)) for hour in hours], pace)
