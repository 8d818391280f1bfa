"""Jobs that wait."""

from django.db.models import QuerySet

from core.domain.transitions import JobQueue, JobState
from core.models.jobs import Job


def jobs_waiting(queue: JobQueue) -> QuerySet[Job]:
    """Return the jobs that wait in a queue, in the order in which they will start."""
    return Job.objects.filter(state=JobState.QUEUED, queue=queue).order_by("pk")


def next_place(queue: JobQueue) -> int:
    """Return the place that another job would have in a queue; 0 where nothing waits there or runs."""
    waiting = jobs_waiting(queue).count()
    return waiting + 1 if waiting or Job.objects.filter(state=JobState.RUNNING, queue=queue).exists() else 0


def place_of(job: Job) -> int | None:
    """Return the place of a job in its queue, from 1; None when it does not wait."""
    if job.state != JobState.QUEUED:
        return None
    return jobs_waiting(JobQueue(job.queue)).filter(pk__lt=job.pk).count() + 1
