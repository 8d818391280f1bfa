"""Jobs that wait."""

from django.db.models import QuerySet

from core.domain.transitions import JobQueue, JobState
from core.models.jobs import Job


def jobs_waiting(queue: JobQueue) -> QuerySet[Job]:
    """Return the jobs that wait in a queue, in the order in which they will start."""
    return Job.objects.filter(state=JobState.QUEUED, queue=queue).order_by("pk")
