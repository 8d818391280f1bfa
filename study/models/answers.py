"""Presentations of questions to participants, and their answers."""

from functools import reduce
from operator import or_

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from study.domain.survey.phases import ParticipantState
from study.models.questions import QuestionPurpose


class PresentationQuerySet(models.QuerySet["Presentation"]):
    def failed_checks(self) -> "PresentationQuerySet":
        """Return attention checks at which another line was chosen, in time or late. One left empty is not failed."""
        given = ("answer__first", "late_answer__first")
        wrong = (Q(**{f"{first}__isnull": False}) & ~Q(**{first: F("question__answer")}) for first in given)
        return self.filter(reduce(or_, wrong), question__purpose=QuestionPurpose.CHECK)

    def unanswered_checks(self) -> "PresentationQuerySet":
        """Return attention checks without an answer that were seen, or whose survey ended for want of it."""
        empty = self.filter(question__purpose=QuestionPurpose.CHECK, answer=None, late_answer=None)
        ended_so = Q(participant__state=ParticipantState.UNANSWERED_CHECK)
        return empty.filter(Q(shown_at__isnull=False) | ended_so)


class Presentation(models.Model):
    """A question as one participant sees it.

    `order` holds the candidates' numbers as shown; `tokens`, in the same order, names them in the page: random, so that
    nothing shows which is right. `saved_times` are those of an answer that was taken back.
    """

    participant = models.ForeignKey("study.Participant", on_delete=models.CASCADE, related_name="presentations")
    question = models.ForeignKey("study.Question", on_delete=models.PROTECT, related_name="presentations")
    position = models.PositiveSmallIntegerField(help_text="Place in the person's own order of questions, from 1.")
    condition = models.CharField(max_length=20, blank=True)
    order = models.JSONField(default=list, help_text="Numbers of the candidates, from 0, in the order shown.")
    tokens = models.JSONField(default=list)
    shown_at = models.DateTimeField(null=True)
    saved_times = models.JSONField(default=list)

    asked_count: int  # these four are no columns: study.selectors.survey.visits sets them
    shown_count: int
    elsewhere: int | None
    digest: str

    objects = PresentationQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "question"], name="one_presentation_a_question"),
            models.UniqueConstraint(fields=["participant", "position"], name="one_presentation_a_position"),
        ]

    def __str__(self) -> str:
        return f"presentation {self.pk}"


class GivenChoices(models.Model):
    """Choices at a question: the ranking as it was given, candidates' numbers best first.

    What stands beside it follows from it (study.domain.results.ranks) and is stored for queries; imported answers have
    `better`, `tied` and `depth` alone. `depth` is how many ranks were given: 1 first choice only, 2 first and second,
    the number of candidates for a full ranking. `better` is how many candidates rank above the true one, empty where it
    is not among the ranks given; `tied` how many are equal to it (for imported scores). `saved_times` are those of all
    saved changes, as texts, the newest last, and nothing of what was chosen then.
    """

    ranking = models.JSONField(default=list, help_text="Numbers of the candidates in the order given, best first.")
    first = models.PositiveSmallIntegerField(
        null=True, help_text="Number of the candidate chosen first, from 0; empty where it was answered elsewhere."
    )
    second = models.PositiveSmallIntegerField(
        null=True, help_text="Number of the candidate chosen second; empty for none."
    )
    better = models.PositiveSmallIntegerField(
        null=True, help_text="Candidates ranked above the true one; empty where it has no rank."
    )
    tied = models.PositiveSmallIntegerField(default=0, help_text="Other candidates level with the true one.")
    depth = models.PositiveSmallIntegerField(help_text="How many ranks were given.")
    milliseconds = models.PositiveIntegerField(
        null=True,
        help_text="Time at the question, as the browser says and the server's clock allows; without a script, from its "
        "page to its answer.",
    )
    submission_key = models.UUIDField(null=True, help_text="Of the last write: sent twice it changes nothing.")
    unseen = models.JSONField(
        null=True,
        help_text="Numbers of the candidates that were on no screen before the answer was last saved; empty: unknown.",
    )
    answered_at = models.DateTimeField(default=timezone.now)
    saved_times = models.JSONField(default=list)

    class Meta:
        abstract = True


class Answer(GivenChoices):
    """The current answer: the one that figures count."""

    presentation = models.OneToOneField(Presentation, on_delete=models.CASCADE, related_name="answer")
    in_grace = models.BooleanField(default=False, help_text="It came within the grace after the deadline.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first__isnull=True) | Q(second__isnull=True) | ~Q(first=F("second")),
                name="two_choices_differ",
            )
        ]

    def __str__(self) -> str:
        return f"answer {self.pk}"


class LateAnswer(GivenChoices):
    """An answer that was given in time, as the browser says, and arrived after it. No headline counts it."""

    presentation = models.OneToOneField(Presentation, on_delete=models.CASCADE, related_name="late_answer")

    def __str__(self) -> str:
        return f"late answer {self.pk}"
