"""Allowed changes of state. Each app registers its own table when it is ready; any other change is refused."""

from collections.abc import Mapping
from enum import StrEnum

Transitions = Mapping[type[StrEnum], set[tuple[StrEnum, StrEnum]]]


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNDER_WAY = (JobState.QUEUED, JobState.RUNNING)


class JobQueue(StrEnum):
    """Where a job waits: trainings take hours and run one at a time, so that nothing else waits behind them."""

    USUAL = "usual"
    TRAINING = "training"


JOB_TRANSITIONS: Transitions = {
    JobState: {
        (JobState.QUEUED, JobState.RUNNING),
        (JobState.QUEUED, JobState.CANCELLED),
        (JobState.QUEUED, JobState.FAILED),
        (JobState.RUNNING, JobState.DONE),
        (JobState.RUNNING, JobState.FAILED),
        (JobState.RUNNING, JobState.CANCELLED),
        (JobState.RUNNING, JobState.QUEUED),  # its process died; the sweeper queues it again
    },
}

_registered: dict[type[StrEnum], set[tuple[StrEnum, StrEnum]]] = {}


def register(transitions: Transitions) -> None:
    """Add an app's states and the allowed changes between them."""
    _registered.update(transitions)


def may_follow(was: StrEnum, becomes: StrEnum) -> bool:
    """Return whether the registered table allows the change; both states belong to one enumeration."""
    return (was, becomes) in _registered[type(was)]
