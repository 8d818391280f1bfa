"""What a recruiting platform says of the people it sent, and what was decided about their pay."""

from django.db import models
from django.utils import timezone

from study.domain.survey.pay import DECIDED


class Submission(models.Model):
    """A person's row in the platform's list. It is deleted with their identity, and never exported elsewhere."""

    identity = models.OneToOneField("study.Identity", on_delete=models.CASCADE, related_name="submission")
    key = models.CharField(max_length=200, blank=True, help_text="The platform's id of the submission or assignment.")
    status = models.CharField(max_length=60, help_text="As the platform writes it, in capitals.")
    code = models.CharField(max_length=60, blank=True, help_text="Completion code that the person entered there.")

    def __str__(self) -> str:
        return f"submission {self.pk}"


class PayRecord(models.Model):
    """What was decided about a person's pay, and why. It stays when ids of platforms go, and goes with a withdrawal."""

    participant = models.OneToOneField("study.Participant", on_delete=models.CASCADE, related_name="pay_record")
    platform = models.CharField(max_length=20)
    decision = models.CharField(max_length=20, choices=[(each.value, each.value) for each in DECIDED])
    why = models.CharField(max_length=20, blank=True, help_text="A key of study.domain.survey.pay.WHY.")
    decided_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"pay of participant {self.participant_id}"


class Reconciliation(models.Model):
    """An uploaded list of a platform, in numbers: none of its rows is stored here."""

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="reconciliations")
    platform = models.CharField(max_length=20)
    rows = models.PositiveIntegerField()
    without_record = models.PositiveIntegerField(help_text="Rows of people who never agreed to take part here.")
    withdrew = models.PositiveIntegerField(help_text="Rows of people who withdrew: nothing of them is kept here.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"reconciliation {self.pk}"
