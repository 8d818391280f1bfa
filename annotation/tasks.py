"""Tasks of the worker and the clock. Importing the actions registers the kinds of jobs that they handle."""

from celery import shared_task

from annotation.actions.cleaning import cleaning_scan  # noqa: F401
from annotation.actions.corpora import corpus_jobs, edits, reviews  # noqa: F401
from annotation.actions.imports import import_jobs  # noqa: F401
from annotation.actions.projects import boards  # noqa: F401
from annotation.actions.queue import assignments, voiding  # noqa: F401
from annotation.actions.releases import audits, releases  # noqa: F401


@shared_task
def expire_assignments() -> None:
    """End the assignments whose lease is over."""
    assignments.expire_assignments()
