"""Columns that the drafts of all steps have."""

from typing import TypeVar

from django.db import models
from django.db.models.expressions import Combinable
from django.utils import timezone

from annotation.models.work import Assignment


class Draft(models.Model):
    """Text that a person writes on an assignment, saved as a whole until it is submitted; each step has its table."""

    assignment: "models.OneToOneField[Assignment | Combinable, Assignment]"
    assignment_id: int
    revision = models.PositiveIntegerField(default=0, help_text="Moves with every save; an older page is refused.")
    save_key = models.UUIDField(null=True, help_text="Of the last save, drawn by the page, which knows its own by it.")
    saved_at = models.DateTimeField(default=timezone.now)
    seconds = models.FloatField(default=0, help_text="At work on it, save by save; longer pauses do not count.")
    submitted_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


DraftT = TypeVar("DraftT", bound=Draft)
