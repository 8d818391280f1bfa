"""Roles that may use questions, studies and runs, and which of these a person may see."""

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from core.models.people import Account, Role, User
from core.permissions import AuthenticatedRequest
from study.models import QuestionSet, Run, Study
from study.models.runs import RunQuerySet

EXPERT, RESEARCHER, ADMINISTRATOR = Role.EXPERT, Role.RESEARCHER, Role.ADMINISTRATOR

PERMISSIONS: dict[str, frozenset[str]] = {
    "questions.build": frozenset({RESEARCHER, ADMINISTRATOR}),
    "questions.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "questions.manage": frozenset({RESEARCHER, ADMINISTRATOR}),  # archive and delete what they drew themselves
    "study.create": frozenset({Account.CREATOR, Account.ADMINISTRATOR}),
    "study.view": frozenset({RESEARCHER, ADMINISTRATOR}),  # plan, fieldwork, results
    "study.manage": frozenset({RESEARCHER, ADMINISTRATOR}),
    "study.take": frozenset({EXPERT}),  # signed in; most studies are taken by a link, without an account
    "run.start": frozenset({RESEARCHER, ADMINISTRATOR}),
    "demo.load": frozenset({Account.CREATOR, Account.ADMINISTRATOR}),
}


def studies_of(person: User) -> QuerySet[Study]:
    """Return the studies that a person does research in."""
    if person.is_administrator:
        return Study.objects.all()
    return Study.objects.filter(memberships__person=person, memberships__role=RESEARCHER)


def own_study(request: AuthenticatedRequest, slug: str) -> Study:
    """Return a study that the person may see, or raise 404."""
    return get_object_or_404(studies_of(request.user), slug=slug)


def question_sets_of(person: User) -> QuerySet[QuestionSet]:
    """Return the sets that a person drew, and those of their studies."""
    if person.is_administrator:
        return QuestionSet.objects.all()
    return QuestionSet.objects.filter(Q(created_by=person) | Q(studies__in=studies_of(person))).distinct()


def own_question_sets(person: User) -> QuerySet[QuestionSet]:
    """Return the sets that a person may archive and delete: those they drew; an administrator all."""
    return QuestionSet.objects.all() if person.is_administrator else QuestionSet.objects.filter(created_by=person)


def is_own_set(question_set: QuestionSet, person: User) -> bool:
    """Return whether `own_question_sets` has a set that was loaded for the person."""
    return person.is_administrator or question_set.created_by_id == person.pk


def runs_of(person: User) -> RunQuerySet:
    """Return the runs that a person started, and those of their studies."""
    if person.is_administrator:
        return Run.objects.all()
    own = Q(created_by=person) | Q(study__in=studies_of(person))
    return Run.objects.filter(own | Q(question_set__in=question_sets_of(person))).distinct()
