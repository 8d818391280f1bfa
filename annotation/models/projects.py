"""A project: one kind of work on one body of texts, with its settings and versions of its guideline."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.languages import ENGLISH
from annotation.domain.rating.rating import RatingSettings
from annotation.domain.rewriting.rewriting import RewritingSettings
from core.models.archived import ArchivableModel
from core.models.hidden_draws import new_secret
from core.models.people import Role


class Kind(models.TextChoices):
    """The kinds of projects."""

    RATING = "rating", _("Rating")
    REWRITING = "rewriting", _("Rewriting")


class Project(ArchivableModel):
    """One kind of work on one body of texts, with its settings."""

    slug = models.SlugField(_("Short name"), max_length=60, unique=True)
    title = models.CharField(_("Title"), max_length=120)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    settings = models.JSONField(default=dict)
    source_licence = models.CharField(_("Licence of the texts"), max_length=200, blank=True)
    annotator_profile = models.TextField(_("Who annotates"), max_length=1_000, blank=True)
    seed = models.BigIntegerField(default=0, help_text="Of the order in which items are assigned.")
    secret = models.CharField(
        max_length=32, default=new_secret, editable=False, help_text="Of the draws that hide something; never shown."
    )
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [models.CheckConstraint(condition=~models.Q(secret=""), name="project_has_a_secret")]

    def __str__(self) -> str:
        return self.title

    @property
    def chosen(self) -> RatingSettings | RewritingSettings:
        """The settings of the project's kind."""
        return self.rating if self.kind == Kind.RATING else self.rewriting

    @property
    def is_english(self) -> bool:
        """Whether its texts are in English alone."""
        return self.chosen.language == ENGLISH

    @property
    def rating(self) -> RatingSettings:
        return RatingSettings.stored(self.settings)

    @property
    def rewriting(self) -> RewritingSettings:
        return RewritingSettings.stored(self.settings)


class GuidelineVersion(models.Model):
    """A version of the guideline. Immutable: grades, rewrites and verdicts refer to the one they were made under."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="guidelines")
    number = models.PositiveIntegerField()
    content = models.JSONField(
        help_text="See annotation.domain.rating.guideline and annotation.domain.rewriting.guideline."
    )
    why = models.CharField(max_length=300, blank=True, help_text="Why this version; in the data card of releases.")
    is_announced = models.BooleanField(default=False, help_text="Raters see what is new before their next pair.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_guideline_a_number")]

    def __str__(self) -> str:
        return f"guideline {self.number} of {self.project_id}"


class GuidelineDraft(models.Model):
    """What a person has written of the next version of a guideline. Only they see it; publishing deletes it."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="guideline_drafts")
    person = models.ForeignKey("core.User", on_delete=models.CASCADE, related_name="+")
    content = models.JSONField(help_text="As that of a version, with whatever still is wrong in it.")
    why = models.CharField(max_length=300, blank=True)
    began_from = models.PositiveIntegerField(help_text="Number of the version that was edited.")
    revision = models.PositiveIntegerField(default=0, help_text="Moves with every save; an older page is refused.")
    save_key = models.UUIDField(null=True, help_text="Of the last save, drawn by the page, which knows its own by it.")
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "person"], name="one_guideline_draft_a_person"),
        ]

    def __str__(self) -> str:
        return f"draft of {self.person_id} for the guideline of {self.project_id}"


class Membership(models.Model):
    """A person's role in a project. Administrators need none."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey("core.User", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "person"], name="one_membership_a_person")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.project_id} as {self.role}"
