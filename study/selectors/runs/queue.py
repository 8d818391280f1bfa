"""Runs around one in its queue."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from core.domain.transitions import JobQueue, JobState
from core.models.jobs import Job
from core.models.people import User
from core.selectors.jobs import jobs_waiting
from study.models import Run
from study.permissions import runs_of

SHOWN = 3


@dataclass(frozen=True)
class QueuedRuns:
    """The first runs of a part of a queue that a person may see, and how many other jobs are in it."""

    runs: list[Run]
    others: int


def before_in_queue(job: Job, *, by: User) -> QueuedRuns:
    """Return what a waiting job waits for: what runs, then what has waited longer."""
    waits_longer = Q(state=JobState.QUEUED, pk__lt=job.pk)
    earlier = Job.objects.filter(Q(state=JobState.RUNNING) | waits_longer, queue=job.queue)
    return _seen(earlier.order_by("-state", "pk"), by)  # "running" is after "queued"


def next_in_queue(job: Job, *, by: User) -> QueuedRuns:
    """Return what waits while a job runs."""
    return _seen(jobs_waiting(JobQueue(job.queue)), by)


def _seen(jobs: QuerySet[Job], by: User) -> QueuedRuns:
    keys = list(jobs.values_list("pk", flat=True))
    found = runs_of(by).filter(job__in=keys).select_related("job") if keys else ()
    by_job = {run.job_id: run for run in found}
    runs = [by_job[key] for key in keys if key in by_job][:SHOWN]
    return QueuedRuns(runs, len(keys) - len(runs))
