"""Starts the driver (tests/flows/driver.py) in a process of its own, and sends it requests."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.flows.waiting import PATIENCE
from tests.live_server import ROOT

OVER = {"done", "failed", "cancelled"}

Look = dict[str, Any]


class CommandDriver:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def ask(self, name: str, *arguments: object) -> Any:
        """Return the driver's answer."""
        self.send(name, *arguments)
        return self.answer(name)

    def send(self, name: str, *arguments: object) -> None:
        """Let the driver begin, and do not wait for it."""
        assert self.process.stdin
        print(json.dumps([name, *arguments]), file=self.process.stdin, flush=True)

    def answer(self, name: str) -> Any:
        """Return the driver's answer to what was sent."""
        assert self.process.stdout
        answer = self.process.stdout.readline()
        assert answer, f"the clerk broke at {name}"
        return json.loads(answer)

    def watch(self, job: int, until: Callable[[Look], bool]) -> list[Look]:
        """Return what was seen of a job until the condition holds."""
        seen: list[Look] = []
        end = time.monotonic() + PATIENCE
        while not seen or not until(seen[-1]):
            assert time.monotonic() < end, f"the job stays {seen[-1:]}"
            seen.append(self.ask("look", job))
            time.sleep(0.05)
        return seen

    def done(self, job: int) -> Any:
        """Return the result of a job, which must not fail."""
        last = self.watch(job, until=is_over)[-1]
        assert (last["state"], last["error"]) == ("done", ""), last
        return last["result"]


@contextmanager
def a_clerk(environment: Mapping[str, str]) -> Iterator[CommandDriver]:
    """Start a driver on the database and the broker of this environment."""
    command = [sys.executable, "-m", "tests.flows.driver"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield CommandDriver(process)
        process.communicate(timeout=PATIENCE)


def is_over(look: Look) -> bool:
    return look["state"] in OVER
