"""Texts of authors and verdicts of inspectors."""

from django.db import models
from django.utils import timezone

from annotation.domain.rewriting.rewriting import CandidateRole
from annotation.models.drafts import Draft

IN_FORCE = "In force when it was submitted; empty before rewriting had guidelines."


class Rewrite(Draft):
    """One instance that an author writes on an assignment: the cut and four candidates, saved together.

    `candidates` holds four texts in the author's order: right, wrong from the first wrong choice, wrong from the
    second, and the right choice negated (domain.rewriting.rewriting.CandidateRole). An empty string is not written yet.
    """

    assignment = models.OneToOneField("annotation.Assignment", on_delete=models.CASCADE, related_name="rewrite")
    cut = models.PositiveSmallIntegerField(help_text="How many turns of the dialogue are the context.")
    candidates = models.JSONField()
    guideline = models.ForeignKey(
        "annotation.GuidelineVersion", null=True, on_delete=models.PROTECT, related_name="+", help_text=IN_FORCE
    )

    def __str__(self) -> str:
        return f"rewrite {self.pk}"


class InstanceReturn(models.Model):
    """The return of an accepted text to its author for revision, with a comment. At most one for each text."""

    rewrite = models.OneToOneField(Rewrite, on_delete=models.CASCADE, related_name="instance_return")
    comment = models.TextField(help_text="Its author reads it.")
    by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    returned_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"reopening {self.pk}"


class DraftVersion(models.Model):
    """An earlier state of a rewrite, kept so that its author, and no one else, can restore it.

    annotation.domain.rewriting.versions decides which drafts are kept, and how many.
    """

    rewrite = models.ForeignKey(Rewrite, on_delete=models.CASCADE, related_name="versions")
    cut = models.PositiveSmallIntegerField()
    candidates = models.JSONField()
    revision = models.PositiveIntegerField(help_text="The revision of the rewrite that this was.")
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["-revision"]
        constraints = [models.UniqueConstraint(fields=["rewrite", "revision"], name="one_version_a_revision")]

    def __str__(self) -> str:
        return f"version {self.pk}"


class Inspection(models.Model):
    """One inspector's work on one rewrite: a blind answer first, then the verdicts. It begins when its page is opened.

    `order` holds the candidates' numbers as they are shown; neither page nor address shows which one is right.
    """

    assignment = models.OneToOneField("annotation.Assignment", on_delete=models.CASCADE, related_name="inspection")
    rewrite = models.ForeignKey(Rewrite, on_delete=models.CASCADE, related_name="inspections")
    order = models.JSONField()
    opened_at = models.DateTimeField(default=timezone.now)
    answer = models.PositiveSmallIntegerField(null=True, help_text="A candidate's number; empty: cannot decide.")
    answered_at = models.DateTimeField(null=True)
    is_correct = models.BooleanField(null=True, help_text="Is the key right?")
    is_unique = models.BooleanField(null=True, help_text="Is it the only right one?")
    is_revisable = models.BooleanField(null=True, help_text="Asked only where one of the two is doubted.")
    verdict = models.CharField(max_length=10, blank=True)
    comments = models.JSONField(default=dict, help_text='By field: {"cut": ..., "0": ...} with candidates\' numbers.')
    decided_at = models.DateTimeField(null=True)
    guideline = models.ForeignKey(
        "annotation.GuidelineVersion", null=True, on_delete=models.PROTECT, related_name="+", help_text=IN_FORCE
    )

    def __str__(self) -> str:
        return f"inspection {self.pk}"

    @property
    def is_answer_right(self) -> bool:
        """True where the right candidate was chosen before it was shown."""
        return self.answer == CandidateRole.RIGHT
