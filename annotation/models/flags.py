"""Flags on pairs while rating, or on items while writing, for a researcher to look at."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

from annotation.models.projects import Project


class FlagQuerySet(models.QuerySet["Flag"]):
    def of_project(self, project: Project) -> "FlagQuerySet":
        return self.filter(assignment__slot__queue__project=project)

    def open(self) -> "FlagQuerySet":
        return self.filter(resolved_at=None)


class Flag(models.Model):
    """A request by an annotator or author that a researcher look at their pair or item.

    Only they and the project's researchers see it and its note.
    """

    assignment = models.ForeignKey("annotation.Assignment", on_delete=models.CASCADE, related_name="flags")
    comment = models.TextField(blank=True)
    submission_key = models.UUIDField(default=uuid4, help_text="Of the browser: the same key sent twice is one flag.")
    raised_at = models.DateTimeField(default=timezone.now)
    note = models.TextField(blank=True, help_text="What came of it; its annotator reads it.")
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")

    objects = FlagQuerySet.as_manager()

    class Meta:
        ordering = ["-raised_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["assignment", "submission_key"], name="one_flag_a_submission")]

    def __str__(self) -> str:
        return f"flag {self.pk}"
