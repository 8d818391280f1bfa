"""Qualification of people in a project: whether they may rate or write, by practice and pauses."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from annotation.domain.qualification.qualification import QualificationStatus, qualification_status, used_of
from annotation.domain.rating.rating import RatingSettings
from annotation.domain.workflow import AnnotatorState, AttemptState
from annotation.models import Attempt, Cursor, Item, Kind, PracticeGrade, Project, Purpose, Step
from annotation.selectors.qualification.gold import GradedGold, gold_grades, gold_of, judgements, recent_gold
from core.domain.text import timestamp
from core.models import Role, User


@dataclass(frozen=True)
class QualifiedAnnotator:
    """A person who rates or writes in a project, or is to; `recent` is the gold that decides about a pause."""

    person: User
    status: QualificationStatus
    attempts: list[Attempt]
    cursor: Cursor
    gold: list[GradedGold] = field(default_factory=list)
    recent: list[GradedGold] = field(default_factory=list)

    @property
    def missed(self) -> int:
        return sum(each.is_miss for each in self.gold)

    @property
    def recently_missed(self) -> int:
        return sum(each.is_miss for each in self.recent)

    def shown_misses(self, settings: RatingSettings) -> list[GradedGold]:
        """Return the missed gold that the person may see: none unless they are paused and the project shows it."""
        is_shown = settings.show_missed and self.status == QualificationStatus.PAUSED
        return [each for each in self.recent if each.is_miss and is_shown]

    @property
    def used(self) -> int:
        """Number of attempts that count against the person's limit."""
        return len(used_of(_states(self.attempts)))

    @property
    def waits_for_decision(self) -> bool:
        """True where an inspector must let them go on: they are paused, or have no attempt left."""
        return self.status in (QualificationStatus.PAUSED, QualificationStatus.FAILED)

    @property
    def may_practise(self) -> bool:
        return self.status in (QualificationStatus.NEW, QualificationStatus.UNDER_WAY, QualificationStatus.AGAIN)

    @property
    def last_attempt(self) -> Attempt | None:
        return self.attempts[-1] if self.attempts else None


def may_go_on(project: Project, person: User, cursor: Cursor) -> bool:
    """Return whether the person is assigned work: not paused, and practice passed where the project requires it."""
    if cursor.state == AnnotatorState.PAUSED:
        return False
    if not project.chosen.practice:
        return True
    return Attempt.objects.filter(project=project, person=person, state=AttemptState.PASSED).exists()


def annotator_of(project: Project, person: User, cursor: Cursor | None = None) -> QualifiedAnnotator:
    """Return the person with their attempts and recent gold. `cursor` is theirs, if it was read already."""
    cursor = cursor or _cursors(project).filter(person=person).first() or Cursor()
    attempts = list(project.attempts.filter(person=person)) if project.chosen.practice else []
    recent = recent_gold(project, person, cursor) if cursor.state == AnnotatorState.PAUSED else []
    return QualifiedAnnotator(
        person, _status(project, cursor, attempts, _items(project)), attempts, cursor, recent=recent
    )


def graded_at(annotator: QualifiedAnnotator, position: str) -> PracticeGrade | None:
    """Return the pair at this position of the last attempt if it is graded; its known grade is hidden before."""
    if not position.isascii() or not position.isdigit() or len(position) > 4 or not annotator.attempts:
        return None
    graded = annotator.attempts[-1].grades.filter(position=int(position), grade__isnull=False)
    return graded.select_related("item__gold").first()


def annotators_of(project: Project) -> list[QualifiedAnnotator]:
    """Return all who rate, write or practised here, the paused first, with all the gold they graded."""
    attempts: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in project.attempts.all():
        attempts[attempt.person_id].append(attempt)
    cursors = {cursor.person_id: cursor for cursor in _cursors(project)}
    people = User.objects.filter(
        Q(memberships__role=Role.ANNOTATOR, memberships__project=project, is_active=True) | Q(pk__in=attempts)
    ).distinct()
    gold, items = _gold_by_person(project), _items(project)
    annotators = [
        QualifiedAnnotator(
            person,
            _status(project, cursor, attempts[person.pk], items),
            attempts[person.pk],
            cursor,
            gold[person.pk],
            _recent(gold[person.pk], cursor, project),
        )
        for person in people
        for cursor in [cursors.get(person.pk, Cursor())]
    ]
    return sorted(
        annotators,
        key=lambda annotator: (
            annotator.status != QualificationStatus.PAUSED,
            str(annotator.person),
            annotator.person.pk,
        ),
    )


