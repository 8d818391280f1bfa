"""A kind of job that tells when it began."""

import time
from typing import Any

from core.actions.jobs import ProgressReport, handles
from core.models import Job


def page(job: Job) -> tuple[str, list[Any]]:
    return "home", []


@handles("begin", title="Beginning", page=page, refusals={})
def begin(job: Job, report: ProgressReport) -> float:
    """Return the time of the clock."""
    return time.time()
