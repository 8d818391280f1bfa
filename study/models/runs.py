"""Runs of models, and their predictions."""

from typing import Any

from django.db import models
from django.utils import timezone

from core.models.frozen import FrozenModel
from study.baselines.catalogue import UPLOADED

LABEL = 80  # characters


class RunQuerySet(models.QuerySet["Run"]):
    def counting(self) -> "RunQuerySet":
        """Return the runs that stand in tables: all but trials."""
        return self.filter(is_trial=False)


class Run(models.Model):
    """One model on one set of instances. Its settings and checksums are enough to run it again.

    The model of predictions that another system made is UPLOADED; they are named by their label, and their
    circumstances are the file: its name, checksum and number of rows.

    `circumstances` tell where and how it ran: version of the code and of libraries, hardware, device, seconds, peak of
    memory. Nothing of them is needed to run it again.
    """

    model = models.CharField(max_length=60, help_text="Key in study.baselines.registry.")
    label = models.CharField(max_length=LABEL, blank=True, help_text="What people call it, beside the model's name.")
    settings = models.JSONField(default=dict, help_text="All of the model's settings; null: chosen on dev.")
    learned = models.JSONField(default=dict, help_text="What training chose and counted, as the model tells it.")
    circumstances = models.JSONField(default=dict)
    shared_contexts = models.JSONField(default=list, help_text="Ids of instances whose context was trained on.")
    state_folder = models.CharField(max_length=40, blank=True, help_text="In DATA_DIR; what the model learned.")
    leaves_out_overlap = models.BooleanField(default=False, help_text="Its training is without what it is asked about.")
    is_trial = models.BooleanField(default=False, help_text="On a small part of everything; in no table.")
    ablations = models.JSONField(default=list, help_text="Changes of contexts: first:N, all, shuffle.")
    weights = models.TextField(blank=True, help_text="Folder of weights, as it was asked for.")
    weights_checksum = models.CharField(max_length=64, blank=True, help_text="SHA-256 of what was read of it.")
    device = models.CharField(max_length=10, default="auto", help_text="As it was asked for: auto, cpu or cuda.")
    seed = models.BigIntegerField(default=0)
    on = models.CharField(max_length=120, help_text="NAME or NAME:split, as it was asked for.")
    on_checksum = models.CharField(max_length=64, blank=True)
    train = models.CharField(max_length=120, blank=True)
    train_checksum = models.CharField(max_length=64, blank=True)
    dev = models.CharField(max_length=120, blank=True)
    dev_checksum = models.CharField(max_length=64, blank=True)
    question_set = models.ForeignKey("study.QuestionSet", null=True, on_delete=models.PROTECT, related_name="runs")
    study = models.ForeignKey("study.Study", null=True, on_delete=models.CASCADE, related_name="runs")
    job = models.OneToOneField("core.Job", null=True, on_delete=models.PROTECT, related_name="run")
    submission_key = models.UUIDField(
        null=True, help_text="Of the form with what it asked for: sent twice it starts once."
    )
    metrics = models.JSONField(null=True, help_text="Empty until it has ended; see docs/data-formats.md.")
    checksum = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the predictions.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True)

    ranked: dict[str, Any] | None = None  # no column: study.selectors.runs.serving sets it

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["created_by", "submission_key", "model", "seed"], name="one_run_a_submission"
            )
        ]

    def __str__(self) -> str:
        return f"{self.model} on {self.on}"

    @property
    def sources(self) -> list[str]:
        """The names of what it was asked about, trained on and chosen on, as far as there are any."""
        return [name for name in (self.on, self.train, self.dev) if name]

    @property
    def is_uploaded(self) -> bool:
        return self.model == UPLOADED

    @property
    def figures(self) -> dict[str, Any]:
        """Its metrics; {} until it has ended."""
        return self.metrics or {}


class Prediction(FrozenModel):
    """Scores of one instance's candidates, in the instance's own order.

    `content` tells the instance wherever it is asked, and `places` how its candidates are ordered (both as
    study.baselines.content has them); `content` is empty where a version before this one ran on a corpus or release.
    `better` is how many candidates score above the true one, empty where it is unknown; `tied` how many are equal to
    it.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="predictions", db_index=False)
    position = models.PositiveIntegerField()
    external_id = models.CharField(max_length=300)
    content = models.CharField(max_length=64, blank=True, db_index=True)
    places = models.JSONField(default=list)
    condition = models.CharField(max_length=20, blank=True, help_text="What was done to the context; empty: nothing.")
    scores = models.JSONField()
    better = models.PositiveSmallIntegerField(null=True)
    tied = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="one_prediction_a_position")]

    def __str__(self) -> str:
        return f"prediction of {self.external_id}"
