"""Studies: their questions, forms, texts and members. Opening a study freezes its plan."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.models.archived import ArchivableModel
from core.models.frozen import FrozenModel
from core.models.hidden_draws import new_secret
from core.models.people import Role
from study.domain.survey.phases import StudyState
from study.domain.survey.survey import SurveySettings


class Study(ArchivableModel):
    slug = models.SlugField(_("Short name"), max_length=60, unique=True)
    title = models.CharField(_("Title"), max_length=120)
    language = models.CharField(max_length=10, default="en", help_text="Of the survey, whatever the browser asks for.")
    state = models.CharField(max_length=10, choices=[(s, s) for s in StudyState], default=StudyState.DRAFT)
    settings = models.JSONField(default=dict)
    seed = models.BigIntegerField(default=0)
    secret = models.CharField(
        max_length=32, default=new_secret, editable=False, help_text="Of the draws that hide something; never shown."
    )
    question_sets = models.ManyToManyField("study.QuestionSet", related_name="studies")
    plan = models.JSONField(null=True, help_text="All that was fixed when the study was opened.")
    codes = models.JSONField(default=dict, help_text="Completion code of each outcome; drawn when the study is made.")
    plan_checksum = models.CharField(max_length=64, blank=True)
    copy_of = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, related_name="copies", help_text="Whose plan it began with."
    )
    is_imported = models.BooleanField(default=False, help_text="Its answers were made elsewhere; nobody can join.")
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    closes_on = models.DateField(
        null=True, blank=True, help_text="The last day on which people can join, in UTC; empty: until it is closed."
    )
    forgets_on = models.DateField(
        null=True, blank=True, help_text="On this day what is personal is deleted; empty: never."
    )
    forgets_demographics = models.BooleanField(default=False, help_text="What people said about themselves, too.")
    forgotten_at = models.DateTimeField(null=True, blank=True, help_text="When what was personal was deleted.")
    notes_behaviour = models.BooleanField(
        default=True, help_text="False where its consent was written before there was a behaviour log."
    )
    notes_screen = models.BooleanField(
        default=True, help_text="False where its consent was written before lines on the screen were noted."
    )
    paused_at = models.DateTimeField(null=True, help_text="Since when no one can join, for the time being.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [models.CheckConstraint(condition=~models.Q(secret=""), name="study_has_a_secret")]

    def __str__(self) -> str:
        return self.title

    @property
    def is_past_closing(self) -> bool:
        """Whether its closing day is over; the sweeper closes it within a minute."""
        return self.closes_on is not None and timezone.now().date() > self.closes_on

    @property
    def survey(self) -> SurveySettings:
        return SurveySettings.stored(self.settings)


class StudyMembership(models.Model):
    """A person's role in a study: researchers set it up. Administrators need none."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey("core.User", on_delete=models.CASCADE, related_name="study_memberships")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "person"], name="one_study_membership_a_person")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.study_id} as {self.role}"


class StudyText(FrozenModel):
    """A text for participants (consent, instructions). Immutable: each participant keeps the version they saw."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="texts")
    kind = models.CharField(max_length=20, help_text="consent or instructions")
    number = models.PositiveIntegerField()
    language = models.CharField(max_length=10)
    text = models.TextField()
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "kind", "language", "number"], name="one_text_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.study_id}"


class FormQuestion(FrozenModel):
    """A question of one form (version) of the survey, created when the study is opened."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="form_questions")
    form = models.PositiveSmallIntegerField()
    question = models.ForeignKey("study.Question", on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "form", "question"], name="one_position_in_a_form")]

    def __str__(self) -> str:
        return f"question {self.question_id} in form {self.form}"


class StudyDemographics(FrozenModel):
    """The questions about a person that a study asks. Immutable; the newest version in the study's language holds.

    Without one the study asks the first five.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="demographics")
    number = models.PositiveIntegerField()
    language = models.CharField(max_length=10)
    questions = models.JSONField(help_text='A list of {"key", "text", "answers": [{"key", "text"}]}.')
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_demographics_a_number")]

    def __str__(self) -> str:
        return f"demographics {self.number} of {self.study_id}"


class Deviation(FrozenModel):
    """What was done in another way than the frozen plan says: by whom, when and why.

    Of a person who has withdrawn since, `subject` and `why` are empty.
    """

    class What(models.TextChoices):
        QUOTA = "quota"
        CLOSING_DAY = "closing day"
        CLOSED_EARLY = "closed early"
        EXCLUDED = "excluded"
        TAKEN_BACK = "taken back"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="deviations")
    what = models.CharField(max_length=20, choices=What.choices)
    subject = models.CharField(max_length=60, blank=True, help_text="Name of the group, or random id of the person.")
    planned = models.PositiveIntegerField(null=True)
    now = models.PositiveIntegerField(null=True)
    planned_on = models.DateField(null=True, help_text="Closing day of the plan; empty: none.")
    now_on = models.DateField(null=True, help_text="Closing day in its place.")
    why = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return f"deviation {self.pk} of {self.study_id}"
