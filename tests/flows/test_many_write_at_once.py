"""Sixteen people write and inspect, in threads of four processes: no one judges their own text, and nothing is lost."""

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
from tests.flows.waiting import PATIENCE, eventually

ROOT = Path(__file__).resolve().parents[2]
ITEMS, PROCESSES, THREADS, INSPECTORS, ROUNDS = 16, 4, 4, 2, 2
OUTCOMES = {"accept": "kept", "return": "returned", "discard": "removed"}


@dataclass
class WritingTrial:
    """Database and folder in which bots work."""

    url: str
    folder: Path

    def start(self, *command: object, stdout: int | None = None) -> "subprocess.Popen[bytes]":
        environment = {
            **os.environ,
            "DATABASE_URL": self.url,
            "DATA_DIR": str(self.folder),
            "SECRET_KEY": "of this test alone",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
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
def hall(database_url: str, tmp_path: Path) -> WritingTrial:
    return WritingTrial(database_url, tmp_path)


def test_nobody_judges_their_own_and_nothing_is_lost_when_many_write_and_inspect_at_once(hall):
    hall.ask("prepare", ITEMS)
    running = [
        hall.start("work", number * THREADS, (number + 1) * THREADS, hall.folder / f"process-{number}.log")
        for number in range(PROCESSES)
    ]
    assert eventually(lambda: len(hall.words("submitted")) >= 8), "the bots do not get on"
    running[-1].kill()  # what its people held stays held until leases end
    for process in running:
        process.wait(PATIENCE)
    assert_the_rules_hold(hall, hall.ask("report"))

    hall.ask("finish", 0, PROCESSES * THREADS, hall.folder / "last.log")
    after = hall.ask("report")
    assert_the_rules_hold(hall, after)
    assert all(item["state"] in ("kept", "removed") for item in after["items"])


def assert_the_rules_hold(hall: WritingTrial, found: dict[str, Any]) -> None:
    assert hall.words("error") == []
    assignments_of: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for assignment in found["assignments"]:
        assignments_of[assignment["slot"]].append(assignment)
    wrote: list[tuple[int, int, int]] = []
    for slot in found["slots"]:
        assignments = assignments_of[slot["id"]]
        taken = [assignment for assignment in assignments if assignment["state"] in TAKEN]
        barred = [assignment["person"] for assignment in assignments if assignment["state"] in BARRING]
        assert slot["free"] == slot["required"] - len(taken)
        assert slot["required"] == (1 if slot["queue__step"] == "write" else INSPECTORS)
        assert len({assignment["slot_number"] for assignment in taken}) == len(taken)
        assert len(set(barred)) == len(barred)
        assert slot["round"] <= ROUNDS + 1
        if slot["queue__step"] == "write":
            wrote += [(slot["item"], slot["round"], assignment["person"]) for assignment in assignments]
    for slot in found["slots"]:
        if slot["queue__step"] == "inspect":
            authors = {who for item, round, who in wrote if item == slot["item"] and round <= slot["round"]}
            assert not authors & {assignment["person"] for assignment in assignments_of[slot["id"]]}
    assert_each_item_follows_its_verdicts(found, assignments_of)
    texts = {rewrite["id"]: rewrite["candidates"][0] for rewrite in found["rewrites"] if rewrite["submitted_at"]}
    assert all(texts[int(pk)] == text for pk, text in hall.words("submitted"))
    judged = {inspection["id"]: inspection["verdict"] for inspection in found["inspections"]}
    assert all(judged[int(pk)] == verdict for pk, verdict in hall.words("judged"))


def assert_each_item_follows_its_verdicts(
    found: dict[str, Any], assignments_of: dict[int, list[dict[str, Any]]]
) -> None:
    verdict_on = {inspection["assignment"]: inspection["verdict"] for inspection in found["inspections"]}
    last: dict[int, dict[str, Any]] = {}
    for slot in sorted(found["slots"], key=lambda slot: slot["round"]):
        if slot["queue__step"] == "inspect":
            last[slot["item"]] = slot
    for item in found["items"]:
        if item["id"] not in last:
            assert item["state"] == "open"
            continue
        slot = last[item["id"]]
        submitted = [assignment for assignment in assignments_of[slot["id"]] if assignment["state"] == "submitted"]
        verdicts = {verdict_on[assignment["id"]] for assignment in submitted}
        if len(submitted) < INSPECTORS:
            assert item["state"] == "written"
        else:
            worst = next(verdict for verdict in ("discard", "return", "accept") if verdict in verdicts)
            assert item["state"] == OUTCOMES[worst]
