"""16 people rate over HTTP while the server, the worker and they themselves are killed at random moments.

PostgreSQL also cuts all connections. No pair gets more people than it requires, no one rates a pair twice, and every
acknowledged grade is stored.
"""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.assignment_rules import (
    Rows,
    assert_all_work_is_done,
    assert_every_acknowledged_grade_is_stored_once,
    assert_the_rules_of_assignments_hold,
    counts,
)
from tests.flows.driving import CommandDriver, is_over
from tests.flows.http_raters import PASSWORD, SLUG
from tests.flows.log import Log
from tests.flows.waiting import PATIENCE, eventually
from tests.live_server import ROOT, LiveServer

PROCESSES, PEOPLE_EACH = 4, 4
PAIRS = 50
IMPORTED, LETTERS = 40, 4_500  # rows long enough for the worker to store them in a child process
KILLS = ["web", "web", "raters", "raters", "worker that stores", "worker that ends leases"]
CUTS = ["connections", "connections"]  # on PostgreSQL
LAST_KILL = 75  # grades acknowledged, of 100 that can be given before the import


class Annotators:
    """All people, some in each process, and the log of each process."""

    def __init__(self, house: LiveServer, folder: Path) -> None:
        self.house, self.folder = house, folder
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.logs = [Log(folder / f"raters-{number}.log") for number in range(PROCESSES)]

    def start(self, number: int) -> None:
        people = (number * PEOPLE_EACH, (number + 1) * PEOPLE_EACH)
        command = [sys.executable, "-m", "tests.flows.http_raters", self.house.url, *people, self.logs[number].path]
        self.processes[number] = subprocess.Popen(list(map(str, command)), cwd=ROOT)

    def start_all(self) -> None:
        for number in range(PROCESSES):
            self.start(number)

    def kill_some(self) -> None:
        """Kill one of the processes; its people come back at once."""
        number = random.randrange(PROCESSES)
        self.processes[number].kill()
        self.processes[number].wait(PATIENCE)
        self.start(number)

    def go_on_until(self, acknowledged: int) -> None:
        """Continue until so many grades are acknowledged, or no work is left."""
        assert eventually(lambda: len(self.said("acknowledged")) >= acknowledged or not self.are_at_work()), (
            "the raters do not get on"
        )

    def are_at_work(self) -> bool:
        return any(process.poll() is None for process in self.processes.values())

    def wait(self) -> None:
        for process in self.processes.values():
            process.wait(PATIENCE)

    def go_home(self) -> None:
        for process in self.processes.values():
            process.kill()

    def said(self, word: str) -> list[list[str]]:
        return [line for log in self.logs for line in log.said(word)]


@pytest.fixture
def raters(house: LiveServer, tmp_path: Path) -> Iterator[Annotators]:
    raters = Annotators(house, tmp_path)
    yield raters
    raters.go_home()


def test_no_acknowledged_grade_is_missing_when_server_worker_and_annotators_are_killed(
    house, clerk, raters, tmp_path, capsys
):
    clerk.ask("hire", SLUG, PROCESSES * PEOPLE_EACH, PASSWORD, PAIRS)
    file = clerk.ask("receive", SLUG, str(long_pairs(tmp_path)))
    clerk.done(clerk.ask("check", file))
    raters.start_all()
    job = kill_at_random(house, clerk, raters, file)
    raters.wait()
    assert clerk.done(job)["stored"] == IMPORTED
    assert_nothing_is_lost_or_doubled(clerk.ask("found"), raters)

    raters.start_all()  # once more, for what was returned or imported after some had finished
    raters.wait()
    after = clerk.ask("found")
    assert_nothing_is_lost_or_doubled(after, raters)
    assert_all_work_is_done(after, PAIRS + IMPORTED)
    with capsys.disabled():
        print(
            f"\n{house.environment['DATABASE_URL'].split(':')[0]}: {counts(raters.logs, after['grades'], len(KILLS))}, "
            f"no answer {len(raters.said('unreachable'))}"
        )


def kill_at_random(house: LiveServer, clerk: CommandDriver, raters: Annotators, file: int) -> int:
    """Kill all that KILLS names, in a random order and at random moments. Return the job that stores the file."""
    victims = KILLS + (CUTS if house.environment["DATABASE_URL"].startswith("postgresql") else [])
    moments = sorted(random.sample(range(LAST_KILL), len(victims)))
    for victim, moment in zip(random.sample(victims, len(victims)), moments, strict=True):
        raters.go_on_until(moment)
        if victim == "raters":
            raters.kill_some()
        elif victim == "web":
            kill(house, "web")
            house.wait_until_it_answers()
        elif victim == "connections":
            assert eventually(lambda: clerk.ask("cut_connections") > 0), (
                "no connection is open"
            )  # none is just after a start
        elif victim == "worker that ends leases":
            clerk.ask("end_leases")
            kill(house, "worker")
        else:
            job = int(clerk.ask("store", file))
            kill(house, "worker")
            if not is_over(clerk.ask("look", job)):
                clerk.ask("sweep_a_silent", job)
    return job


def kill(house: LiveServer, name: str) -> None:
    """Kill it within the next second, and start it again."""
    time.sleep(random.random())
    house.kill(name)
    house.start(name)


def long_pairs(folder: Path) -> Path:
    path = folder / "long.tsv"
    path.write_text("".join(f"第{row}问\t{'答' * LETTERS}{row}\n" for row in range(IMPORTED)), encoding="utf-8")
    return path


def assert_nothing_is_lost_or_doubled(found: dict[str, Rows], raters: Annotators) -> None:
    assert_the_rules_of_assignments_hold(found)
    assert_every_acknowledged_grade_is_stored_once(raters.logs, found["grades"])
    refused = {key for key, _code in raters.said("refused")}
    assert not refused & {grade["submission_key"] for grade in found["grades"]}
    statuses = {why for [why] in raters.said("unreachable") if why.isdigit()}
    assert statuses <= {"503"}, "the server answered that it is broken"
