"""Processes of a Procfile: what dies starts again and says so, a signal ends all, what cannot begin ends the rest."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.flows.waiting import PATIENCE, eventually
from tests.live_server import ROOT, free_port

# Short pauses; of what starts, the process ids are printed.
PROGRAM = """
import sys
from pathlib import Path
from config import processes
processes.PROCFILE, processes.PAUSES, processes.GRACE = Path(sys.argv[1]), (0, 0.1), 0.5
sys.exit(processes.main("all run"))
"""
WEB = "web: echo web $$; exec python -m http.server $PORT --bind 127.0.0.1 2>/dev/null"
WORKER = "worker: echo worker $$; exec sleep 1000"

Run = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Return a function that runs the processes of a Procfile with these lines."""
    started: list[subprocess.Popen[str]] = []

    def run(*lines: str) -> "subprocess.Popen[str]":
        procfile = tmp_path / "Procfile"
        procfile.write_text("\n".join(lines))
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", PROGRAM, str(procfile)],
                cwd=ROOT,
                env={**os.environ, "PORT": str(free_port()), "PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield run
    for process in started:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def said(process: "subprocess.Popen[str]", words: str) -> str:
    """Return the next line in which the expression is found."""
    assert process.stdout
    return next(line for line in process.stdout if re.search(words, line))


def pid_of(process: "subprocess.Popen[str]", name: str) -> int:
    """Return the process id that the next process of this name prints."""
    return int(said(process, f"^{name} ").split()[1])


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_what_is_killed_starts_again_with_a_word_and_the_others_go_on(run):
    processes = run(WORKER, WEB)
    pids = {name: pid_of(processes, name) for name in ("worker", "web")}
    said(processes, "all run")
    os.kill(pids["worker"], signal.SIGKILL)
    assert "worker has ended (SIGKILL)" in said(processes, "ended")
    os.kill(again := pid_of(processes, "worker"), signal.SIGKILL)
    assert "worker has ended (SIGKILL), 2 times in a row" in said(processes, "ended")
    assert pid_of(processes, "worker") not in {pids["worker"], again}
    assert is_running(pids["web"])


def test_what_a_killed_process_had_started_is_gone_before_it_starts_again(run):
    processes = run(WEB, "worker: sleep 1000 & echo child $!; echo worker $$; wait")
    child, worker = pid_of(processes, "child"), pid_of(processes, "worker")
    said(processes, "all run")
    os.kill(worker, signal.SIGKILL)
    pid_of(processes, "worker")
    eventually(lambda: not is_running(child), "the child outlives its parent")


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_also_what_does_not_heed_it(run, by):
    processes = run(WEB, WORKER, "beat: trap '' TERM; echo beat $$; while :; do sleep 1000; done")
    pids = [int(line.split()[1]) for line in (processes.stdout.readline() for _process in range(3))]
    said(processes, "all run")
    processes.send_signal(by)
    processes.send_signal(by)
    assert processes.wait(PATIENCE) == 0
    eventually(lambda: not any(map(is_running, pids)), "something goes on")
    assert processes.stderr.read() == ""


def test_what_ends_before_the_page_has_answered_ends_the_others_and_says_so(run, tmp_path):
    there = tmp_path / "worker"
    processes = run(
        f"worker: echo worker $$; touch {there}; exec sleep 1000",
        f"web: until [ -e {there} ]; do sleep 0.1; done; exit 3",
    )
    assert processes.wait(PATIENCE) == 1
    assert "before its page answered: web has ended (status 3)" in processes.stderr.read()
    assert not is_running(pid_of(processes, "worker"))
