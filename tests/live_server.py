"""The whole product as a person starts it, in a folder of its own: gunicorn and worker, on a real database."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from tests import prepared

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 900  # seconds to wait for anything: long enough for any slow machine, so only a hang fails


class LiveServer:
    """A running product. `url` answers; `manage` runs a command on the same database."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "DATA_DIR": str(folder),
            "PORT": str(self.port),
            "PYTHONPATH": str(ROOT),
            # Two servers may share a broker, and must not take each other's jobs.
            "DJANGO_SETTINGS_MODULE": "tests.live_server_settings",
            "QUEUE": f"colloquy-{uuid4().hex[:12]}",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            **environment,
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def manage(self, *arguments: str, refused: bool = False) -> str:
        """Run a command and return its output. It must succeed or, with `refused`, end with 1."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == int(refused), done.stderr
        return done.stdout

    def make_user(self, name: str, role: str, *arguments: str) -> str:
        """Create an account and return its password."""
        return json.loads(self.manage("create_user", name, "--role", role, "--json", *arguments))["password"]

    def start(self, *names: str) -> None:
        """Start some of the Procfile's processes, each as the leader of a process group."""
        lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines() if line.strip())
        for name in names:
            self.processes[name] = subprocess.Popen(
                ["bash", "-c", lines[name]], cwd=ROOT, env=self.environment, start_new_session=True
            )

    def kill(self, name: str) -> None:
        """Send SIGKILL to a process and to all it started."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait_until_it_answers(self) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/signin/", timeout=5).close()
                return
            except OSError:  # not started yet, or too busy to answer in time
                assert time.monotonic() < until, "the page did not answer"
                time.sleep(0.1)


@contextmanager
def open_house(folder: Path, **environment: str) -> Iterator[LiveServer]:
    """Yield a running product on a migrated database, with its files collected; end all its processes afterwards."""
    house = LiveServer(folder, **environment)
    prepared.collected_files(folder / "static")
    try:
        house.start("web", "worker")
        house.wait_until_it_answers()
        yield house
    finally:
        for name in list(house.processes):
            house.kill(name)


def free_port() -> int:
    """Return a port below those that the kernel gives to connections: none takes it while the product starts again."""
    while True:
        port = random.randrange(20_000, 32_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
