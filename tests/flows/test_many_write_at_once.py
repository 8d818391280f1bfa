"""Sixteen people who all write and inspect, in threads of four processes: nobody judges their own, nothing is lost."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from annotation.models.work import BARRING, TAKEN
from tests.flows.patience import PATIENCE, eventually

ROOT = Path(__file__).resolve().parents[2]
ITEMS, PROCESSES, THREADS, INSPECTORS, ROUNDS = 24, 4, 4, 2, 2
OUTCOMES = {"accept": "kept", "return": "returned", "discard": "removed"}


@dataclass
class Hall:
    """A database and a folder in which bots work."""

    url: str
    folder: Path

    def start(self, *command: object, stdout: int | None = None) -> "subprocess.Popen[bytes]":
        environment = {
            **os.environ, "DATABASE_URL": self.url, "DATA_DIR": str(self.folder), "SECRET_KEY": "of this test alone",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }  # fmt: skip
        words = [sys.executable, "-m", "tests.flows.rewriting_bots", *map(str, command)]
        return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=stdout)

    def ask(self, *command: object) -> Any:
        with self.start(*command, stdout=subprocess.PIPE) as process:
            output, _errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, command
        return json.loads(output) if output else None

    def words(self, first: str) -> list[list[str]]:
        lines = [line for log in self.folder.glob("*.log") for line in log.read_text().splitlines()]
        return [rest for word, *rest in (line.split(" ", 2) for line in lines) if word == first]


@pytest.fixture
def hall(database_url: str, tmp_path: Path) -> Hall:
    return Hall(database_url, tmp_path)


def test_nobody_judges_their_own_and_nothing_is_lost_when_many_write_and_inspect_at_once(hall):
    hall.ask("prepare", ITEMS)
    running = [
        hall.start("work", number * THREADS, (number + 1) * THREADS, hall.folder / f"process-{number}.log")
        for number in range(PROCESSES)
    ]
    eventually(lambda: len(hall.words("submitted")) >= 8, "the bots do not get on")
    running[-1].kill()  # what its people held stays held until leases end
    for process in running:
        process.wait(PATIENCE)
    assert_the_rules_hold(hall, hall.ask("report"))

    hall.ask("finish", 0, PROCESSES * THREADS, hall.folder / "last.log")
    after = hall.ask("report")
    assert_the_rules_hold(hall, after)
    assert all(item["state"] in ("kept", "removed") for item in after["items"])


def assert_the_rules_hold(hall: Hall, found: dict[str, Any]) -> None:
    assert hall.words("error") == []
    seats_of: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for seat in found["seats"]:
        seats_of[seat["place"]].append(seat)
    wrote: list[tuple[int, int, int]] = []
    for place in found["places"]:
        seats = seats_of[place["id"]]
        taken = [seat for seat in seats if seat["state"] in TAKEN]
        barred = [seat["person"] for seat in seats if seat["state"] in BARRING]
        assert place["free"] == place["slots"] - len(taken)
        assert place["slots"] == (1 if place["queue__step"] == "write" else INSPECTORS)
        assert len({seat["slot"] for seat in taken}) == len(taken)
        assert len(set(barred)) == len(barred)
        assert place["round"] <= ROUNDS + 1
        if place["queue__step"] == "write":
            wrote += [(place["item"], place["round"], seat["person"]) for seat in seats]
    for place in found["places"]:
        if place["queue__step"] == "inspect":
            authors = {who for item, round, who in wrote if item == place["item"] and round <= place["round"]}
            assert not authors & {seat["person"] for seat in seats_of[place["id"]]}
    assert_each_item_follows_its_verdicts(found, seats_of)
    texts = {rewrite["id"]: rewrite["candidates"][0] for rewrite in found["rewrites"] if rewrite["submitted_at"]}
    assert all(texts[int(pk)] == text for pk, text in hall.words("submitted"))
    judged = {inspection["id"]: inspection["verdict"] for inspection in found["inspections"]}
    assert all(judged[int(pk)] == verdict for pk, verdict in hall.words("judged"))


def assert_each_item_follows_its_verdicts(found: dict[str, Any], seats_of: dict[int, list[dict[str, Any]]]) -> None:
    verdict_on = {inspection["seat"]: inspection["verdict"] for inspection in found["inspections"]}
    last: dict[int, dict[str, Any]] = {}
    for place in sorted(found["places"], key=lambda place: place["round"]):
        if place["queue__step"] == "inspect":
            last[place["item"]] = place
    for item in found["items"]:
        if item["id"] not in last:
            assert item["state"] == "open"
            continue
        place = last[item["id"]]
        submitted = [seat for seat in seats_of[place["id"]] if seat["state"] == "submitted"]
        verdicts = {verdict_on[seat["id"]] for seat in submitted}
        if len(submitted) < INSPECTORS:
            assert item["state"] == "written"
        else:
            worst = next(verdict for verdict in ("discard", "return", "accept") if verdict in verdicts)
            assert item["state"] == OUTCOMES[worst]
