"""A job as a page shows it: its work, progress, time left and outcome."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, overload

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext_lazy as _

from core.actions.jobs import KINDS, STORING, can_stop
from core.domain.curves import CurvePoint, TimeLeft, steps_a_second, time_left
from core.domain.stages import Stage, StageKind, stage_of
from core.domain.transitions import JobQueue, JobState
from core.models import Job
from core.models.scoped import Scope
from core.permissions import SCOPES

DIED = _(
    "The job stopped without an error message, perhaps because memory ran out. Nothing was kept. Try again; if it "
    "stops again, check the worker's log."
)
MEMORY = _(
    "The job needed more than the %(megabytes)s MB of memory that a job may take here. Nothing was kept. Try with "
    "less at once, or ask an administrator to set JOB_MEMORY higher."
)
BROKEN = _(
    "Something went wrong here, not in your work. Nothing was kept. The worker's log has more, under job %(job)s."
)

STARTS_WITHIN = timedelta(seconds=5)
SILENT_AFTER = timedelta(seconds=20)  # SQLite has one writer: a heartbeat may have to wait for the job's own rows
# Interval of a page's requests by the age of the job: most jobs end at once; for the rest a slower rate is enough.
# Ten seconds hold reading, or storing, the largest file of pairs: a slower rate would be felt at its end.
POLLS = {  # milliseconds
    JobQueue.USUAL: ((timedelta(seconds=10), 300), (timedelta(seconds=60), 1000)),
    JobQueue.TRAINING: ((timedelta(seconds=10), 1000),),
}
POLLS_LATER = 5000


@dataclass(frozen=True)
class Watch:
    job: Job
    now: datetime

    @property
    def title(self) -> str | Promise:
        return KINDS[self.job.kind].title

    @cached_property
    def stage(self) -> Stage:
        return stage_of(self.job.done, self.job.total, self.job.training)

    @property
    def why_not_stopped(self) -> Promise | None:
        """What a page says in place of the button that cancels; None where the job can be cancelled."""
        return None if can_stop(self.job) else STORING

    @property
    def share(self) -> float:
        """How much of its stage is done, from 0 to 1."""
        return self.stage.share

    @property
    def percent(self) -> int:
        return round(100 * self.share)

    @cached_property
    def told(self) -> list[CurvePoint]:
        """What this attempt has told of its training."""
        began = self.job.started_at
        if self.job.queue != JobQueue.TRAINING or began is None:
            return []
        return [point.on_curve for point in self.job.points.all() if point.at >= began]

    @cached_property
    def time_left(self) -> TimeLeft | None:
        """Time left of a training with its range; None when unknown, when it is over, or when the job is silent."""
        if self.stage.kind == StageKind.SCORING or not 0 < self.share < 1 or self.silent_seconds:
            return None
        return time_left(self.told, total=self.stage.total, now=self.now)

    @property
    def seconds_left(self) -> int | None:
        """Estimated seconds left of its stage; None when unknown or when the job is silent."""
        if not 0 < self.share < 1 or self.silent_seconds:
            return None
        if self.time_left:
            return self.time_left.likely
        if (began := self._stage_began()) is None:
            return None
        elapsed = (self.now - began).total_seconds()
        return max(1, round(elapsed * (1 - self.share) / self.share))

    def _stage_began(self) -> datetime | None:
        """Return when it began with what is done of its stage; None where that is not known."""
        if self.stage.kind == StageKind.SCORING:
            return self.told[-1].at if self.told else None
        goes_on = self.stage.kind == StageKind.TRAINING and self.job.attempts > 1  # with what another attempt has done
        return None if goes_on else self.job.started_at

    @property
    def steps_a_second(self) -> float | None:
        """Pace of a training; None when unknown, when it is over, or when the job is silent."""
        is_training = self.stage.kind == StageKind.TRAINING and not self.silent_seconds
        return steps_a_second(self.told) if is_training else None

    @property
    def minutes_left(self) -> int:
        return round((self.seconds_left or 0) / 60)

    @property
    def waits_long(self) -> bool:
        return self.job.state == JobState.QUEUED and self.now - self.job.created_at > STARTS_WITHIN

    @property
    def waits_for_others(self) -> bool:
        """True while other jobs give signs of life: there are workers, and they are busy."""
        running = Job.objects.filter(state=JobState.RUNNING, queue=self.job.queue)
        return running.filter(heartbeat_at__gt=self.now - SILENT_AFTER).exists()

    @property
    def silent_seconds(self) -> int | None:
        """Seconds for which a running job has been silent, when they are more than allowed; else None."""
        if self.job.state != JobState.RUNNING or self.job.heartbeat_at is None:
            return None
        silence = self.now - self.job.heartbeat_at
        return round(silence.total_seconds()) if silence > SILENT_AFTER else None

    @property
    def heard_seconds(self) -> int | None:
        """Seconds since the last sign of life of a running job."""
        if self.job.state != JobState.RUNNING or self.job.heartbeat_at is None:
            return None
        return max(0, round((self.now - self.job.heartbeat_at).total_seconds()))

    @property
    def poll_ms(self) -> int:
        age = self.now - self.job.created_at
        return next((interval for limit, interval in POLLS[JobQueue(self.job.queue)] if age < limit), POLLS_LATER)

    @property
    def page(self) -> str:
        """Address of the page that shows the job's outcome."""
        name, arguments, *query = KINDS[self.job.kind].page(self.job)
        return reverse(name, args=arguments, query=query[0] if query else None)

    @property
    def failure(self) -> str:
        """Sentence that tells why the job failed."""
        kind, _colon, code = self.job.error.partition(":")
        refusals = KINDS[self.job.kind].refusals
        if kind == "refused" and code in refusals:
            return str(refusals[code])
        if kind == "memory":
            return MEMORY % {"megabytes": f"{settings.JOB_MEMORY >> 20:,}"}
        return str(DIED if kind == "died" else BROKEN % {"job": self.job.pk})


@overload
def watch(job: Job) -> Watch: ...
@overload
def watch(job: Job | None) -> Watch | None: ...
def watch(job: Job | None) -> Watch | None:
    return Watch(job, timezone.now()) if job is not None else None


def frame_of(scope: Scope) -> dict[str, Any]:
    """Return the template that a page extends, with the project or study that it shows."""
    if scope is None:
        return {"frame": "base.html"}
    kind = SCOPES[scope._meta.label_lower]
    return {"frame": kind.frame, kind.name: scope}
