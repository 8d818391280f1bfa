"""Releases: frozen datasets."""

from django.db import models
from django.utils import timezone

from core.models.frozen import FrozenModel


class Release(FrozenModel):
    """One frozen dataset of a project, with its figures and settings at that time."""

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    checksum = models.CharField(max_length=64, help_text="SHA-256 of the content alone: no number, date or name.")
    counts = models.JSONField(help_text='{"instances", "splits": {"train", "dev", "test"}, "left_out": {...}}')
    statistics = models.JSONField(help_text="Figures per split and of all: see docs/data-formats.md.")
    agreement = models.JSONField(help_text="Agreement as it stood when frozen, before and after the filter.")
    settings = models.JSONField(help_text="The project's settings as they stood when frozen.")
    annotators = models.JSONField(
        default=dict, help_text='{"profile": what the project says of them, "authors": 3, ...}'
    )
    variants = models.JSONField(default=dict, help_text='{"plus": {...}}: see actions.releases.')
    job = models.OneToOneField("core.Job", null=True, on_delete=models.PROTECT, related_name="release")
    frozen_by = models.ForeignKey("core.User", null=True, on_delete=models.PROTECT, related_name="+")
    frozen_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_release_a_number")]

    def __str__(self) -> str:
        return f"{self.project.slug}@{self.number}"


class Instance(FrozenModel):
    """One published row, as it was when frozen, at its position in the canonical order."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="instances")
    position = models.PositiveBigIntegerField()
    split = models.CharField(max_length=5)
    content = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "position"], name="one_instance_a_position")]

    def __str__(self) -> str:
        return f"instance {self.position} of {self.release_id}"
