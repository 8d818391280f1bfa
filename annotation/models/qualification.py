"""Gold: the known grade of a pair; and practice on such pairs, or on drafts, before people may work."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.domain.workflow import AssignmentState, AttemptState


class Gold(models.Model):
    """The known grade of an item with the purpose gold."""

    item = models.OneToOneField("annotation.Item", on_delete=models.CASCADE, related_name="gold")
    grade = models.SmallIntegerField()
    reason = models.CharField(max_length=30, blank=True, help_text="Key of the type that explains the grade.")
    explanation = models.TextField(blank=True, help_text="What is said to the person who practises.")

    def __str__(self) -> str:
        return f"gold {self.grade} of {self.item_id}"


class Attempt(models.Model):
    """One person's practice in one project, from its first pair or draft to passed or failed.

    In a rewriting project `pairs` is the number of drafts, and `right` the number of accepted ones among the last.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="attempts")
    person = models.ForeignKey("core.User", on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=[(s, s) for s in AttemptState], default=AttemptState.OPEN)
    pairs = models.PositiveSmallIntegerField()
    right = models.PositiveSmallIntegerField(null=True, help_text="Grades equal to the known ones, once it is over.")
    kappa = models.FloatField(null=True, help_text="Weighted; null where all grades were the same one.")
    begun_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "person", "number"], name="one_attempt_a_number"),
            models.UniqueConstraint(fields=["project", "person"], condition=Q(state="open"), name="one_open_attempt"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.person_id} in {self.project_id}"

    @property
    def is_over(self) -> bool:
        return self.state != AttemptState.OPEN


class PracticeGrade(models.Model):
    """A gold pair of an attempt. It has no grade until the person gives one, which is then final."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="grades")
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="practice_grades")
    position = models.PositiveSmallIntegerField(help_text="From 1.")
    grade = models.SmallIntegerField(null=True)
    reason = models.CharField(max_length=30, blank=True)
    graded_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "position"], name="one_practice_a_position"),
            models.UniqueConstraint(fields=["attempt", "item"], name="one_practice_an_item"),
        ]

    def __str__(self) -> str:
        return f"practice {self.position} of {self.attempt_id}"


class PracticeDraftQuerySet(models.QuerySet["PracticeDraft"]):
    def counting(self) -> "PracticeDraftQuerySet":
        """Return the drafts that were not voided."""
        return self.filter(rewrite__assignment__state=AssignmentState.SUBMITTED)


class PracticeDraft(models.Model):
    """A submitted text on a practice item. One inspector grades it; it is never revised.

    Any number of people write on one practice item, so each draft has a slot of its own in the queue of inspection; the
    round of that slot only makes it unique.
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="drafts")
    rewrite = models.OneToOneField("annotation.Rewrite", on_delete=models.CASCADE, related_name="practice")
    slot = models.OneToOneField("annotation.Slot", on_delete=models.CASCADE, related_name="practice")
    position = models.PositiveSmallIntegerField(help_text="From 1.")
    is_accepted = models.BooleanField(null=True, help_text="Empty: waits for an inspector.")

    objects = PracticeDraftQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["attempt", "position"], name="one_draft_a_position")]

    def __str__(self) -> str:
        return f"draft {self.position} of {self.attempt_id}"