def _gold_by_person(project: Project) -> dict[int, list[GradedGold]]:
    """Return the graded gold by person; only rating projects have any."""
    graded: dict[int, list[GradedGold]] = defaultdict(list)
    for each in judgements(gold_grades(project), project) if project.kind == Kind.RATING else ():
        graded[each.rating.assignment.person_id].append(each)
    return graded


def _recent(gold: list[GradedGold], cursor: Cursor, project: Project) -> list[GradedGold]:
    """Return the last of a person's gold pairs since they were let go on."""
    since = cursor.resumed_at
    after = [each for each in gold if since is None or (each.rating.assignment.ended_at or since) > since]
    return after[: project.rating.gold_window] if after else []


def paused_in(projects: QuerySet[Project] | Iterable[Project]) -> list[Cursor]:
    """Return the cursors of paused people, with project and person, the longest waiting first."""
    paused = Cursor.objects.filter(queue__project__in=projects, state=AnnotatorState.PAUSED)
    return list(paused.select_related("queue__project", "person").order_by("paused_at", "pk"))


def used_up_in(projects: QuerySet[Project] | Iterable[Project]) -> list[Attempt]:
    """Return the last attempts of people who have none left, with project and person, the longest waiting first."""
    attempts = Attempt.objects.filter(
        project__in=projects, person__is_active=True, person__memberships__project=F("project")
    )
    of_person: dict[tuple[int, int], list[Attempt]] = defaultdict(list)
    for attempt in attempts.select_related("project", "person").order_by("number"):
        of_person[attempt.project_id, attempt.person_id].append(attempt)
    last = [
        own[-1]
        for own in of_person.values()
        if qualification_status(own[0].project.chosen, AnnotatorState.WORKING, _states(own), items=0)
        == QualificationStatus.FAILED
    ]
    return sorted(last, key=lambda attempt: (attempt.ended_at or attempt.begun_at, attempt.pk))


def deciders_of(project: Project) -> list[User]:
    """Return the people who decide about the project's annotators: its inspectors, or else its researchers."""
    members = project.memberships.filter(person__is_active=True).order_by("person__name", "person__username")
    of_role = [(member.role, member.person) for member in members.select_related("person")]
    inspectors = [person for role, person in of_role if role == Role.INSPECTOR]
    return inspectors or [person for role, person in of_role if role == Role.RESEARCHER]


def items_to_practise(project: Project) -> QuerySet[Item]:
    """Return the items of attempts: gold pairs, or practice items."""
    return gold_of(project) if project.kind == Kind.RATING else project.items.filter(purpose=Purpose.PRACTICE)


def missing_items(project: Project) -> int:
    """Return how many more gold pairs or practice items an attempt needs."""
    settings = project.chosen
    return max(0, settings.items_of_attempt - _items(project)) if settings.practice else 0


def next_practice(attempt: Attempt) -> PracticeGrade | None:
    """Return the pair to grade next; None when all are graded."""
    return attempt.grades.filter(grade=None).select_related("item").first()


def _cursors(project: Project) -> QuerySet[Cursor]:
    step = Step.RATE if project.kind == Kind.RATING else Step.WRITE
    return Cursor.objects.filter(queue__project=project, queue__step=step)


def _items(project: Project) -> int:
    return items_to_practise(project).count() if project.chosen.practice else 0


def _status(project: Project, cursor: Cursor, attempts: Iterable[Attempt], items: int) -> QualificationStatus:
    return qualification_status(project.chosen, AnnotatorState(cursor.state), _states(attempts), items)


def _states(attempts: Iterable[Attempt]) -> list[AttemptState]:
    return [AttemptState(attempt.state) for attempt in attempts]


def qualification_report(project: Project) -> dict[str, Any]:
    """Return the object that `qualification --json` prints. Accuracy is 0 to 1; undefined values are null."""
    return {
        "practice": project.rating.practice,
        "gold": gold_of(project).count(),
        "raters": [
            {
                "user": annotator.person.username,
                "name": str(annotator.person),
                "status": annotator.status,
                "paused_at": at(annotator.cursor.paused_at) if annotator.status == QualificationStatus.PAUSED else None,
                "attempts": [_attempt(attempt) for attempt in annotator.attempts],
                "gold": len(annotator.gold),
                "missed": annotator.missed,
                "recent": len(annotator.recent),
                "recently_missed": annotator.recently_missed,
            }
            for annotator in annotators_of(project)
        ],
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "number": attempt.number,
        "state": attempt.state,
        "kappa": attempt.kappa,
        "accuracy": None if attempt.right is None else attempt.right / attempt.pairs,
        "begun_at": at(attempt.begun_at),
        "ended_at": at(attempt.ended_at),
    }


def at(moment: datetime | None) -> str | None:
    """Return a time as reports have it."""
    return timestamp(moment) if moment else None
