"""How long people wait until a page answers, a job begins and a file is stored, and the memory of an idle installation.

python -m benchmarks.starting [CHECKOUT ...] [--rounds 3]

CHECKOUT is another version of the product, set up by its bin/setup, that is measured in the same run: each round does
one after the other. Seconds of the clock, so on a machine that does nothing else, and of the processors, which depends
less on that; medians of the rounds. On SQLite and files, or with the broker of CELERY_BROKER_URL. RSS counts the
memory that processes share in each of them; PSS divides it among them, so its sum is what they take together.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks import chinese
from benchmarks.starting_browser import ImportingBrowser
from tests.live_server import free_port

HERE = Path(__file__).resolve().parent.parent
IDLE = 6  # seconds
SMALL, LARGE = 10_000, chinese.PAIRS
JOBS = 5

Found = dict[str, float]


class Installation:
    """A checkout with data of its own, started and ended by its bin/start."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.checkout, self.port = checkout, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "SECRET_KEY": "of this benchmark alone, not of any installation",
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "starting_app.settings",
            "PYTHONPATH": str(HERE / "benchmarks"),
        }

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [".venv/bin/python", "manage.py", *arguments],
            cwd=self.checkout,
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        return done.stdout.decode()

    @contextmanager
    def running(self) -> Iterator[int]:
        """Yield the process that bin/start becomes."""
        command = ["bin/start", "--port", str(self.port), "--no-demo"]
        with subprocess.Popen(
            command,
            cwd=self.checkout,
            env=os.environ | self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                yield process.pid
            finally:
                process.send_signal(signal.SIGINT)


def measure(installation: Installation, number: int) -> Found:
    """Return what one round found."""
    found: Found = {}
    began = time.perf_counter()
    with installation.running() as pid:
        ImportingBrowser(installation.url).wait()
        found["bin/start to page, s"] = time.perf_counter() - began
        time.sleep(IDLE)
        for process in _tree(pid)[1:]:
            _kill(process)
        found["all killed to page, s"] = ImportingBrowser(installation.url).wait()
        time.sleep(IDLE)
        for process in _web_workers(pid):
            _kill(process)
        time.sleep(IDLE)
        found["first request of a new worker, s"] = ImportingBrowser(installation.url).wait()
        found |= _memory(pid)
        browser = ImportingBrowser(installation.url)
        found["click to job begun, s"] = statistics.median(_click_to_begun(browser) for _job in range(JOBS))
        browser.sign_in("rui", installation.password)
        for pairs in (SMALL, LARGE):
            slug = f"page-{number}-{pairs}"
            installation.manage("create_project", slug, "--kind", "rating")
            busy = _busy(pid)
            found[f"{pairs:,} pairs by page, s"] = browser.import_file(slug, _file(pairs))
            found[f"{pairs:,} pairs by page, CPU s"] = _busy(pid) - busy
    for pairs in (SMALL, LARGE):
        slug = f"shell-{number}-{pairs}"
        installation.manage("create_project", slug, "--kind", "rating")
        began, busy = time.perf_counter(), _busy(os.getpid())
        installation.manage("import_pairs", slug, str(_file(pairs)))
        found[f"{pairs:,} pairs by shell, s"] = time.perf_counter() - began
        found[f"{pairs:,} pairs by shell, CPU s"] = _busy(os.getpid()) - busy
    return found


def _click_to_begun(browser: ImportingBrowser) -> float:
    """Return the time from the request to the beginning of the job that it asks for."""
    clicked = time.time()
    job = json.loads(browser.send("/begin/"))["job"]
    while (began := json.loads(browser.open(f"/begin/?job={job}"))["began"]) is None:
        time.sleep(0.05)
    time.sleep(0.3)
    return float(began) - clicked


def _file(pairs: int) -> Path:
    path = Path(tempfile.gettempdir()) / f"colloquy-{pairs}.csv"
    if not path.exists():
        chinese.write(path, pairs)
    return path


def _tree(pid: int) -> list[int]:
    """Return a process and all below it."""
    children = [
        int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()
    ]
    return [pid, *(below for child in children for below in _tree(child))]


def _busy(pid: int) -> float:
    """Return the seconds of the processors that a process, those below it and those that these waited for have used."""
    stats = (Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in _tree(pid))
    return sum(sum(map(int, fields[11:15])) for fields in stats) / os.sysconf("SC_CLK_TCK")


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _web_workers(pid: int) -> list[int]:
    return [below for child in _tree(pid)[1:] if _role(child) == "web" for below in _tree(child)[1:]]


def _role(pid: int) -> str:
    """Return what a process does, by its name where it has one, else by its command."""
    name = Path(f"/proc/{pid}/comm").read_text().strip()
    command = Path(f"/proc/{pid}/cmdline").read_text()
    known = {"gunicorn": "web", "beat": "beat", "celery": "worker"}
    return next((role for word, role in known.items() if word in command), name)


def _memory(pid: int) -> Found:
    """Return the megabytes of the processes by what they do, and of all."""
    found: Found = {}
    for process in _tree(pid):
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in rollup[1:]}
        role = "bin/start" if process == pid else _role(process)
        for kind in ("PSS", "RSS"):
            for whose in (role, "all"):
                name = f"{kind} of {whose}, MB"
                found[name] = found.get(name, 0) + sizes[kind.title()]
    return found


def main(checkouts: list[Path], rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        installations = [Installation(checkout, Path(folder) / str(at)) for at, checkout in enumerate(checkouts)]
        for installation in installations:
            with installation.running():
                ImportingBrowser(installation.url).wait()
            made = installation.manage("create_user", "rui", "--role", "administrator", "--json")
            installation.password = json.loads(made)["password"]
        found: list[list[Found]] = [[] for _installation in installations]
        for number in range(rounds):
            for installation, so_far in zip(installations, found, strict=True):
                so_far.append(measure(installation, number))
                print(f"round {number + 1}: {installation.checkout} measured", file=sys.stderr, flush=True)
    print(f"{'':38}" + "".join(f"{checkout.name[:20]:>22}" for checkout in checkouts))
    for name in dict.fromkeys(name for rounds_of_one in found for one in rounds_of_one for name in one):
        medians = [[one[name] for one in rounds_of_one if name in one] for rounds_of_one in found]
        cells = [f"{statistics.median(values):.2f}" if values else "—" for values in medians]
        print(f"{name:38}" + "".join(f"{cell:>22}" for cell in cells))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    main([HERE, *map(Path.resolve, options.checkout)], options.rounds)
