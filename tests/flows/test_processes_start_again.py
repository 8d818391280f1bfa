"""The product as bin/start runs it: the worker, its nursery, a child of gunicorn and gunicorn itself are killed.

Pages answer throughout, except while gunicorn itself starts again, and the job that ran is done.
"""

import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import databases, prepared
from tests.flows.driving import CommandDriver, a_clerk
from tests.flows.waiting import PATIENCE, eventually
from tests.live_server import ROOT, LiveServer

OWN = {"SECRET_KEY": "of this test alone", "CELERY_BROKER_URL": "filesystem://"}
ROWS = 20_000  # the job that checks them is killed


class Supervised:
    """The processes of the product under config.processes, and what this says."""

    def __init__(self, house: LiveServer, folder: Path) -> None:
        welcome = folder / "welcome"
        welcome.write_text("ready")
        with welcome.open() as stdin:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.processes"],
                cwd=ROOT,
                env=house.environment,
                stdin=stdin,
                stdout=subprocess.PIPE,
                text=True,
            )
        self.says("ready")

    def says(self, words: str) -> None:
        """Wait for a line with these words."""
        assert self.process.stdout
        next(line for line in self.process.stdout if words in line)

    def pid(self, name: str) -> int:
        """Return the process of this name, once it runs."""
        assert eventually(lambda: bool(self.found(name))), f"{name} does not start again"
        return self.found(name)[0]

    def found(self, name: str) -> list[int]:
        return [pid for pid in children(self.process.pid) if name_of(pid) == name]

    def kill(self, name: str) -> None:
        """Kill a process, and wait until another one runs in its place."""
        os.kill(self.pid(name), signal.SIGKILL)
        self.says(f"{name} has ended (SIGKILL)")
        self.pid(name)

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


def children(pid: int) -> list[int]:
    """Return the process's children, without its guard."""
    found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [child for child in found if name_of(child) != "guard"]


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:  # it has just ended
        return ""


@pytest.fixture
def house(tmp_path: Path) -> LiveServer:
    prepared.collected_files(tmp_path / "static")
    return LiveServer(tmp_path, DATABASE_URL=databases.sqlite(tmp_path), **OWN)


@pytest.fixture
def supervised(house: LiveServer, tmp_path: Path) -> Iterator[Supervised]:
    supervised = Supervised(house, tmp_path)
    yield supervised
    assert supervised.end() == 0


@pytest.fixture
def clerk(house: LiveServer) -> Iterator[CommandDriver]:
    with a_clerk(house.environment) as clerk:
        yield clerk


class Onlooker(threading.Thread):
    """A person who opens a page again and again until told to leave."""

    def __init__(self, house: LiveServer) -> None:
        super().__init__()
        self.house, self.may_leave = house, threading.Event()
        self.opened, self.failed = 0, 0

    def run(self) -> None:
        while not self.may_leave.is_set():
            try:
                urllib.request.urlopen(f"{self.house.url}/signin/", timeout=PATIENCE).close()
                self.opened += 1
            except OSError:
                self.failed += 1

    def leave(self) -> None:
        self.may_leave.set()
        self.join(PATIENCE)


def test_pages_answer_and_jobs_go_on_whatever_is_killed(house, supervised, clerk, tmp_path):
    clerk.ask("hire", "pairs", 0, "", 0)
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(f"{row}?\t{row}.\n" for row in range(ROWS)))
    job = clerk.ask("check", clerk.ask("receive", "pairs", str(file)))
    onlooker = Onlooker(house)
    onlooker.start()
    clerk.watch(job, until=lambda look: look["state"] != "queued")
    scheduled_at = (tmp_path / "last" / "beat").stat().st_mtime_ns
    supervised.kill("worker")
    assert eventually(lambda: (tmp_path / "last" / "beat").stat().st_mtime_ns > scheduled_at), (
        "nothing is scheduled again"
    )
    os.kill(children(supervised.pid("worker"))[0], signal.SIGKILL)
    supervised.says("worker has ended (status 1)")
    onlooker.leave()
    assert onlooker.opened > onlooker.failed == 0
    clerk.ask("sweep_a_silent", job)  # as the scheduler asks for, after a minute
    assert clerk.done(job)["good"] == ROWS
    os.kill(children(supervised.pid("web"))[0], signal.SIGKILL)
    house.wait_until_it_answers()
    supervised.kill("web")
    house.wait_until_it_answers()
