"""Kinds of jobs of the tests alone: jobs that grow, stay, leave something behind or end their process."""

import gc
import os
import time
from typing import Any

from core.actions.jobs import ProgressReport, handles
from core.models import Job

HUNDRED_MEGABYTES = 100 << 20

left_behind: list[bytearray] = []  # by a job, in its process


def _page(job: Job) -> tuple[str, list[Any]]:
    return "home", []


@handles("grow", title="Growing", page=_page, refusals={})
def grow(job: Job, report: ProgressReport) -> dict[str, int]:
    """Take memory without end."""
    while True:
        left_behind.append(bytearray(HUNDRED_MEGABYTES))


@handles("leak", title="Leaking", page=_page, refusals={})
def leak(job: Job, report: ProgressReport) -> dict[str, int]:
    """Leave memory behind, and tell how much was there before."""
    found = len(left_behind)
    left_behind.append(bytearray(HUNDRED_MEGABYTES))
    return {"found": found, "of": os.getpid(), "niceness": os.nice(0)}


@handles("stay", title="Staying", page=_page, refusals={})
def stay(job: Job, report: ProgressReport) -> None:
    """Go on for hours, in the middle of what cannot be interrupted by an exception."""
    report(1, 2)
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            gc.collect()


@handles("learn", title="Learning", page=_page, refusals={})
def learn(job: Job, report: ProgressReport) -> None:
    """Learn for 1,000 steps in less time than the progress is told once, and do badly on the way."""
    for step in range(1, 1_001):
        report(step, 1_000, step=step, loss=1 / step)
        if step % 250 == 0:
            report(step, 1_000, step=step, dev=float("nan") if step == 500 else step / 1_000)


@handles("vanish", title="Vanishing", page=_page, refusals={})
def vanish(job: Job, report: ProgressReport) -> None:
    """End the process without a word, as the kernel does where memory is short."""
    os.kill(os.getpid(), 9)
