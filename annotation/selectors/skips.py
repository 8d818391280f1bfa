"""Skips that a person may still undo."""

from collections.abc import Sequence

from django.db.models import QuerySet

from annotation.models import Assignment, Project, Step
from annotation.models.work import CHANGEABLE
from core.models import User


def undoable_skips(project: Project, step: Step, person: User) -> QuerySet[Assignment]:
    """Return the person's skips of the last day whose slots have room, the newest first."""
    skipped = Assignment.objects.skipped(person).filter(slot__queue__project=project, slot__queue__step=step)
    # Gold and practice have no slot number, and room for all.
    return skipped.exclude(slot_number__isnull=False, slot__free=0).select_related("slot__item")


def last_skips(project: Project, step: Step, person: User) -> list[Assignment]:
    """Return as many of the undoable skips as a page shows."""
    return list(undoable_skips(project, step, person)[:CHANGEABLE])


def newest_first(ended: Sequence[Assignment]) -> list[Assignment]:
    """Return the assignments that ended last, as many as a page goes back through."""
    return sorted(ended, key=lambda each: (each.ended_at, each.pk), reverse=True)[:CHANGEABLE]
