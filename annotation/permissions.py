"""Permissions of roles in projects and on corpora, and the projects and corpora that a person may use."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from annotation.models import Assignment, Corpus, Kind, Project, Step
from core.models import Role, User
from core.permissions import AuthenticatedRequest, may

ANNOTATOR, INSPECTOR = Role.ANNOTATOR, Role.INSPECTOR
RESEARCHER, ADMINISTRATOR = Role.RESEARCHER, Role.ADMINISTRATOR

PERMISSIONS: dict[str, frozenset[Role]] = {
    "pairs.rate": frozenset({ANNOTATOR}),
    "pairs.clean": frozenset({ANNOTATOR, INSPECTOR, RESEARCHER, ADMINISTRATOR}),
    "cleaning.oversee": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # see and undo the decisions of all
    "transcripts.correct": frozenset({ANNOTATOR}),
    "instances.write": frozenset({ANNOTATOR}),
    "pairs.adjudicate": frozenset({INSPECTOR}),
    "instances.inspect": frozenset({INSPECTOR}),
    "instances.return": frozenset({RESEARCHER, ADMINISTRATOR}),  # accepted ones, for revision
    "instances.type": frozenset({ANNOTATOR, INSPECTOR}),
    "project.create": frozenset({RESEARCHER, ADMINISTRATOR}),
    "project.view": frozenset({RESEARCHER, ADMINISTRATOR}),  # board, agreement, pairs with grades
    "project.manage": frozenset({RESEARCHER, ADMINISTRATOR}),  # settings, guideline, members
    "raters.judge": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # see their gold, let them go on, void work
    "pairs.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "items.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.freeze": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.read": frozenset({RESEARCHER, ADMINISTRATOR}),
}


def projects_of(person: User) -> QuerySet[Project]:
    """Return the projects that a person may use. Every view and API answer loads its objects through this."""
    if person.role == ADMINISTRATOR:
        return Project.objects.all()
    return Project.objects.filter(memberships__person=person)


def corpora_of(person: User) -> QuerySet[Corpus]:
    """Return the corpora that a person may read: all or none, as they are published material (docs/adr/0006)."""
    return Corpus.objects.all() if may(person, "corpus.read") else Corpus.objects.none()


def project_at(request: AuthenticatedRequest, slug: str, kind: Kind | None = None) -> Project:
    """Return the person's project at this address, of the kind that the page is for; 404 otherwise."""
    own = projects_of(request.user)
    return get_object_or_404(own.filter(kind=kind) if kind else own, slug=slug)


def own_assignment(request: AuthenticatedRequest, slug: str, pk: int, *steps: Step) -> Assignment:
    """Return an assignment of the person, held or ended, of one of these steps in the project; 404 otherwise."""
    own = Assignment.objects.select_related("slot__queue__project").filter(
        person=request.user, slot__queue__step__in=steps
    )
    return get_object_or_404(own, pk=pk, slot__queue__project__in=projects_of(request.user).filter(slug=slug))
