"""Audit log: who changed which state, when, from what to what, and why. It never holds content."""

from django.db import models
from django.utils import timezone

from core.models.frozen import FrozenModel
from core.models.scoped import ScopedModel


class Event(ScopedModel, FrozenModel):
    subject = models.CharField(max_length=20, help_text="What kind of thing: assignment, item, job, release ...")
    subject_id = models.BigIntegerField()
    was = models.CharField(max_length=30, blank=True)
    became = models.CharField(max_length=30)
    why = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["subject", "subject_id"], name="events_of_a_subject"),
            # With the id, so that PostgreSQL finds the newest event of a scope without reading the others.
            models.Index(fields=["scope_kind", "scope_id", "id"], name="events_of_a_scope"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.subject_id}: {self.was} to {self.became}"
