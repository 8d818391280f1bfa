"""A database, a broker and a worker of a test's own, as the Procfile starts it."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from uuid import uuid4

import pytest

from tests import databases
from tests.flows.driving import CommandDriver, a_clerk
from tests.flows.waiting import PATIENCE
from tests.live_server import ROOT

KINDS = ("sqlite-filesystem", "postgresql-redis")


class BrokerDriver(CommandDriver):
    """Driver on a database and a broker in a folder, with a worker there."""

    def __init__(self, process: "subprocess.Popen[str]", environment: dict[str, str], folder: Path) -> None:
        super().__init__(process)
        self.environment, self.folder = environment, folder
        self.trainer: subprocess.Popen[bytes] | None = None
        self.start_worker()

    def start_worker(self) -> None:
        self.worker = self._start("worker")

    def kill_worker(self) -> None:
        self.worker.kill()
        self.worker.wait(PATIENCE)

    def start_trainer(self) -> None:
        self.trainer = self._start("trainer")

    def kill_trainer(self) -> None:
        if self.trainer:
            self.trainer.kill()
            self.trainer.wait(PATIENCE)
        self.trainer = None

    def _start(self, name: str) -> "subprocess.Popen[bytes]":
        """Start a process as the Procfile does."""
        [line] = [line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith(f"{name}:")]
        _name, _exec, _python, *arguments = shlex.split(line)
        return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=self.environment, stderr=subprocess.DEVNULL)

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


@contextmanager
def a_house(request: pytest.FixtureRequest, folder: Path, **own: str) -> Iterator[BrokerDriver]:
    """Yield a driver on the database and the broker that the test's parameter names; end its worker afterwards."""
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
            **own,
        }
        with a_clerk(environment) as clerk:
            clerk.ask("settle_in")
            house = BrokerDriver(clerk.process, environment, folder)
            yield house
            house.kill_worker()
            house.kill_trainer()


def _database(request: pytest.FixtureRequest, kind: str, folder: Path) -> AbstractContextManager[str]:
    if kind == "sqlite":
        return nullcontext(databases.sqlite(folder))
    return databases.postgresql(request.getfixturevalue("postgres_url"))
