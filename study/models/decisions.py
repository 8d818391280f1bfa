"""What researchers decided about questions at which people chose another line than the true one."""

from django.db import models
from django.utils import timezone

from study.domain.survey.validity import Validity


class QuestionDecision(models.Model):
    """The decision in force about a question of a study. Nothing is rescored by it; events keep the former ones."""

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="decisions")
    question = models.ForeignKey("study.Question", on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(
        max_length=20,
        choices=[(each.value, each.value) for each in Validity],
        help_text="Whether researchers think that another candidate may be right, too.",
    )
    why = models.CharField(max_length=500)
    decided_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "question"], name="one_decision_a_question")]

    def __str__(self) -> str:
        return f"decision about question {self.question_id}"
