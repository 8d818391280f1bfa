"""Process that acts on a test's own database on request: imports, grades, releases, jobs.

It reads one JSON list a line, the name of a function below and its arguments, and answers with one line of JSON.
"""

import json
import sys
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation import tasks as annotation_tasks  # noqa: E402
from annotation.actions.imports import import_jobs  # noqa: E402
from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.projects.boards import agreement_in_force  # noqa: E402
from annotation.actions.rating import simulation  # noqa: E402
from annotation.actions.releases import releases  # noqa: E402
from annotation.actions.rewriting.simulated_rewriting import simulate_rewriting  # noqa: E402
from annotation.domain.workflow import AssignmentState  # noqa: E402
from annotation.models import Assignment, Import, Instance, Item, Project, Release, Slot  # noqa: E402
from core import tasks as tasks  # noqa: E402
from core.actions import jobs, stored_figures  # noqa: E402
from core.actions.refusals import Refused  # noqa: E402
from core.domain.transitions import JobQueue  # noqa: E402
from core.models import Job, Role, StoredFigure, User  # noqa: E402
from core.models.scoped import scope_of  # noqa: E402
from core.selectors.jobs import jobs_waiting  # noqa: E402
from study.actions.runs import baselines  # noqa: E402
from study.models import Run  # noqa: E402
from tests import factories, rewriting  # noqa: E402
from tests.flows.rating_bots import found  # noqa: E402, F401
from tests.study.instances import kitchen  # noqa: E402


def settle_in() -> None:
    factories.person("rui", Role.RESEARCHER)


def project(slug: str, kind: str = "rating") -> None:
    projects.create(slug=slug, kind=kind, by=_rui())


def hire(slug: str, people: int, password: str, items: int, kind: str = "rating") -> None:
    """Create in a migrated database a project with so many pairs or questions, and people who can sign in."""
    factories.person("rui", Role.RESEARCHER)
    project(slug, kind)
    for number in range(people):
        person = factories.person(f"p{number}", project=_project(slug))
        person.set_password(password)
        person.save()
    (factories.pairs if kind == "rating" else rewriting.items)(_project(slug), items)


def receive(slug: str, path: str) -> int:
    return factories.received(_project(slug), Path(path).read_bytes()).pk


def check(file: int) -> int:
    return _sent(import_jobs.ask_for_check(received=_file(file), by=_rui()))


def store(file: int) -> int:
    return _sent(import_jobs.ask_for_store(received=_file(file), partial=False, by=_rui()))


def rate(slug: str) -> int:
    return simulation.simulate_annotators(project=_project(slug), people=2, report=factories.no_progress, by=_rui())


def rewrite(slug: str) -> dict[str, int]:
    return simulate_rewriting(project=_project(slug), people=4, seed=0, report=factories.no_progress, by=_rui())


def freeze(slug: str) -> int:
    return _sent(releases.ask_for_freeze(project=_project(slug), number=1, seed=0, by=_rui()))


def store_here(slug: str, path: str) -> None:
    factories.stored(_project(slug), Path(path).read_bytes(), Path(path).name)


def freeze_here(slug: str, seed: int) -> dict[str, Any]:
    release = releases.freeze(project=_project(slug), seed=seed, report=factories.no_progress, by=_rui())
    return {"checksum": release.checksum, "counts": release.counts, "agreement": release.agreement}


def send(kind: str) -> int:
    """Ask for a job of a kind without arguments, and send it to the worker."""
    return _sent(jobs.ask_for(kind=kind, arguments={}, scope=None, by=_rui()))


def cook() -> None:
    """Store what models learn from and are asked about."""
    kitchen(_rui(), dev=5)


def train(seed: int = 0) -> int:
    """Ask for a run of the model of the tests, as the page does, and return its job."""
    from tests.flows import stepwise  # registers it

    plan = {"model": stepwise.Stepwise.key, "on": "kitchen:dev", "train": "kitchen:train", "seed": seed}
    run = baselines.ask_for_run(**plan, by=_rui())
    tasks.dispatch(run.job)
    return run.job_id


