"""People whom a researcher leaves out of the figures by hand. It never touches what they are paid."""

from django.db import models
from django.utils import timezone


class Exclusion(models.Model):
    """A participant left out of all figures, with the reason. Taking it back deletes the row; events keep both."""

    participant = models.OneToOneField("study.Participant", on_delete=models.CASCADE, related_name="exclusion")
    why = models.CharField(max_length=500, help_text="Why a researcher excluded the person by hand.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"exclusion of participant {self.participant_id}"
