"""The life of a job: queued, run, watched, ended. The row is the only source of truth (docs/adr/0004)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.actions.events import move, record
from core.actions.refusals import Refused
from core.domain.curves import CurvePoint, joined, superfluous
from core.domain.transitions import JobQueue, JobState
from core.models import Job, JobPoint, User
from core.models.scoped import Scope, scope_of
from core.selectors.jobs import jobs_waiting


class ProgressReport(Protocol):
    """Callback by which a handler reports its progress; it may be called at any rate.

    A training also tells how much of the total it is itself (`training`), and after how many updates (`step`) it has
    which loss, or which score on dev (higher is better).
    """

    def __call__(
        self,
        done: int,
        total: int | None = None,
        *,
        training: int | None = None,
        step: int | None = None,
        loss: float | None = None,
        dev: float | None = None,
    ) -> None: ...


def silent(done: int, total: int | None = None, **figures: float | None) -> None:
    """Do nothing: a progress callback for jobs too short to report progress."""


# Name and arguments of an address, and its query if it has one.
JobPage = tuple[str, list[Any]] | tuple[str, list[Any], Mapping[str, Any]]
Handler = Callable[[Job, ProgressReport], Any]


@dataclass(frozen=True)
class JobKind:
    """A kind of job: its handler, its title, and the refusals it can end with (by code).

    `page` gives the address that shows the outcome. A job that `is_quick` takes about as
    long as a page may, and is done in the request that asks for it. `abandon` removes the
    files of a job that was cancelled or has failed. A job that `stores` writes to the database nearly all the time: it
    is storing as soon as it runs. One that first reads for long says itself when it begins (`begin_storing`).
    """

    handler: Handler
    title: str | Promise
    page: Callable[[Job], JobPage]
    refusals: Mapping[str, str | Promise]
    is_quick: Callable[[Job], bool]
    abandon: Callable[[Job], None]
    stores: bool


KINDS: dict[str, JobKind] = {}

ATTEMPTS = 3
STORING = _("Storing takes seconds and cannot be stopped.")
SILENCE = timedelta(seconds=60)  # a running job silent for so long has died
WAITING = timedelta(seconds=30)  # a queued job untouched for so long was lost by the broker


def _never(job: Job) -> bool:
    return False


def _leaves_nothing(job: Job) -> None:
    """Do nothing."""


def handles(
    kind: str,
    *,
    title: str | Promise,
    page: Callable[[Job], JobPage],
    refusals: Mapping[str, str | Promise],
    is_quick: Callable[[Job], bool] = _never,
    abandon: Callable[[Job], None] = _leaves_nothing,
    stores: bool = False,
) -> Callable[[Handler], Handler]:
    """Register the handler of a kind of job. Its result is stored as JSON on the job.

    A handler may run twice (its process can die after its commit): the second run must change nothing and return the
    same result.
    """

    def register(handler: Handler) -> Handler:
        KINDS[kind] = JobKind(handler, title, page, refusals, is_quick, abandon, stores)
        return handler

    return register


@transaction.atomic
def ask_for(
    *, kind: str, arguments: dict[str, Any], scope: Scope, queue: JobQueue = JobQueue.USUAL, by: User | None
) -> Job:
    """Queue a job and return it. The caller passes it to the broker after the commit (core.tasks.dispatch)."""
    job = Job.objects.create(kind=kind, arguments=arguments, queue=queue, **scope_of(scope), created_by=by)
    record(job, became=JobState.QUEUED, scope=scope, by=by)
    return job


@transaction.atomic
def start(*, job_pk: int) -> Job | None:
    """Mark a queued job as running and return it; None when it runs elsewhere or has ended."""
    job = Job.objects.select_for_update(of=("self",)).get(pk=job_pk)
    return _start(job) if job.state == JobState.QUEUED else None


@transaction.atomic
def start_next(*, queue: JobQueue) -> Job | None:
    """Mark the job that has waited longest in a queue as running and return it; None when none waits."""
    waiting = jobs_waiting(queue).select_for_update(of=("self",), skip_locked=True)
    job = waiting.first()
    return _start(job) if job else None


def _start(job: Job) -> Job:
    now = timezone.now()
    move(
        job,
        JobState.RUNNING,
        scope=job,
        by=job.created_by,
        attempts=job.attempts + 1,
        started_at=now,
        heartbeat_at=now,
        is_storing=job.kind in KINDS and KINDS[job.kind].stores,
    )
    return job


def beat(*, job_pk: int, done: int | None = None, total: int | None = None, training: int | None = None) -> bool:
    """Record that the job is alive, and its progress. Return whether to continue: it is running and not cancelled."""
    told = {"done": done, "total": total, "training": training}
    progress = {name: value for name, value in told.items() if value is not None}
    running = Job.objects.filter(pk=job_pk, state=JobState.RUNNING)
    running.update(heartbeat_at=timezone.now(), **progress)
    return running.filter(cancel_asked=False).exists()


@transaction.atomic
def plot(*, job_pk: int, points: Sequence[CurvePoint]) -> None:
    """Add points, in the order of their steps, to the curve of a job; two of one step are one.

    A training that was started again goes on from its checkpoint: what stood at later steps is replaced.
    """
    own, begin = JobPoint.objects.filter(job_id=job_pk), points[0].step
    new = joined([*(point.on_curve for point in own.filter(step=begin)), *points])
    own.filter(step__gte=begin).delete()
    JobPoint.objects.bulk_create(JobPoint(job_id=job_pk, **vars(point)) for point in new)
    if dropped := superfluous([point.on_curve for point in own.all()]):
        own.filter(step__in=[point.step for point in dropped]).delete()


@transaction.atomic
def finish(*, job_pk: int, becomes: JobState, result: Any = None, error: str = "") -> None:
    """End a running job. Do nothing when it has already ended."""
    job = Job.objects.select_for_update(of=("self",)).get(pk=job_pk)
    if job.state == JobState.RUNNING:
        _end(job, becomes, result=result, error=error)


def begin_storing(job: Job | None) -> None:
    """Record that a job now stores what it made in one long write, and cannot be cancelled any more.

    Its handler calls this right before that transaction: on SQLite nothing else can be recorded while it lasts. None
    is a command, which has no job.
    """
    if job is not None:
        Job.objects.filter(pk=job.pk, state=JobState.RUNNING, cancel_asked=False).update(is_storing=True)


def can_stop(job: Job) -> bool:
    """Tell whether a job could be cancelled if it were not over: on SQLite one that is storing would not hear of it."""
    return not (job.state == JobState.RUNNING and job.is_storing)


def cancel(*, job: Job, by: User) -> None:
    """Cancel a job: at once when it is queued; the process of a running one is stopped within a second or two.

    Raises Refused for one that cannot be stopped, without waiting to write.
    """
    _must_be_stoppable(job)
    _cancel(job, by)


def _must_be_stoppable(job: Job) -> None:
    if not can_stop(job):
        raise Refused("storing", STORING)


@transaction.atomic
def _cancel(job: Job, by: User) -> None:
    locked = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
    _must_be_stoppable(locked)  # it may have begun to store while this waited to write
    if locked.state == JobState.QUEUED:
        _end(locked, JobState.CANCELLED, by=by)
    elif locked.state == JobState.RUNNING:
        locked.cancel_asked = True
        locked.save(update_fields=["cancel_asked"])
        record(locked, became="cancel asked", scope=locked, by=by)


@transaction.atomic
def died(*, job_pk: int) -> Job | None:
    """End a running job whose process died without a word. A training is queued again and returned, for the broker.

    It goes on from its checkpoint, where other jobs would begin anew and die of the same.
    """
    job = Job.objects.select_for_update(of=("self",)).get(pk=job_pk)
    if job.state != JobState.RUNNING:
        return None
    if job.queue == JobQueue.TRAINING:
        _revive(job, why="its process died")
    else:
        _end(job, JobState.FAILED, error="died")
    return job if job.state == JobState.QUEUED else None


@transaction.atomic
def find_silent() -> dict[int, datetime | None]:
    """Return the last sign of life of each running job that gave none for SILENCE.

    On SQLite this waits until nobody else writes, as those signs do: let them come, and then sweep.
    """
    silent = Job.objects.filter(state=JobState.RUNNING, heartbeat_at__lt=timezone.now() - SILENCE)
    return dict(silent.values_list("pk", "heartbeat_at"))


@transaction.atomic
def sweep(silent: Mapping[int, datetime | None]) -> list[Job]:
    """Find jobs that are `silent` still, or that the broker lost; return those to send to the broker again.

    Of trainings it is the first alone: the others wait for hours, and each message starts whichever is the first then.
    """
    for job in Job.objects.select_for_update(of=("self",)).filter(state=JobState.RUNNING, pk__in=silent):
        if job.heartbeat_at == silent[job.pk]:
            _revive(job, why="no sign of life")
    again: list[Job] = []
    now = timezone.now()
    for queue in JobQueue:
        waiting = jobs_waiting(queue).alias(touched_at=Coalesce("heartbeat_at", "created_at"))
        untouched = waiting.filter(touched_at__lt=now - WAITING)
        again += untouched[:1] if queue == JobQueue.TRAINING else untouched
    Job.objects.filter(pk__in=[job.pk for job in again]).update(heartbeat_at=now)
    return again


def _revive(job: Job, *, why: str) -> None:
    """Queue a dead job again, unless it was cancelled or has died too often."""
    if job.cancel_asked:
        _end(job, JobState.CANCELLED)
    elif job.attempts >= ATTEMPTS:
        _end(job, JobState.FAILED, error="died")
    else:
        move(job, JobState.QUEUED, scope=job, why=why, by=None)


def _end(job: Job, becomes: JobState, *, result: Any = None, error: str = "", by: User | None = None) -> None:
    move(job, becomes, scope=job, by=by, ended_at=timezone.now(), result=result, error=error)
    if job.came_to_nothing and job.kind in KINDS:
        transaction.on_commit(partial(KINDS[job.kind].abandon, job))
