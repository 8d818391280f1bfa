"""A web server of a checkout as the Procfile starts it, on a database of its own, and what it costs."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import psycopg

from benchmarks import runs
from tests.live_server import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCT, BARE = "config", "benchmarks.serving.bare"  # packages with `settings` and `wsgi`
COLLECT = (
    "import sys; from pathlib import Path; from tests import prepared; prepared.collected_files(Path(sys.argv[1]))"
)
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 120  # seconds to wait for the first answer


class Server:
    """`people` are those that the rows were made for: by their number, what a visitor has to know about each."""

    people: dict[str, list[dict[str, Any]]]
    process: subprocess.Popen[bytes] | None = None

    def __init__(self, label: str, checkout: Path, kind: str, folder: Path, package: str) -> None:
        self.label, self.checkout, self.kind, self.folder, self.package = label, checkout, kind, folder, package
        self.port = free_port()
        self._ending = ExitStack()

    def __enter__(self) -> Self:
        self.folder.mkdir()
        self.database = self._ending.enter_context(runs.new_database(self.kind, self.folder))
        self.environment = {
            **os.environ,
            "DATABASE_URL": self.database,
            "DATA_DIR": str(self.folder),
            "PORT": str(self.port),
            "SECRET_KEY": "of-a-benchmark",
            "PYTHONWARNINGS": "ignore",
            "PYTHONPATH": str(self.checkout),
            "DJANGO_SETTINGS_MODULE": f"{self.package}.settings",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        if self.checkout != ROOT:
            self._migrate_again()
        return self

    def _migrate_again(self) -> None:
        """Give another version of the product the tables of its own models."""
        if self.kind == "PostgreSQL":
            with psycopg.connect(self.database) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
        else:
            Path(self.database.removeprefix("sqlite:///")).unlink()
        self.script("manage.py", "migrate", "--verbosity", "0")

    def __exit__(self, *error: object) -> None:
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._ending.close()

    def script(self, *command: str, given: str = "") -> str:
        """Run a Python script with this server's code, settings and database, `given` as its input.

        Return what it prints.
        """
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.checkout,
            env=self.environment,
            input=given,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def fill(self, path: Path, *arguments: str) -> None:
        """Let a script make the rows to start from."""
        self.people = json.loads(self.script(str(path), "fill", *arguments))

    def start(self) -> None:
        """Start the Procfile's `web`, with the static files collected, and wait for its first answer."""
        if self.package == PRODUCT:
            self.script("-c", COLLECT, str(self.folder / "static"))
        lines = dict(line.split(": ", 1) for line in (self.checkout / "Procfile").read_text().splitlines() if line)
        command = lines["web"].replace("config.wsgi", f"{self.package}.wsgi")
        self.process = subprocess.Popen(
            ["bash", "-c", command], cwd=self.checkout, env=self.environment, start_new_session=True
        )
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < until, f"{self.label} does not answer"
            time.sleep(0.2)

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/", timeout=30).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True

    def cpu(self) -> float:
        """Return the seconds of CPU that its processes have used."""
        return sum(_ticks(fields) for _pid, fields in self._processes()) / TICKS

    def database_cpu(self) -> float:
        """Return the seconds of CPU that PostgreSQL's processes for its database have used, if they run here."""
        if self.kind != "PostgreSQL":
            return 0.0
        with psycopg.connect(self.database) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            ).fetchall()
        return sum(_ticks(fields) for [pid] in rows if (fields := _stat(pid))) / TICKS

    def megabytes(self) -> float:
        """Return the memory of its processes, what they share counted once."""
        return sum(_shared_out(pid) for pid, _fields in self._processes()) / 1024

    def _processes(self) -> list[tuple[int, list[str]]]:
        assert self.process
        pids = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
        found = ((pid, fields) for pid in pids if (fields := _stat(pid)))
        return [(pid, fields) for pid, fields in found if int(fields[3]) == self.process.pid]


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the third on; none of a process that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _ticks(fields: list[str]) -> int:
    """Return the time of a process and of its ended children, in user and system mode."""
    return sum(map(int, fields[11:15]))


def _shared_out(pid: int) -> int:
    """Return the kilobytes of a process, those that it shares divided among those that share them."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
