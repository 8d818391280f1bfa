"""32 threads in 4 processes claim and grade at once, some are killed in the midst: nothing is lost or doubled."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from annotation.models.work import BARRING, TAKEN
from tests import databases

ROOT = Path(__file__).resolve().parents[2]
PAIRS, RATERS, PROCESSES, THREADS = 400, 2, 4, 8
# Which process is killed, once it has so many grades acknowledged, and whether it is started again. The eight people
# of process 0 rate in process 3 as well; what the people of process 1 held when it died stays held until leases end.
KILLS = ((0, 10, True), (2, 20, True), (0, 10, True), (1, 40, False))
PATIENCE = 120  # seconds; only what hangs takes so long

Rows = list[dict[str, Any]]


@dataclass
class Bots:
    """Eight people who rate in one process, and the file in which they write down what they did."""

    process: subprocess.Popen[bytes]
    log: Path

    def words(self, first: str) -> list[list[str]]:
        lines = self.log.read_text().split("\n")[:-1] if self.log.exists() else []
        return [rest for word, *rest in (line.split(" ", 2) for line in lines) if word == first]

    def kill(self, after: int) -> None:
        until = time.monotonic() + PATIENCE
        while len(self.words("acknowledged")) < after:
            if self.process.poll() is not None:
                return  # the others left nothing for these to do
            assert time.monotonic() < until, "the bots do not get on"
            time.sleep(0.02)
        self.process.kill()
        self.process.wait(PATIENCE)


@dataclass
class Hall:
    """A database and a folder in which bots rate."""

    url: str
    folder: Path

    def start(self, *command: object, stdout: int | None = None) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ, "DATABASE_URL": self.url, "DATA_DIR": str(self.folder), "SECRET_KEY": "of this test alone",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }  # fmt: skip
        words = [sys.executable, "-m", "tests.flows.rating_bots", *map(str, command)]
        return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=stdout)

    def ask(self, *command: object) -> bytes:
        with self.start(*command, stdout=subprocess.PIPE) as process:
            output, _errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, command
        return output

    def let_rate(self, number: int, start: int = 0) -> Bots:
        log = self.folder / f"process-{number}-{start}.log"
        return Bots(self.start("rate", number * THREADS, (number + 1) * THREADS, log), log)


@pytest.fixture(params=["sqlite", "postgresql"])
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    if request.param == "sqlite":
        yield Hall(databases.sqlite(tmp_path), tmp_path)
    else:
        with databases.postgresql(request.getfixturevalue("postgres_url")) as url:
            yield Hall(url, tmp_path)


def test_nothing_is_lost_or_doubled_when_many_claim_at_once_and_some_are_killed(hall, capsys):
    hall.ask("prepare", PAIRS)
    bots = rate_with_kills(hall)
    between = json.loads(hall.ask("report"))
    assert_the_rules_of_seats_hold(between)
    assert_every_acknowledged_grade_is_stored_once(bots, between["grades"])

    last = hall.folder / "last.log"
    with hall.start("finish", 0, 16, last) as process:
        bots.append(Bots(process, last))
    after = json.loads(hall.ask("report"))
    assert_the_rules_of_seats_hold(after)
    assert_every_acknowledged_grade_is_stored_once(bots, after["grades"])
    assert_all_work_is_done(after)
    with capsys.disabled():
        print(f"\n{hall.url.split(':')[0]}: {counts(bots, after['grades'])}")


def rate_with_kills(hall: Hall) -> list[Bots]:
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


def assert_the_rules_of_seats_hold(found: dict[str, Rows]) -> None:
    seats: dict[int, Rows] = {place["id"]: [] for place in found["places"]}
    for seat in found["seats"]:
        seats[seat["place"]].append(seat)
    for place in found["places"]:
        taken = [seat for seat in seats[place["id"]] if seat["state"] in TAKEN]
        barred = [seat["person"] for seat in seats[place["id"]] if seat["state"] in BARRING]
        assert place["slots"] == RATERS
        assert place["free"] == place["slots"] - len(taken)
        assert len({seat["slot"] for seat in taken} & {1, 2}) == len(taken)
        assert len(set(barred)) == len(barred)
        graded = sum(seat["state"] == "submitted" for seat in taken)
        assert (place["item__state"] == "open") == (graded < RATERS)


def assert_every_acknowledged_grade_is_stored_once(bots: list[Bots], grades: Rows) -> None:
    for some in bots:
        assert some.words("error") == []
    stored = {grade["submission_key"]: grade["grade"] for grade in grades}
    acknowledged = {key: int(grade) for some in bots for key, grade in some.words("acknowledged")}
    sent = {key for some in bots for (key,) in some.words("sent")}
    assert len(stored) == len(grades)
    assert {key: stored.get(key) for key in acknowledged} == acknowledged
    assert set(stored) <= sent


def assert_all_work_is_done(found: dict[str, Rows]) -> None:
    assert len(found["places"]) == PAIRS
    assert Counter(place["free"] for place in found["places"]) == {0: PAIRS}
    assert Counter(seat["state"] for seat in found["seats"])["held"] == 0
    assert Counter(seat["state"] for seat in found["seats"])["submitted"] == PAIRS * RATERS


def counts(bots: list[Bots], grades: Rows) -> str:
    sent, acknowledged = (
        len({key for some in bots for key, *_ in some.words(word)}) for word in ("sent", "acknowledged")
    )
    refused = sum(len(some.words("refused")) for some in bots)
    killed = sum(some.process.returncode == -signal.SIGKILL for some in bots)
    assert killed > 0, "nobody was killed, so nothing was shown"
    return f"sent {sent}, acknowledged {acknowledged}, stored {len(grades)}, refused {refused}, killed {killed}"
