"""Tasks of the worker and the scheduler.

Each long job runs in a child process, which can be stopped; a quick one runs in the worker, because to start a process
would take longer. Each app's tasks.py imports the actions that register kinds of jobs.
"""

import json
import os
import subprocess
import sys
import threading
import time
from functools import partial
from typing import Any

import structlog
from celery import shared_task
from celery.signals import after_task_publish, beat_init, heartbeat_sent
from django.conf import settings
from django.db import OperationalError, close_old_connections, transaction
from kombu.exceptions import OperationalError as BrokerAway

from core.actions import jobs
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Job, last_times

log = structlog.get_logger(__name__)

PULSE = 0.5  # seconds between two checks of a child process
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@heartbeat_sent.connect
def note_worker(**_: Any) -> None:
    """Note that the worker is alive and reaches the broker."""
    last_times.note("worker")


@beat_init.connect
def note_beat(**_: Any) -> None:
    """Note that beat is alive, now and each time that it has handed over a task."""
    last_times.note("beat")
    after_task_publish.connect(note_beat, dispatch_uid="note_beat")


def dispatch(job: Job) -> None:
    """Send a job to the broker after the commit. If the broker is away, the sweeper sends it later."""
    transaction.on_commit(partial(_send, job.pk))


def _send(job_pk: int) -> None:
    try:
        run_job.delay(job_pk)
    except (OSError, BrokerAway) as away:
        log.warning("broker away, the sweeper will hand the job over", job=job_pk, error=type(away).__name__)


@shared_task
def run_job(job_pk: int) -> None:
    job = jobs.start(job_pk=job_pk)
    if job is None:
        return
    if jobs.KINDS[job.kind].is_quick(job):
        _write_down(job, carry_out(job, jobs.silent), was_stopped=False)
    else:
        supervise(job)


@shared_task
def sweep_jobs() -> None:
    for job_pk in jobs.sweep():
        _send(job_pk)


def carry_out(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Run the job's handler and return its `result`, or the `error` that ended it (see presenters/jobs.py)."""
    try:
        return {"result": jobs.KINDS[job.kind].handler(job, report)}
    except Refused as refused:
        return {"error": f"refused:{refused.code}"}
    except Exception as broken:
        log.exception("job failed", job=job.pk, kind=job.kind)
        return {"error": f"broken:{type(broken).__name__}"}


def supervise(job: Job) -> None:
    """Run the job in a child process: pass on its progress, stop it when asked, and store how it ended."""
    command = ["nice", "-n", "10", sys.executable, str(settings.BASE_DIR / "manage.py"), "run_job", str(job.pk)]
    said: dict[str, Any] = {}
    # The child reads its standard input: when this process dies the pipe closes and the child exits.
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}
    ) as child:
        listener = threading.Thread(target=_listen, args=(child, said), daemon=True)
        listener.start()
        was_stopped = _accompany(child, job, said)
        listener.join()
    _write_down(job, said, was_stopped=was_stopped)


def _accompany(child: "subprocess.Popen[str]", job: Job, said: dict[str, Any]) -> bool:
    """Report the job's progress until the child ends. Return True when the child was stopped."""
    was_stopped = False
    while not _has_ended(child):
        if was_stopped:
            child.kill()  # it ignored the request to end
        elif not _patiently(jobs.beat, job_pk=job.pk, done=said.get("done"), total=said.get("total")):
            child.terminate()
            was_stopped = True
    return was_stopped


def _has_ended(child: "subprocess.Popen[str]") -> bool:
    try:
        child.wait(timeout=PULSE)
    except subprocess.TimeoutExpired:
        return False
    return True


def _write_down(job: Job, said: dict[str, Any], *, was_stopped: bool) -> None:
    """Store how the job ended. A job that was stopped without being cancelled belongs to another worker now."""
    if "result" in said:
        ending = {"becomes": JobState.DONE, "result": said["result"]}
    elif not was_stopped:
        ending = {"becomes": JobState.FAILED, "error": said.get("error", "died")}
    elif Job.objects.filter(pk=job.pk, cancel_asked=True).exists():
        ending = {"becomes": JobState.CANCELLED}
    else:
        return
    _patiently(jobs.beat, job_pk=job.pk, done=said.get("done"), total=said.get("total"))
    while _patiently(jobs.finish, job_pk=job.pk, **ending) is BUSY:
        time.sleep(PULSE)


BUSY = object()


def _patiently(write: Any, **arguments: Any) -> Any:
    """Write, or return BUSY: SQLite has one writer, and the child may hold a long transaction."""
    try:
        return write(**arguments)
    except OperationalError:
        close_old_connections()
        return BUSY


def _listen(child: "subprocess.Popen[str]", said: dict[str, Any]) -> None:
    """Collect the child's output, one JSON object a line: its progress, at the end its result or error."""
    for line in child.stdout or ():
        if line.startswith("{"):
            said.update(json.loads(line))
