"""Permissions of roles in projects and on corpora, and the projects and corpora that a person may use."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from annotation.models import Assignment, Corpus, Kind, Project, Step
from core.models import Account, Role, User
from core.permissions import AuthenticatedRequest, RoleEnded, is_member, may

ANNOTATOR, INSPECTOR = Role.ANNOTATOR, Role.INSPECTOR
RESEARCHER, ADMINISTRATOR = Role.RESEARCHER, Role.ADMINISTRATOR

PERMISSIONS: dict[str, frozenset[str]] = {
    "work.own": frozenset({ANNOTATOR, INSPECTOR}),  # see what they submitted themselves
    "pairs.rate": frozenset({ANNOTATOR}),
    "pairs.clean": frozenset({ANNOTATOR, INSPECTOR, RESEARCHER, ADMINISTRATOR}),
    "cleaning.oversee": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # see and undo the decisions of all
    "transcripts.correct": frozenset({ANNOTATOR}),
    "instances.write": frozenset({ANNOTATOR}),
    "pairs.adjudicate": frozenset({INSPECTOR}),
    "instances.inspect": frozenset({INSPECTOR}),
    "instances.return": frozenset({RESEARCHER, ADMINISTRATOR}),  # accepted ones, for revision
    "instances.type": frozenset({ANNOTATOR, INSPECTOR}),
    "project.create": frozenset({Account.CREATOR, Account.ADMINISTRATOR}),
    "project.view": frozenset({RESEARCHER, ADMINISTRATOR}),  # board, agreement, pairs with grades
    "project.manage": frozenset({RESEARCHER, ADMINISTRATOR}),  # settings, guideline, members
    "raters.judge": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # see their gold, let them go on, void work
    "pairs.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "items.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.freeze": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.manage": frozenset({RESEARCHER, ADMINISTRATOR}),  # archive and delete what they imported themselves
}


def projects_of(person: User, permission: str) -> QuerySet[Project]:
    """Return the projects in which a person has a permission. Every page and API answer loads its objects so."""
    roles = PERMISSIONS[permission]
    if person.is_administrator:
        return Project.objects.all() if ADMINISTRATOR in roles else Project.objects.none()
    return Project.objects.filter(memberships__person=person, memberships__role__in=sorted(roles))


def projects_as(person: User, role: Role) -> QuerySet[Project]:
    """Return the projects in which a person has a role by membership."""
    return Project.objects.filter(memberships__person=person, memberships__role=role)


def corpora_of(person: User) -> QuerySet[Corpus]:
    """Return the corpora that a person may read: all or none, as they are published material (docs/adr/0006)."""
    return Corpus.objects.all() if may(person, "corpus.read") else Corpus.objects.none()


def own_corpora(person: User) -> QuerySet[Corpus]:
    """Return the corpora that a person may archive and delete: those they imported; an administrator all."""
    corpora = corpora_of(person)
    return corpora if person.is_administrator else corpora.filter(created_by=person)


def is_own_corpus(corpus: Corpus, person: User) -> bool:
    """Return whether `own_corpora` has a corpus that was loaded for the person."""
    return person.is_administrator or corpus.created_by_id == person.pk


def project_at(request: AuthenticatedRequest, slug: str, kind: Kind | None = None) -> Project:
    """Return the project at this address, of the kind that the page is for.

    Raises Http404 for people who are no members, and PermissionDenied for members in another role than the page needs.
    """
    projects = Project.objects.filter(kind=kind) if kind else Project.objects.all()
    project = get_object_or_404(projects, slug=slug)
    if not is_member(request.user, project):
        raise Http404
    if not may(request.user, request.permission, within=project):
        raise PermissionDenied
    return project


def own_assignment(request: AuthenticatedRequest, slug: str, pk: int, *steps: Step) -> Assignment:
    """Return an assignment of the person, held or ended, of one of these steps in the project; 404 otherwise."""
    own = Assignment.objects.select_related("slot__queue__project").filter(
        person=request.user, slot__queue__step__in=steps, slot__queue__project__slug=slug
    )
    assignment = get_object_or_404(own, pk=pk)
    must_still_work_in(request, assignment.slot.queue.project)
    return assignment


def must_still_work_in(request: AuthenticatedRequest, project: Project) -> None:
    """Check that the person of an assignment in the project still has the permission there.

    Raises RoleEnded, which tells more than 404, but only to a person who has worked in the project.
    """
    if not may(request.user, request.permission, within=project):
        raise RoleEnded
