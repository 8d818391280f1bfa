"""Roles that may use questions, studies and runs, and which of these a person may see."""

from django.db.models import Q, QuerySet

from core.models.people import Role, User
from study.models import QuestionSet, Run, Study

RESEARCHER, ADMINISTRATOR = Role.RESEARCHER, Role.ADMINISTRATOR

PERMISSIONS: dict[str, frozenset[Role]] = {
    "questions.build": frozenset({RESEARCHER, ADMINISTRATOR}),
    "questions.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "study.create": frozenset({RESEARCHER, ADMINISTRATOR}),
    "study.view": frozenset({RESEARCHER, ADMINISTRATOR}),  # plan, fieldwork, results
    "study.manage": frozenset({RESEARCHER, ADMINISTRATOR}),
    "run.start": frozenset({RESEARCHER, ADMINISTRATOR}),
    "demo.load": frozenset({RESEARCHER, ADMINISTRATOR}),
}


def studies_of(person: User) -> QuerySet[Study]:
    if person.role == Role.ADMINISTRATOR:
        return Study.objects.all()
    return Study.objects.filter(memberships__person=person)


def question_sets_of(person: User) -> QuerySet[QuestionSet]:
    """Return the sets that a person drew, and those of their studies."""
    if person.role == Role.ADMINISTRATOR:
        return QuestionSet.objects.all()
    return QuestionSet.objects.filter(Q(created_by=person) | Q(studies__memberships__person=person)).distinct()


def runs_of(person: User) -> QuerySet[Run]:
    """Return the runs that a person started, and those of their studies."""
    if person.role == Role.ADMINISTRATOR:
        return Run.objects.all()
    own = Q(created_by=person) | Q(study__memberships__person=person)
    return Run.objects.filter(own | Q(question_set__in=question_sets_of(person))).distinct()
