"""Which roles may do what in a project or with a corpus, and which of them a person has a right to."""

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
    "cleaning.oversee": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # everybody's decisions, and undoing them
    "transcripts.correct": frozenset({ANNOTATOR}),
    "instances.write": frozenset({ANNOTATOR}),
    "pairs.adjudicate": frozenset({INSPECTOR}),
    "instances.inspect": frozenset({INSPECTOR}),
    "instances.return": frozenset({RESEARCHER, ADMINISTRATOR}),  # those that inspectors accepted
    "instances.type": frozenset({ANNOTATOR, INSPECTOR}),
    "project.create": frozenset({RESEARCHER, ADMINISTRATOR}),
    "project.view": frozenset({RESEARCHER, ADMINISTRATOR}),  # board, agreement, pairs with their grades
    "project.manage": frozenset({RESEARCHER, ADMINISTRATOR}),  # settings, guideline, members
    "raters.judge": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # their gold, letting them go on, voiding work
    "pairs.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "items.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.freeze": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.read": frozenset({RESEARCHER, ADMINISTRATOR}),
}


def projects_of(person: User) -> QuerySet[Project]:
    """The projects a person has a right to. Every view and API answer loads its objects through this."""
    if person.role == ADMINISTRATOR:
        return Project.objects.all()
    return Project.objects.filter(memberships__person=person)


def corpora_of(person: User) -> QuerySet[Corpus]:
    """Corpora are published material: who may read one may read all (docs/adr/0006)."""
    return Corpus.objects.all() if may(person, "corpus.read") else Corpus.objects.none()


def project_at(request: AuthenticatedRequest, slug: str, kind: Kind | None = None) -> Project:
    """The project, where it is of the kind that the page is for."""
    own = projects_of(request.user)
    return get_object_or_404(own.filter(kind=kind) if kind else own, slug=slug)


def own_assignment(request: AuthenticatedRequest, slug: str, pk: int, *steps: Step) -> Assignment:
    """An assignment of one of these steps of the project that was handed to the person, held or ended."""
    own = Assignment.objects.select_related("slot__queue__project").filter(
        person=request.user, slot__queue__step__in=steps
    )
    return get_object_or_404(own, pk=pk, slot__queue__project__in=projects_of(request.user).filter(slug=slug))
