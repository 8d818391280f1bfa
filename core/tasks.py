"""Tasks of the worker and the scheduler.

Each job of the worker runs in a child process, which can be stopped and may not take all memory. A quick one runs in
the process that asks for it. Each app's tasks.py imports the actions that register kinds of jobs.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import structlog
from celery import current_app, shared_task
from celery.signals import after_task_publish, beat_init, heartbeat_sent, worker_init
from django.conf import settings
from django.db import OperationalError, close_old_connections, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerAway

from core.actions import jobs
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.curves import CurvePoint, joined
from core.domain.transitions import JobQueue, JobState
from core.models import Job, last_times
from core.nursery import Nursery, Say

log = structlog.get_logger(__name__)

LOOK = 0.1  # seconds
PULSE = 0.5  # seconds between two heartbeats of a job
SECOND_LOOK = 2.0  # seconds in which a job may give the signs of life that waited for the database
LAST_WORDS = 0.2  # seconds in which a child that is stopped may still say that its work was just committed
PROGRESS_EVERY = 0.2  # seconds between two reports of a child
CURVE_EVERY = 2  # seconds between two writes of points on a curve

nursery: Nursery


@worker_init.connect
def open_nursery(**_: Any) -> None:
    """Start the nursery before the worker has threads. A worker that loses it ends, and is started again."""
    global nursery
    nursery = Nursery(_work_in_child, name="job", memory=settings.JOB_MEMORY)
    threading.Thread(target=_end_without_nursery, daemon=True).start()


def _end_without_nursery() -> None:
    nursery.wait()
    log.error("the nursery has ended, and the worker with it")
    os._exit(1)


@heartbeat_sent.connect
def note_worker(**_: Any) -> None:
    """Note that the worker is alive and reaches the broker; one that serves the trainings is the trainer."""
    served = current_app.amqp.queues.consume_from
    if JobQueue.TRAINING in served:
        last_times.note("trainer")
    if set(served) - {JobQueue.TRAINING}:
        last_times.note("worker")


@beat_init.connect
def note_beat(**_: Any) -> None:
    """Note that beat is alive, now and each time that it has handed over a task."""
    last_times.note("beat")
    after_task_publish.connect(note_beat, dispatch_uid="note_beat")


def dispatch(job: Job) -> None:
    """After the commit, do a quick job here; send another to the broker. If it is away, the sweeper does later."""
    transaction.on_commit(partial(do_here, job.pk) if jobs.KINDS[job.kind].is_quick(job) else partial(_send, job))


def do_here(job_pk: int) -> None:
    """Do a job in this process, unless it has begun elsewhere. While the database is busy it stays queued."""
    job = _patiently(jobs.start, job_pk=job_pk)
    if isinstance(job, Job):
        _write_down(job, carry_out(job, jobs.silent), was_stopped=False)


def _send(job: Job) -> None:
    try:
        if job.queue == JobQueue.TRAINING:
            run_training.apply_async(queue=JobQueue.TRAINING.value)
        else:
            run_job.delay(job.pk)
    except (OSError, BrokerAway) as away:
        log.warning("broker away, the sweeper will hand the job over", job=job.pk, error=type(away).__name__)


@shared_task
def run_job(job_pk: int) -> None:
    job = jobs.start(job_pk=job_pk)
    if job is not None:
        supervise(job)


@shared_task
def run_training() -> None:
    """Run the training that has waited longest, whichever was sent: a page can tell its place in the queue."""
    job = jobs.start_next(queue=JobQueue.TRAINING)
    if job is not None:
        supervise(job)


@shared_task
def sweep_jobs() -> None:
    silent = jobs.find_silent()
    if silent:
        time.sleep(SECOND_LOOK)
    for job in jobs.sweep(silent):
        _send(job)


def carry_out(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Run the job's handler and return its `result`, or the `error` that ended it (see presenters/jobs.py)."""
    try:
        return {"result": jobs.KINDS[job.kind].handler(job, report)}
    except Refused as refused:
        return {"error": f"refused:{refused.code}"}
    except MemoryError:
        log.error("job needs more memory than it may have", job=job.pk, kind=job.kind)  # no room for more
        return {"error": "memory"}
    except Exception as broken:
        log.exception("job failed", job=job.pk, kind=job.kind)
        return {"error": f"broken:{type(broken).__name__}"}


