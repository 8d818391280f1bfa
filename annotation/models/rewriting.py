"""What authors write and what inspectors say of it."""

from django.db import models
from django.utils import timezone

from annotation.domain.rewriting import Part


class Rewrite(models.Model):
    """One instance as its author writes it on a seat: the cut and four candidates, saved as one object.

    `candidates` holds four texts in the author's order: right, wrong from the first wrong choice, wrong from the
    second, and the twist on the right choice (annotation.domain.rewriting.Part). An empty string is not written yet.
    """

    seat = models.OneToOneField("annotation.Seat", on_delete=models.CASCADE, related_name="rewrite")
    cut = models.PositiveSmallIntegerField(help_text="How many turns of the dialogue are the context.")
    candidates = models.JSONField()
    revision = models.PositiveIntegerField(default=0, help_text="Moves with every save; an older page is refused.")
    saved_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"rewrite {self.pk}"


class Inspection(models.Model):
    """One inspector's work on one rewrite: a blind answer first, then the verdicts. It begins when its page is opened.

    `order` holds the candidates' numbers as they are shown; neither page nor address tells which one is right.
    """

    seat = models.OneToOneField("annotation.Seat", on_delete=models.CASCADE, related_name="inspection")
    rewrite = models.ForeignKey(Rewrite, on_delete=models.CASCADE, related_name="inspections")
    order = models.JSONField()
    opened_at = models.DateTimeField(default=timezone.now)
    answer = models.PositiveSmallIntegerField(null=True, help_text="A candidate's number; empty: cannot decide.")
    answered_at = models.DateTimeField(null=True)
    is_correct = models.BooleanField(null=True, help_text="Is the key right?")
    is_unique = models.BooleanField(null=True, help_text="Is it the only right one?")
    is_mendable = models.BooleanField(null=True, help_text="Asked only where one of the two is doubted.")
    verdict = models.CharField(max_length=10, blank=True)
    comments = models.JSONField(default=dict, help_text='By field: {"cut": ..., "0": ...} with candidates\' numbers.')
    decided_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"inspection {self.pk}"

    @property
    def is_answer_right(self) -> bool:
        """Whether the key was chosen before it was shown."""
        return self.answer == Part.RIGHT
