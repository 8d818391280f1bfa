"""What an address names, loaded through the right of whoever asks for it. What they have no right to is not found."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from annotation.models import Assignment, Kind, Project, Step
from annotation.permissions import projects_of


def project_at(request: HttpRequest, slug: str, kind: Kind | None = None) -> Project:
    """The project, where it is of the kind that the page is for."""
    own = projects_of(request.user)
    return get_object_or_404(own.filter(kind=kind) if kind else own, slug=slug)


def own_assignment(request: HttpRequest, slug: str, pk: int, *steps: Step) -> Assignment:
    """An assignment of one of these steps of the project that was handed to the person, held or ended."""
    own = Assignment.objects.select_related("slot__queue__project").filter(
        person=request.user, slot__queue__step__in=steps
    )
    return get_object_or_404(own, pk=pk, slot__queue__project__in=projects_of(request.user).filter(slug=slug))