class ToldProgress:
    """Progress as a child tells its worker: now and then, with each score on dev and, of many losses, the last."""

    def __init__(self, say: Say) -> None:
        self._say, self._said_at = say, 0.0
        self._points: list[CurvePoint] = []

    def __call__(
        self,
        done: int,
        total: int | None = None,
        *,
        training: int | None = None,
        step: int | None = None,
        loss: float | None = None,
        dev: float | None = None,
    ) -> None:
        if step is not None:
            self._add(CurvePoint(step, done, _finite(loss), _finite(dev), timezone.now()))
        if time.monotonic() - self._said_at >= PROGRESS_EVERY or done == total:
            self.say(done=done, total=total, training=training)

    def say(self, **words: Any) -> None:
        """Say this at once, and what has not been said of the curve."""
        self._said_at = time.monotonic()
        points = [(point.step, point.done, point.loss, point.dev, point.at.timestamp()) for point in self._points]
        self._points = []
        self._say(**words, points=points)

    def _add(self, point: CurvePoint) -> None:
        if self._points and self._points[-1].dev is None and self._points[-1].step < point.step:
            self._points.pop()
        if point.loss is not None or point.dev is not None:
            self._points = joined([*self._points, point])


def _finite(figure: float | None) -> float | None:
    return float(figure) if figure is not None and math.isfinite(figure) else None


def _work_in_child(job_pk: int, say: Say) -> None:
    job, report = Job.objects.select_related("created_by").get(pk=job_pk), ToldProgress(say)
    report.say(**carry_out(job, report))


class HeardCurve:
    """Points of a job's curve on their way from its child to the database."""

    def __init__(self, job: Job) -> None:
        self._job, self._stored_at = job, time.monotonic()
        self._points: list[CurvePoint] = []

    def hear(self, told: Sequence[tuple[int, int, float | None, float | None, float]]) -> None:
        for step, done, loss, dev, at in told:
            self._points.append(CurvePoint(step, done, loss, dev, datetime.fromtimestamp(at, UTC)))

    def store_if_due(self) -> None:
        if time.monotonic() - self._stored_at >= CURVE_EVERY:
            self.store()

    def store(self) -> None:
        if self._points and _patiently(jobs.plot, job_pk=self._job.pk, points=self._points) is not BUSY:
            self._stored_at, self._points = time.monotonic(), []


def supervise(job: Job) -> None:
    """Run the job in a child process: pass on its progress, stop it when asked, and store how it ended."""
    said: dict[str, Any] = {}
    curve = HeardCurve(job)
    beat_at, stop_at = time.monotonic() + PULSE, math.inf
    with nursery.child(job.pk) as child:
        while (heard := child.hear(within=LOOK)) is not None:
            for words in heard:
                curve.hear(words.pop("points", []))
                said |= words
            now = time.monotonic()
            if now >= stop_at:
                child.kill()
            elif now >= beat_at and stop_at == math.inf:
                if not _patiently(jobs.beat, job_pk=job.pk, **_progress(said)):
                    stop_at = time.monotonic() + LAST_WORDS
                else:
                    curve.store_if_due()
                beat_at = time.monotonic() + PULSE
    curve.store()
    _write_down(job, said, was_stopped=stop_at < math.inf)


def _progress(said: dict[str, Any]) -> dict[str, int | None]:
    return {name: said.get(name) for name in ("done", "total", "training")}


def _write_down(job: Job, said: dict[str, Any], *, was_stopped: bool) -> None:
    """Store how the job ended. A job that was stopped without being cancelled belongs to another worker now."""
    end: Callable[..., Job | None]
    if "result" in said:
        end = partial(jobs.finish, becomes=JobState.DONE, result=said["result"])
    elif not was_stopped:
        end = partial(jobs.finish, becomes=JobState.FAILED, error=said["error"]) if "error" in said else jobs.died
    elif Job.objects.filter(pk=job.pk, cancel_asked=True).exists():
        end = partial(jobs.finish, becomes=JobState.CANCELLED)
    else:
        return
    _patiently(jobs.beat, job_pk=job.pk, **_progress(said))
    while (again := _patiently(end, job_pk=job.pk)) is BUSY:
        time.sleep(PULSE)
    if again is not None:
        _send(again)


BUSY = object()


def _patiently(write: Any, **arguments: Any) -> Any:
    """Write, or return BUSY: SQLite has one writer, and the child may hold a long transaction."""
    try:
        return write(**arguments)
    except OperationalError:
        close_old_connections()
        return BUSY
