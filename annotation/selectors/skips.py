"""Skips that a person may still undo."""

from django.db.models import QuerySet

from annotation.models import Assignment, Project, Step
from core.models import User


def undoable_skips(project: Project, step: Step, person: User) -> QuerySet[Assignment]:
    """Return the person's skips of the last day whose slots have room, the newest first."""
    skipped = Assignment.objects.skipped(person).filter(slot__queue__project=project, slot__queue__step=step)
    # Gold and practice have no slot number, and room for all.
    return skipped.exclude(slot_number__isnull=False, slot__free=0).select_related("slot__item")
