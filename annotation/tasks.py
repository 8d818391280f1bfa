"""What the worker and the clock do for annotation. The actions imported here register the kinds of jobs they handle."""

from celery import shared_task

from annotation.actions import (  # noqa: F401
    assignments,
    audits,
    cleaning_scan,
    corpus_jobs,
    imports,
    releases,
    voiding,
)


@shared_task
def expire_assignments() -> None:
    assignments.expire_assignments()
