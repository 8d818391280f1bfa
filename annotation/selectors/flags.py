"""The flags of a project, and those of one person."""

from django.db.models import QuerySet

from annotation.models import Flag, Project
from core.models import User


def flags_of(project: Project, *, resolved: bool) -> QuerySet[Flag]:
    """Return the open flags, the oldest first, or the resolved ones, the last first; people and items are loaded."""
    flags = Flag.objects.of_project(project).select_related(
        "assignment__person", "assignment__slot__item", "resolved_by"
    )
    if resolved:
        return flags.exclude(resolved_at=None).order_by("-resolved_at", "-pk")
    return flags.open().order_by("raised_at", "pk")


def own_flags_of(project: Project, person: User) -> QuerySet[Flag]:
    """Return the person's flags in the project, with the pairs or items, the newest first."""
    return Flag.objects.of_project(project).filter(assignment__person=person).select_related("assignment__slot__item")
