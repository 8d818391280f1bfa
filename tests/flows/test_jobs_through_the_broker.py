"""Large imports and a release through a real worker: progress, cancel, and a worker killed during a job."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from uuid import uuid4

import pytest

from tests import databases
from tests.flows.driving import CommandDriver, Look, a_clerk, is_over
from tests.flows.waiting import PATIENCE, eventually
from tests.live_server import ROOT

PAIRS = 20_000
MANY = 50_000  # rows: storing them takes seconds
TO_WATCH = 200_000  # rows: reading them takes long enough to be seen
SOME_ROWS = 4_000_000  # bytes, of more than 20 million


class BrokerDriver(CommandDriver):
    """Driver on a database and a broker in a folder, with a worker there."""

    def __init__(self, process: "subprocess.Popen[str]", environment: dict[str, str], folder: Path) -> None:
        super().__init__(process)
        self.environment, self.folder = environment, folder
        self.start_worker()

    def start_worker(self) -> None:
        """Start a worker as the Procfile does."""
        [line] = [line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith("worker:")]
        _name, _exec, _python, *arguments = shlex.split(line)
        self.worker = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, stderr=subprocess.DEVNULL
        )

    def kill_worker(self) -> None:
        self.worker.kill()
        self.worker.wait(PATIENCE)

    def project(self, slug: str) -> str:
        self.ask("project", slug)
        return slug

    def file(self, slug: str, rows: int) -> int:
        path = self.folder / f"{rows}.tsv"
        if not path.exists():
            path.write_text("".join(f"第{row // 5}问\t第{row}答\n" for row in range(rows)), encoding="utf-8")
        return int(self.ask("receive", slug, str(path)))

    def children(self, job: int) -> list[int]:
        """Return the processes that run a job of this trial."""
        name, folder = f"job {job}\n", f"DATA_DIR={self.folder}".encode()
        return [int(path.name) for path in Path("/proc").glob("[0-9]*") if _runs(path, name, folder)]


def _runs(process: Path, name: str, folder: bytes) -> bool:
    try:
        return (process / "comm").read_text() == name and folder in (process / "environ").read_bytes()
    except OSError:  # it has just ended
        return False


def is_on_its_way(look: Look) -> bool:
    return look["state"] == "running" and bool(look["done"])


def _database(request: pytest.FixtureRequest, kind: str, folder: Path) -> AbstractContextManager[str]:
    if kind == "sqlite":
        return nullcontext(databases.sqlite(folder))
    return databases.postgresql(request.getfixturevalue("postgres_url"))


@pytest.fixture(scope="module", params=["sqlite-filesystem", "postgresql-redis"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerDriver]:
    folder = tmp_path_factory.mktemp("house")
    database, broker = request.param.split("-")
    broker_url = request.getfixturevalue("redis_url") if broker == "redis" else "filesystem://"
    with _database(request, database, folder) as url:
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "DATA_DIR": str(folder),
            "CELERY_BROKER_URL": broker_url,
            "SECRET_KEY": "of this test alone",
            "DJANGO_SETTINGS_MODULE": "tests.live_server_settings",
            "QUEUE": f"colloquy-{uuid4().hex[:12]}",
            "PYTHONPATH": str(ROOT),
        }
        with a_clerk(environment) as clerk:
            clerk.ask("settle_in")
            house = BrokerDriver(clerk.process, environment, folder)
            yield house
            house.kill_worker()


def test_a_large_file_goes_through_the_worker(house):
    slug = house.project("story")
    file = house.file(slug, PAIRS)
    assert house.done(house.ask("check", file)) == {"rows": PAIRS, "good": PAIRS, "duplicate": 0, "refused": 0}
    assert house.done(house.ask("store", file)) == {"rows": PAIRS, "stored": PAIRS, "duplicate": 0, "refused": 0}
    stored = house.ask("stored", slug)
    assert [stored[name] for name in ("items", "slots", "digests", "positions")] == [PAIRS] * 4
    print("stored", stored)


def test_a_release_is_frozen_by_the_worker_once_however_often_the_broker_asks(house):
    slug = house.project("release")
    file = house.file(slug, 2_000)
    house.done(house.ask("check", file))
    house.done(house.ask("store", file))
    assert house.ask("rate", slug) == 4_000
    job = house.ask("freeze", slug)
    house.ask("send_again", job)
    result = house.done(job)
    house.ask("send_again", job)
    house.done(house.ask("check", house.file(slug, 10)))  # the worker has reached what was sent after it
    stored = house.ask("stored", slug)
    assert result["number"] == stored["releases"] == 1
    assert result["instances"] == stored["instances"] == 2_000 - result["left_out"]["removed"]


def test_progress_rises_while_a_file_is_read(house):
    slug = house.project("progress")
    seen = house.watch(house.ask("check", house.file(slug, TO_WATCH)), until=is_over)
    assert seen[-1]["state"] == "done"
    steps = [look["done"] for look in seen]
    assert steps == sorted(steps)
    assert steps[-1] == TO_WATCH
    assert any(0 < step < TO_WATCH for step in steps), "nothing was told on the way"
    assert {look["total"] for look in seen if look["done"]} == {TO_WATCH}


def test_a_cancelled_job_ends_its_process_and_leaves_nothing(house):
    slug = house.project("cancel")
    file = house.file(slug, TO_WATCH)
    job = house.ask("check", file)
    house.watch(job, until=is_on_its_way)
    house.ask("cancel", job)
    assert house.watch(job, until=is_over)[-1]["state"] == "cancelled"
    eventually(lambda: not house.children(job), "the child goes on")
    assert house.ask("state_of", file) == "received"

    file = house.file(slug, PAIRS)
    house.done(house.ask("check", file))
    job = house.ask("store", file)
    house.watch(job, until=lambda look: is_over(look) or bool(house.children(job)))
    house.ask("cancel", job)
    state = house.watch(job, until=is_over)[-1]["state"]
    expected = {"cancelled": 0, "done": PAIRS}[state]
    stored = house.ask("stored", slug)
    assert stored["items"] == stored["slots"] == expected
    assert house.ask("state_of", file) == {"cancelled": "checked", "done": "stored"}[state]


def test_a_worker_killed_in_the_midst_takes_its_child_along_and_another_one_finishes(house):
    slug = house.project("killed")
    file = house.file(slug, MANY)
    house.done(house.ask("check", file))
    house.ask("empty_the_log")
    before = house.ask("bytes_written")
    job = house.ask("store", file)
    eventually(lambda: house.ask("bytes_written") - before > SOME_ROWS, "nobody stores")
    house.kill_worker()
    eventually(lambda: not house.children(job), "the child outlives its worker")
    died_as = house.ask("look", job)
    assert died_as["state"] == "running", "nobody has noticed yet"
    assert house.ask("stored", slug)["items"] in {0, MANY}
    house.ask("sweep_a_silent", job)
    assert house.ask("look", job)["state"] == "queued"
    house.start_worker()
    assert house.done(job)["stored"] == MANY
    stored = house.ask("stored", slug)
    assert [stored[name] for name in ("items", "slots", "digests", "positions")] == [MANY] * 4
    assert house.ask("look", job)["attempts"] == 2
    assert house.ask("state_of", file) == "stored"
    print("killed as", died_as, "stored", stored)
