"""Progress of fieldwork: how many people, in which groups and forms, with which outcome.

It only counts answers and never reads them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.db.models import Count, Max, Q, QuerySet, Sum

from study.domain.survey import phases
from study.domain.survey.phases import ParticipantState
from study.models import Answer, FormQuestion, Participant, Study
from study.models.people import StudyGroup
from study.selectors.survey.plans import question_counts

UNDER_WAY = (ParticipantState.CONSENTED, ParticipantState.ANSWERING)
ENDED = tuple(set(phases.ENDED) - {ParticipantState.TOO_FEW_ANSWERS})


@dataclass(frozen=True)
class FieldworkRow:
    """People of a group, a form or a study by state; `quota` is how many are wanted, None for no limit."""

    name: str
    states: Counter[str]
    quota: int | None = None

    @property
    def people(self) -> int:
        """The places taken: people under way, and those who ended so that they count."""
        return sum(self.states[state] for state in phases.WITH_A_PLACE)

    @property
    def is_full(self) -> bool:
        return self.quota is not None and self.people >= self.quota

    @property
    def under_way(self) -> int:
        return sum(self.states[state] for state in UNDER_WAY)

    @property
    def ended(self) -> int:
        return sum(self.states[state] for state in ENDED)

    @property
    def columns(self) -> list[int]:
        return [self.states[state] for state in ParticipantState]

    @property
    def share(self) -> float:
        """Share of the quota that is filled, from 0 to 1."""
        return min(1.0, self.states[ParticipantState.COMPLETE] / self.quota) if self.quota else 0.0


@dataclass(frozen=True)
class Fieldwork:
    """People of a study by group and by form, and in all."""

    groups: list[FieldworkRow]
    forms: list[FieldworkRow]
    total: FieldworkRow
    median_minutes: float | None  # of those who completed
    last_at: datetime | None
    active: int  # people under way who did something in the last minutes

    @property
    def fullest_form(self) -> int:
        return max((form.ended for form in self.forms), default=0)


@dataclass(frozen=True)
class StudyRow:
    """A study in the list of studies; `questions` are those that figures count."""

    study: Study
    questions: int
    people: FieldworkRow


def rows_of(studies: QuerySet[Study]) -> list[StudyRow]:
    """Return each study with its people and questions; six queries in all."""
    shown = studies.order_by()
    people: dict[int, Counter[str]] = {}
    rows = Participant.objects.filter(study__in=shown).order_by()
    for study, state, count in rows.values_list("study", "state").annotate(Count("pk")):
        people.setdefault(study, Counter())[state] = count
    quotas = _quotas(shown)
    questions = question_counts(shown)
    return [
        StudyRow(
            each,
            questions.get(each.pk, 0),
            FieldworkRow(each.slug, people.get(each.pk, Counter()), quotas.get(each.pk)),
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
    people = list(study.participants.order_by().values_list("group", "form", "state").annotate(Count("pk")))
    groups = [
        FieldworkRow(group.name, _counted((state, n) for of, _form, state, n in people if of == group.pk), group.quota)
        for group in study.groups.all()
    ]
    quotas = [group.quota for group in groups]
    wanted = None if None in quotas or not quotas else sum(filter(None, quotas))
    return Fieldwork(
        groups=groups,
        forms=[
            FieldworkRow(str(form), _counted((state, n) for _group, of, state, n in people if of == form))
            for form in _forms(study, {form for _group, form, _state, _n in people})
        ],
        total=FieldworkRow(study.slug, _counted((state, n) for _group, _form, state, n in people), wanted),
        median_minutes=_median_minutes(study),
        last_at=_last_at(study),
        active=study.participants.active().count(),
    )


def _counted(people: Iterable[tuple[str, int]]) -> Counter[str]:
    states: Counter[str] = Counter()
    for state, count in people:
        states[state] += count
    return states


def _forms(study: Study, taken: set[int | None]) -> list[int]:
    """Return the forms of the plan, and those that imported answers name."""
    planned = FormQuestion.objects.filter(study=study).values_list("form", flat=True).distinct().order_by()
    return sorted({*planned, *(form for form in taken if form is not None)})


def _median_minutes(study: Study) -> float | None:
    complete = study.participants.filter(state=ParticipantState.COMPLETE)
    times = complete.values_list("started_at", "ended_at")
    minutes = [(end - start).total_seconds() / 60 for start, end in times if start and end]
    return median(minutes) if minutes else None


def _last_at(study: Study) -> datetime | None:
    """Return when a person last joined, answered or ended; None for imported answers, whose times are unknown."""
    if study.is_imported:
        return None
    answers = Answer.objects.filter(presentation__participant__study=study)
    moments = study.participants.aggregate(Max("joined_at"), Max("ended_at")) | answers.aggregate(Max("answered_at"))
    return max(filter(None, moments.values()), default=None)
