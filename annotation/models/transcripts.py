"""The recordings of an item, and people's corrections of a machine's transcript."""

from pathlib import Path

from django.core.files.storage import default_storage
from django.db import models

from annotation.domain.transcription.recordings import RecordingKind
from annotation.models.drafts import Draft


class Recording(models.Model):
    """A file that belongs to an item: its audio, or the picture of its answer.

    The bytes are stored by their digest, so that a dialogue with several questions has them once.
    """

    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="recordings")
    kind = models.CharField(max_length=12, choices=[(kind, kind) for kind in RecordingKind])
    sha256 = models.CharField(max_length=64)
    media_type = models.CharField(max_length=20, help_text="Known by the content, never by the name.")
    size = models.PositiveIntegerField(help_text="Bytes.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "kind"], name="one_recording_a_kind")]

    def __str__(self) -> str:
        return f"recording {self.pk}"

    @property
    def path(self) -> Path:
        return path_of(self.sha256)


def path_of(sha256: str) -> Path:
    """Return the path of the bytes with this digest."""
    return Path(default_storage.path(f"recordings/{sha256[:2]}/{sha256}"))


class Transcript(Draft):
    """The turns and the answer of an item as corrected by one person, in the first step or the check."""

    assignment = models.OneToOneField("annotation.Assignment", on_delete=models.CASCADE, related_name="transcript")
    checks = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.CASCADE,
        related_name="checked_by",
        help_text="In the second step: the first person's, which this one began with.",
    )
    turns = models.JSONField()
    answer = models.PositiveSmallIntegerField(null=True, help_text="Number of the right choice; empty: nobody knows.")
    replaced = models.JSONField(null=True, help_text="The content of the item that this took the place of.")

    def __str__(self) -> str:
        return f"transcript {self.pk}"
