"""Presentations of questions to participants, and their answers."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from study.models.questions import QuestionPurpose


class PresentationQuerySet(models.QuerySet["Presentation"]):
    def failed_checks(self) -> "PresentationQuerySet":
        """Return attention checks at which another line was chosen. One left empty is not failed."""
        checks = self.filter(question__purpose=QuestionPurpose.CHECK, answer__first__isnull=False)
        return checks.exclude(answer__first=F("question__answer"))


class Presentation(models.Model):
    """A question as one participant sees it.

    `order` holds the candidates' numbers as shown; `tokens`, in the same order, names them in the page: random, so that
    nothing shows which is right.
    """

    participant = models.ForeignKey("study.Participant", on_delete=models.CASCADE, related_name="presentations")
    question = models.ForeignKey("study.Question", on_delete=models.PROTECT, related_name="presentations")
    position = models.PositiveSmallIntegerField()
    condition = models.CharField(max_length=20, blank=True)
    order = models.JSONField(default=list)
    tokens = models.JSONField(default=list)
    shown_at = models.DateTimeField(null=True)

    objects = PresentationQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "question"], name="one_presentation_a_question"),
            models.UniqueConstraint(fields=["participant", "position"], name="one_presentation_a_position"),
        ]

    def __str__(self) -> str:
        return f"presentation {self.pk}"


class Answer(models.Model):
    """The current answer. `first` and `second` are candidates' numbers; empty where the answer was given elsewhere.

    `depth` is how many ranks were given: 1 first choice only, 2 first and second, the number of candidates for a full
    ranking. `better` is how many candidates rank above the true one, empty where it is not among the ranks given;
    `tied` how many are equal to it (for imported scores).
    """

    presentation = models.OneToOneField(Presentation, on_delete=models.CASCADE, related_name="answer")
    first = models.PositiveSmallIntegerField(null=True)
    second = models.PositiveSmallIntegerField(null=True)
    better = models.PositiveSmallIntegerField(null=True)
    tied = models.PositiveSmallIntegerField(default=0)
    depth = models.PositiveSmallIntegerField()
    milliseconds = models.PositiveIntegerField(null=True)
    submission_key = models.UUIDField(null=True, help_text="Of the last write: sent twice it changes nothing.")
    is_late = models.BooleanField(default=False, help_text="It came within the grace after the deadline.")
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first__isnull=True) | Q(second__isnull=True) | ~Q(first=F("second")),
                name="two_choices_differ",
            )
        ]

    def __str__(self) -> str:
        return f"answer {self.pk}"
