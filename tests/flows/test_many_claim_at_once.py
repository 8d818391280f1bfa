"""32 threads in 4 processes claim and grade at once, and some are killed: nothing is lost or doubled."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.flows.assignment_rules import (
    assert_all_work_is_done,
    assert_every_acknowledged_grade_is_stored_once,
    assert_the_rules_of_assignments_hold,
    counts,
)
from tests.flows.log import Log
from tests.flows.waiting import PATIENCE, eventually

ROOT = Path(__file__).resolve().parents[2]
PAIRS, PROCESSES, THREADS = 140, 4, 8
# Which process is killed, after how many acknowledged grades, and whether it is started again. The eight people of
# process 0 also rate in process 3; what the people of process 1 held when it died stays held until the leases end.
KILLS = ((0, 10, True), (2, 20, True), (0, 10, True), (1, 40, False))


@dataclass
class Bots:
    """Eight people who rate in one process, and the log of their work."""

    process: subprocess.Popen[bytes]
    log: Log

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def kill(self, after: int) -> None:
        """Kill the process after so many acknowledgements, unless the others left no work for it."""
        assert eventually(lambda: len(self.log.said("acknowledged")) >= after or self.has_ended()), (
            "the bots do not get on"
        )
        self.process.kill()
        self.process.wait(PATIENCE)


@dataclass
class RatingTrial:
    """Database and folder in which bots rate."""

    url: str
    folder: Path

    def start(self, *command: object, stdout: int | None = None) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "DATABASE_URL": self.url,
            "DATA_DIR": str(self.folder),
            "SECRET_KEY": "of this test alone",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        words = [sys.executable, "-m", "tests.flows.rating_bots", *map(str, command)]
        return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=stdout)

    def ask(self, *command: object) -> bytes:
        with self.start(*command, stdout=subprocess.PIPE) as process:
            output, _errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, command
        return output

    def let_rate(self, number: int, start: int = 0) -> Bots:
        log = Log(self.folder / f"process-{number}-{start}.log")
        return Bots(self.start("rate", number * THREADS, (number + 1) * THREADS, log.path), log)


@pytest.fixture
def hall(database_url: str, tmp_path: Path) -> RatingTrial:
    return RatingTrial(database_url, tmp_path)


def test_nothing_is_lost_or_doubled_when_many_claim_at_once_and_some_are_killed(hall, capsys):
    hall.ask("prepare", PAIRS)
    bots = rate_with_kills(hall)
    logs = [some.log for some in bots]
    between = json.loads(hall.ask("report"))
    assert_the_rules_of_assignments_hold(between)
    assert_every_acknowledged_grade_is_stored_once(logs, between["grades"])

    logs.append(Log(hall.folder / "last.log"))
    hall.ask("finish", 0, 16, logs[-1].path)
    after = json.loads(hall.ask("report"))
    assert_the_rules_of_assignments_hold(after)
    assert_every_acknowledged_grade_is_stored_once(logs, after["grades"])
    assert_all_work_is_done(after, PAIRS)
    killed = sum(some.process.returncode == -signal.SIGKILL for some in bots)
    with capsys.disabled():
        print(f"\n{hall.url.split(':')[0]}: {counts(logs, after['grades'], killed)}")


def rate_with_kills(hall: RatingTrial) -> list[Bots]:
    running = {number: hall.let_rate(number) for number in range(PROCESSES)}
    every = list(running.values())
    for start, (number, after, again) in enumerate(KILLS, start=1):
        running.pop(number).kill(after)
        if again:
            running[number] = hall.let_rate(number, start)
            every.append(running[number])
    for bots in running.values():
        bots.process.wait(PATIENCE)
    return every
