"""Jobs that wait or run."""

from django.db.models import Model, QuerySet

from core.domain.transitions import UNDER_WAY, JobQueue, JobState
from core.models.jobs import Job
from core.models.scoped import scope_of


def jobs_waiting(queue: JobQueue) -> QuerySet[Job]:
    """Return the jobs that wait in a queue, in the order in which they will start."""
    return Job.objects.filter(state=JobState.QUEUED, queue=queue).order_by("pk")


def jobs_under_way(scope: Model) -> int:
    """Return how many jobs of a project or study wait or run."""
    return Job.objects.filter(**scope_of(scope), state__in=UNDER_WAY).count()


def next_place(queue: JobQueue) -> int:
    """Return the place that another job would have in a queue; 0 where nothing waits there or runs."""
    waiting = jobs_waiting(queue).count()
    return waiting + 1 if waiting or Job.objects.filter(state=JobState.RUNNING, queue=queue).exists() else 0


def place_of(job: Job) -> int | None:
    """Return the place of a job in its queue, from 1; None when it does not wait."""
    if job.state != JobState.QUEUED:
        return None
    return jobs_waiting(JobQueue(job.queue)).filter(pk__lt=job.pk).count() + 1
