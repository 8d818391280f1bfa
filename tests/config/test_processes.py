"""Processes of a Procfile: what dies starts again and says so, a signal ends all, what cannot begin ends the rest."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
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
WEB = "web: echo web $$; exec python -m http.server $PORT --bind 127.0.0.1 >/dev/null 2>&1"
WORKER = "worker: echo worker $$; exec sleep 1000"


class Running:
    """Processes of a Procfile with these lines, and what they say."""

    def __init__(self, folder: Path, lines: Sequence[str]) -> None:
        procfile = folder / "Procfile"
        procfile.write_text("\n".join(lines))
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(procfile)],
            cwd=ROOT,
            env={**os.environ, "PORT": str(free_port()), "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.unread: list[str] = []

    def said(self, words: str) -> str:
        """Return the next line in which the expression is found."""
        for line in self.unread:
            if re.search(words, line):
                self.unread.remove(line)
                return line
        assert self.process.stdout
        for line in self.process.stdout:
            if re.search(words, line):
                return line
            self.unread.append(line)
        raise AssertionError(f"{words} is not said")

    def pid_of(self, name: str) -> int:
        """Return the process id that the next process of this name prints."""
        return int(self.said(f"^{name} ").split()[1])

    def end(self) -> tuple[int, str]:
        """Wait for the end. Return the exit status and what is said of errors."""
        _output, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Return a function that runs the processes of a Procfile with these lines."""
    started: list[Running] = []

    def run(*lines: str) -> Running:
        started.append(Running(tmp_path, lines))
        return started[-1]

    yield run
    for running in started:
        if running.process.poll() is None:
            running.process.terminate()
            running.end()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_what_is_killed_starts_again_with_a_word_and_the_others_go_on(run):
    running = run(WORKER, WEB)
    web, worker = running.pid_of("web"), running.pid_of("worker")
    running.said("all run")
    os.kill(worker, signal.SIGKILL)
    assert "worker has ended (SIGKILL)" in running.said("ended")
    os.kill(again := running.pid_of("worker"), signal.SIGKILL)
    assert "worker has ended (SIGKILL), 2 times in a row" in running.said("ended")
    assert running.pid_of("worker") not in {worker, again}
    assert is_running(web)


def test_what_a_killed_process_had_started_is_gone_before_it_starts_again(run):
    running = run(WEB, "worker: sleep 1000 & echo child $!; echo worker $$; wait")
    child, worker = running.pid_of("child"), running.pid_of("worker")
    running.said("all run")
    os.kill(worker, signal.SIGKILL)
    running.pid_of("worker")
    assert eventually(lambda: not is_running(child)), "the child outlives its parent"


def test_a_machine_that_shall_not_train_runs_all_but_the_trainer(run, monkeypatch):
    trainer = "trainer: echo trainer $$; exec sleep 1000"
    monkeypatch.setenv("TRAINER", "0")
    running = run(WEB, trainer, WORKER)
    running.pid_of("worker")
    running.said("all run")
    running.process.terminate()
    output, _errors = running.process.communicate(timeout=PATIENCE)
    assert "trainer" not in "".join([*running.unread, output])


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_also_what_does_not_heed_it(run, by):
    running = run(WEB, WORKER, "beat: trap '' TERM; echo beat $$; while :; do sleep 1000; done")
    pids = [running.pid_of(name) for name in ("web", "worker", "beat")]
    running.said("all run")
    running.process.send_signal(by)
    running.process.send_signal(by)
    assert running.end() == (0, "")
    assert eventually(lambda: not any(map(is_running, pids))), "something goes on"


def test_where_the_supervisor_is_killed_all_end_also_what_does_not_heed_a_signal(run):
    running = run(
        WEB, WORKER, "beat: trap '' TERM; sleep 1000 & echo child $!; echo beat $$; while :; do sleep 1000; done"
    )
    pids = [running.pid_of(name) for name in ("web", "worker", "child", "beat")]
    running.said("all run")
    running.process.kill()
    assert eventually(lambda: not any(map(is_running, pids))), "something goes on"
    assert running.end()[0] == -signal.SIGKILL  # and no guard holds its output open


def test_what_ends_before_the_page_has_answered_ends_the_others_and_says_so(run, tmp_path):
    there = tmp_path / "worker"
    running = run(
        f"worker: echo worker $$; touch {there}; exec sleep 1000",
        f"web: until [ -e {there} ]; do sleep 0.1; done; exit 3",
    )
    worker = running.pid_of("worker")
    status, errors = running.end()
    assert (status, "before its page answered: web has ended (status 3)" in errors) == (1, True)
    assert not is_running(worker)