def train_here(seed: int) -> str:
    """Return the checksum of the same run in this process."""
    from tests.flows import stepwise

    plan = {"model": stepwise.Stepwise.key, "on": "kitchen:dev", "train": "kitchen:train", "seed": seed}
    return baselines.run_now(**plan, report=factories.no_progress, by=_rui()).checksum


def wake_trainers(times: int) -> None:
    for _time in range(times):
        tasks.run_training.apply_async(queue=JobQueue.TRAINING.value)


def run_of(job: int) -> dict[str, Any]:
    run = Run.objects.get(job=job)
    return {"pk": run.pk, "state": run.state_folder, "predictions": run.predictions.count(), "checksum": run.checksum}


def trainings_waiting() -> list[int]:
    return list(jobs_waiting(JobQueue.TRAINING).values_list("pk", flat=True))


def agree(slug: str) -> dict[str, Any]:
    """Return the agreement of a project as its page, its table and the API have it; compute it if it is not stored."""
    return agreement_in_force(_project(slug))


def figures(slug: str) -> list[str]:
    """Return the kinds of the stored figures of a project."""
    return list(StoredFigure.objects.filter(**scope_of(_project(slug))).values_list("kind", flat=True))


def forget_figures(slug: str) -> None:
    stored_figures.forget(_project(slug))


def cancel(job: int) -> None:
    """Cancel a job; one that stores goes on."""
    with suppress(Refused):
        jobs.cancel(job=Job.objects.get(pk=job), by=_rui())


def send_again(job: int) -> None:
    tasks.run_job.delay(job)


def sweep_a_silent(job: int) -> None:
    """Sweep the jobs as if a job had sent no sign of life for five minutes."""
    Job.objects.filter(pk=job).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    tasks.sweep_jobs()
    tasks.sweep_jobs()  # the second sweep has nothing to do


def end_leases() -> None:
    """Let all leases end, as if all people had been away for longer."""
    Assignment.objects.filter(state=AssignmentState.HELD).update(lease_until=timezone.now() - timedelta(minutes=1))
    annotation_tasks.expire_assignments.delay()


def cut_connections() -> int:
    """Let PostgreSQL cut every connection to this database but the driver's own. Return how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


def empty_the_log() -> None:
    """Truncate SQLite's log, which keeps its size, so that it then grows with what is written."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def bytes_written() -> int:
    """Return the size of the database, or of SQLite's log, which includes what an open transaction has written."""
    if connection.vendor == "sqlite":
        return Path(f"{connection.settings_dict['NAME']}-wal").stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def look(job: int) -> dict[str, Any]:
    fields = ("state", "done", "total", "attempts", "result", "error")
    return Job.objects.values(*fields).get(pk=job)


def curve(job: int) -> list[list[float | None]]:
    """Return step, loss and score on dev of each point on the curve of a job."""
    return [[point.step, point.loss, point.dev] for point in Job.objects.get(pk=job).points.all()]


def stored(slug: str) -> dict[str, int]:
    items = Item.objects.filter(project=_project(slug))
    return {
        "items": items.count(),
        "slots": Slot.objects.filter(item__in=items).count(),
        "digests": items.values("digest").distinct().count(),
        "positions": items.values("position").distinct().count(),
        "releases": Release.objects.filter(project=_project(slug)).count(),
        "instances": Instance.objects.filter(release__project=_project(slug)).count(),
    }


def state_of(file: int) -> str:
    return str(_file(file).state)


def _sent(job: Job) -> int:
    """Send a job to the worker, also one so small that the page would do it at once."""
    tasks.run_job.delay(job.pk)
    return job.pk


def _rui() -> User:
    return User.objects.get(username="rui")


def _project(slug: str) -> Project:
    return Project.objects.get(slug=slug)


def _file(pk: int) -> Import:
    return Import.objects.get(pk=pk)


if __name__ == "__main__":
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(globals()[name](*arguments), default=str), flush=True)
