"""Participants: people without an account, each under a random name. Their identities are in a separate table."""

import uuid
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from study.domain.survey import clock
from study.domain.survey.keys import KeyKind
from study.domain.survey.phases import ParticipantState
from study.models.uptime import boot, uptime

ACTIVE = timedelta(minutes=5)  # a long question is read for so long


class StudyGroup(models.Model):
    """A link and the people who come by it."""

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=60, help_text="Of the group by whose link the person came.")
    token = models.CharField(max_length=40, unique=True, help_text="Stands in the link; random.")
    quota = models.PositiveIntegerField(null=True)
    requires_id = models.BooleanField(default=False, help_text="Only people whom a platform sends may join.")
    forms = models.JSONField(default=list, help_text="Numbers of its forms, set when the study is opened; empty: all.")
    return_url = models.CharField(max_length=500, blank=True, help_text="Whereto people go at the end, with {code}.")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_group_a_name")]

    def __str__(self) -> str:
        return self.name


class FormPlaces(models.Model):
    """How many people of a group have a place in a form: who is under way, and who ended so that they count."""

    group = models.ForeignKey(StudyGroup, on_delete=models.CASCADE, related_name="places")
    form = models.PositiveSmallIntegerField()
    taken = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "form"], name="one_count_a_form")]

    def __str__(self) -> str:
        return f"{self.taken} in form {self.form} of group {self.group_id}"


class Origin(models.TextChoices):
    SURVEY = "survey"
    IMPORT = "import"
    SIMULATED = "simulated"


class ParticipantQuerySet(models.QuerySet["Participant"]):
    def counting(self) -> "ParticipantQuerySet":
        """Return the people whose answers figures are made of: all but those who withdrew."""
        return self.exclude(state=ParticipantState.WITHDRAWN)

    def under_way(self) -> "ParticipantQuerySet":
        """Return the people who have joined and have not ended."""
        return self.filter(state__in=[ParticipantState.CONSENTED, ParticipantState.ANSWERING])

    def active(self) -> "ParticipantQuerySet":
        """Return the people under way who did something in the last minutes."""
        return self.under_way().filter(seen_at__gte=timezone.now() - ACTIVE)

    def still_answering(self) -> "ParticipantQuerySet":
        """Return the people whose clock runs; what they have left open is not known yet.

        It includes those without a limit, but not those past their deadline, whether or not that is stored yet.
        """
        return self.filter(state=ParticipantState.ANSWERING).exclude(pk__in=[each.pk for each in self.overdue()])

    def overdue(self) -> "list[Participant]":
        """Return the people whose time is over, each by their own clock, and who are not stored as ended yet."""
        under_way = self.filter(state=ParticipantState.ANSWERING, deadline_at__isnull=False)
        return [each for each in under_way if clock.is_closed(each.deadline_at, each.now())]


class Participant(models.Model):
    """One person in one study. After a withdrawal only this row remains, without content."""

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="participants")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, help_text="Random; what exports call the person.")
    label = models.CharField(max_length=200, blank=True, help_text="Name in an imported file.")
    group = models.ForeignKey(StudyGroup, null=True, on_delete=models.PROTECT, related_name="participants")
    form = models.PositiveSmallIntegerField(null=True, help_text="Version of the survey that the person took.")
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.SURVEY)
    state = models.CharField(
        max_length=20,
        choices=[(s, s) for s in ParticipantState],
        default=ParticipantState.CONSENTED,
        help_text="How the survey of the person ended.",
    )
    has_place = models.BooleanField(default=False, help_text="They are counted in the places of their group and form.")
    consent = models.ForeignKey("study.StudyText", null=True, on_delete=models.PROTECT, related_name="+")
    demographics = models.JSONField(default=dict)
    practice = models.JSONField(default=dict, help_text="Choices at the present practice question, and before it.")
    code = models.CharField(max_length=20, blank=True, help_text="Completion code of the outcome.")
    joined_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    deadline_at = models.DateTimeField(null=True, help_text="Set once, with started_at. The server's clock decides.")
    ended_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True, help_text="When they last did something, to about a minute.")
    boot = models.CharField(max_length=36, blank=True, help_text="Start of the machine on which they began.")
    began_at_uptime = models.FloatField(null=True, help_text="Seconds from that start to started_at.")

    digest: str  # no column: of the key by which a request came; study.selectors.survey.visits sets it

    objects = ParticipantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "label"], condition=~Q(label=""), name="one_participant_a_label"),
        ]
        indexes = [
            models.Index(fields=["deadline_at"], condition=Q(state="answering"), name="deadlines"),
            models.Index(
                fields=["group", "joined_at"], condition=Q(state="consented", has_place=True), name="places_not_begun"
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def minutes(self) -> float | None:
        """From the first question to the end; None for a person who has not begun or not ended."""
        if self.started_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.started_at).total_seconds() / 60

    def now(self) -> datetime:
        """Return the present time by this person's clock: when they began, and the seconds since then.

        A server whose clock is set, by hours perhaps, so ends no survey. After a restart the server's clock is all
        there is.
        """
        if self.started_at is None or self.began_at_uptime is None or self.boot != boot():
            return timezone.now()
        return self.started_at + timedelta(seconds=uptime() - self.began_at_uptime)


class ParticipantKey(models.Model):
    """A secret by which a person is known: of one of their browsers, or of a resume link. Its digest alone is stored.

    Deleted when they withdraw.
    """

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="keys")
    digest = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=[(kind, kind) for kind in KeyKind])
    made_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} key of participant {self.participant_id}"


class Behaviour(models.Model):
    """What a person's browser noted beside their answers (study/domain/survey/behaviour.py): counts, and a time.

    Deleted when they withdraw. No row: nothing was noted.
    """

    participant = models.OneToOneField(Participant, on_delete=models.CASCADE, related_name="behaviour")
    blur = models.PositiveIntegerField(default=0, help_text="Times the page was left.")
    focus = models.PositiveIntegerField(default=0, help_text="Times they came back to it.")
    away_ms = models.PositiveIntegerField(default=0, help_text="Milliseconds between.")
    paste = models.PositiveIntegerField(default=0, help_text="Times they pasted something.")
    copy = models.PositiveIntegerField(default=0, help_text="Times they copied something.")
    webdriver = models.PositiveIntegerField(default=0, help_text="Pages whose browser said that a program drives it.")
    trap = models.PositiveIntegerField(default=0, help_text="Times they filled in a field that people do not see.")

    def __str__(self) -> str:
        return f"behaviour of participant {self.participant_id}"


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


class WithdrawnIdentity(models.Model):
    """A platform's id that withdrew from a study: nothing but a keyed digest, from which no id can be read."""

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "digest"], name="one_withdrawal_an_identity")]

    def __str__(self) -> str:
        return f"withdrawal {self.pk}"
