"""Participants: people without an account, each under a random name. Their identities are in a separate table."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from study.domain.survey.clock import GRACE
from study.domain.survey.phases import ParticipantState


class StudyGroup(models.Model):
    """A link and the people who come by it."""

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=60)
    token = models.CharField(max_length=40, unique=True, help_text="Stands in the link; random.")
    quota = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_group_a_name")]

    def __str__(self) -> str:
        return self.name


class Origin(models.TextChoices):
    SURVEY = "survey"
    IMPORT = "import"
    SIMULATED = "simulated"


class ParticipantQuerySet(models.QuerySet["Participant"]):
    def counting(self) -> "ParticipantQuerySet":
        """Return the people whose answers figures are made of: all but those who withdrew."""
        return self.exclude(state=ParticipantState.WITHDRAWN)

    def still_answering(self) -> "ParticipantQuerySet":
        """Return the people whose clock runs; what they have left open is not known yet.

        It includes those without a limit, but not those past their deadline, whether or not that is stored yet.
        """
        begun = self.filter(state=ParticipantState.ANSWERING)
        return begun.exclude(deadline_at__lt=timezone.now() - GRACE)


class Participant(models.Model):
    """One person in one study. After a withdrawal only this row remains, without content."""

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="participants")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, help_text="Random; what exports call the person.")
    label = models.CharField(max_length=200, blank=True, help_text="Name in an imported file.")
    token_digest = models.CharField(max_length=64, blank=True, help_text="Of the secret in their cookie.")
    group = models.ForeignKey(StudyGroup, null=True, on_delete=models.PROTECT, related_name="participants")
    form = models.PositiveSmallIntegerField(null=True)
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.SURVEY)
    state = models.CharField(
        max_length=15, choices=[(s, s) for s in ParticipantState], default=ParticipantState.CONSENTED
    )
    consent = models.ForeignKey("study.StudyText", null=True, on_delete=models.PROTECT, related_name="+")
    demographics = models.JSONField(default=dict)
    practice = models.JSONField(default=dict, help_text="First choice at the practice question.")
    code = models.CharField(max_length=20, blank=True, help_text="Completion code of the outcome.")
    joined_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    deadline_at = models.DateTimeField(null=True, help_text="Set once, with started_at. The server's clock decides.")
    ended_at = models.DateTimeField(null=True)

    objects = ParticipantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "label"], condition=~Q(label=""), name="one_participant_a_label"),
            models.UniqueConstraint(fields=["token_digest"], condition=~Q(token_digest=""), name="one_person_a_token"),
        ]
        indexes = [
            models.Index(fields=["deadline_at"], condition=Q(state="answering"), name="deadlines"),
        ]

    def __str__(self) -> str:
        return str(self.public_id)


class Identity(models.Model):
    """A participant's id on the platform they came from. Deleted when they withdraw; never exported."""

    participant = models.OneToOneField(Participant, on_delete=models.CASCADE, related_name="identity")
    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="+")
    platform = models.CharField(max_length=20)
    person = models.CharField(max_length=200, help_text="PROLIFIC_PID or workerId.")
    details = models.JSONField(default=dict, help_text="The platform's other parameters.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "platform", "person"], name="one_study_a_person_once")]

    def __str__(self) -> str:
        return f"identity of participant {self.participant_id}"
