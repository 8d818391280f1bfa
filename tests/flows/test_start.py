"""What bin/start does after its setup: it brings an installation up to date and runs it, or says why it cannot."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.flows.waiting import PATIENCE, eventually
from tests.live_server import ROOT, LiveServer, free_port

OWN = {"DJANGO_SETTINGS_MODULE": "config.settings", "CELERY_BROKER_URL": "filesystem://", "SECRET_KEY": ""}


@pytest.fixture
def house(tmp_path: Path) -> LiveServer:
    return LiveServer(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/colloquy.sqlite3", **OWN)


@pytest.fixture
def start(house: LiveServer) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Return a function that starts the product, with these settings."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, **settings: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "config.start", *arguments]
        environment = {**house.environment, **settings}
        started.append(
            subprocess.Popen(
                command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        )
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGINT)
            process.communicate(timeout=PATIENCE)


def end(process: "subprocess.Popen[str]") -> int:
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    return process.returncode


def says(process: "subprocess.Popen[str]", words: str) -> bool:
    """Read on to the line with these words; return whether there is one."""
    return any(words in line for line in process.stdout)


def test_a_new_installation_is_made_and_started_again_with_what_it_has(house, start, tmp_path):
    first = start("--no-demo")
    assert says(first, f"ready: {house.url}/")
    assert says(first, "create_user NAME --role administrator")
    house.make_user("ada", "administrator")
    collected = (tmp_path / "static" / "staticfiles.json").stat().st_mtime_ns
    assert end(first) == 0

    again = start("--no-demo")
    assert says(again, f"ready: {house.url}/")
    assert (tmp_path / "static" / "staticfiles.json").stat().st_mtime_ns == collected
    house.manage("create_user", "ada", "--role", "administrator", refused=True)
    assert end(again) == 0


def test_a_second_start_on_the_same_data_says_so_until_the_first_is_gone_with_all_it_started(house, start, tmp_path):
    first = start("--no-demo")
    assert says(first, "ready")
    second = start("--no-demo", PORT=str(free_port()))
    _output, errors = second.communicate(timeout=PATIENCE)
    assert second.returncode == 1
    assert f"Colloquy already runs on {tmp_path}, as process {first.pid}. End that one first" in errors

    first.kill()
    first.communicate(timeout=PATIENCE)
    assert eventually(lambda: not is_held(tmp_path / "running")), "something goes on after its supervisor"
    assert says(start("--no-demo"), f"ready: {house.url}/")


def is_held(path: Path) -> bool:
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def test_with_the_samples_it_says_who_can_sign_in(house, start):
    process = start()
    assert says(process, f"ready: {house.url}/")
    assert says(process, "administrator  admin")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"WORKERS": "none"}, "WORKERS is 'none'"),
        ({"JOB_MEMORY": "12"}, "The settings are wrong. JOB_MEMORY is '12'"),
    ],
)
def test_what_cannot_start_says_why(start, wrong, said):
    process = start("--no-demo", **wrong)
    _output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said in errors
