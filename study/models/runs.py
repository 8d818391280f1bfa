"""Runs of models, and their predictions."""

from django.db import models
from django.utils import timezone

from core.models.frozen import FrozenModel


class Run(models.Model):
    """One model on one set of instances. Its settings and checksums are enough to run it again."""

    model = models.CharField(max_length=60, help_text="Key in study.baselines.registry.")
    settings = models.JSONField(default=dict)
    seed = models.BigIntegerField(default=0)
    on = models.CharField(max_length=120, help_text="NAME or NAME:split, as it was asked for.")
    on_checksum = models.CharField(max_length=64, blank=True)
    train = models.CharField(max_length=120, blank=True)
    train_checksum = models.CharField(max_length=64, blank=True)
    question_set = models.ForeignKey("study.QuestionSet", null=True, on_delete=models.PROTECT, related_name="runs")
    study = models.ForeignKey("study.Study", null=True, on_delete=models.CASCADE, related_name="runs")
    job = models.OneToOneField("core.Job", null=True, on_delete=models.PROTECT, related_name="run")
    metrics = models.JSONField(null=True, help_text="Empty until it has ended; see docs/data-formats.md.")
    checksum = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the predictions.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.model} on {self.on}"


class Prediction(FrozenModel):
    """Scores of one instance's candidates, in the instance's own order.

    `better` is how many candidates score above the true one, empty where it is unknown; `tied` how many are equal to
    it.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="predictions", db_index=False)
    position = models.PositiveIntegerField()
    external_id = models.CharField(max_length=200)
    question = models.ForeignKey("study.Question", null=True, on_delete=models.PROTECT, related_name="+")
    scores = models.JSONField()
    better = models.PositiveSmallIntegerField(null=True)
    tied = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="one_prediction_a_position")]

    def __str__(self) -> str:
        return f"prediction of {self.external_id}"
