"""Jobs: long work. The row is the truth; the broker carries only its key (docs/adr/0004)."""

from django.db import models
from django.utils import timezone

from core.domain.curves import CurvePoint
from core.domain.transitions import UNDER_WAY, JobQueue, JobState
from core.models.scoped import ScopedModel


class Job(ScopedModel):
    kind = models.CharField(max_length=30)
    arguments = models.JSONField(default=dict)
    queue = models.CharField(max_length=10, choices=[(q, q) for q in JobQueue], default=JobQueue.USUAL)
    state = models.CharField(max_length=10, choices=[(s, s) for s in JobState], default=JobState.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True)
    training = models.PositiveBigIntegerField(null=True, help_text="How much of the total is training, which is first.")
    attempts = models.PositiveSmallIntegerField(default=0)
    cancel_asked = models.BooleanField(default=False)
    is_storing = models.BooleanField(default=False, help_text="It stores in one long write, and cannot be cancelled.")
    result = models.JSONField(null=True)
    error = models.TextField(blank=True, help_text="What went wrong, in words for the person who asked for it.")
    heartbeat_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["state", "heartbeat_at"], name="jobs_alive"),
            models.Index(fields=["scope_kind", "scope_id"], name="jobs_of_a_scope"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} ({self.state})"

    @property
    def came_to_nothing(self) -> bool:
        """True when the job ended without doing what was asked."""
        return self.state in (JobState.FAILED, JobState.CANCELLED)

    @property
    def is_over(self) -> bool:
        return self.state not in UNDER_WAY


class JobPoint(models.Model):
    """A point on the curve of a job that trains (core/domain/curves.py says how many are kept)."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="points", db_index=False)
    step = models.PositiveBigIntegerField(help_text="Updates of the model so far.")
    done = models.PositiveBigIntegerField(help_text="Progress of the job at that step.")
    loss = models.FloatField(null=True)
    dev = models.FloatField(null=True, help_text="Score on the dev split; higher is better.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["job", "step"], name="one_point_a_step")]

    def __str__(self) -> str:
        return f"step {self.step} of job {self.job_id}"

    @property
    def on_curve(self) -> CurvePoint:
        return CurvePoint(self.step, self.done, self.loss, self.dev, self.at)
