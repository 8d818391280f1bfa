"""Run the processes of the Procfile and start again what dies: `PORT=8000 python -m config.processes < WELCOME`.

WELCOME is printed when the page answers; on the command line all users of the machine could read its passwords. A
module of Python (`exec python -m ...`) is run by a fork of this process, which has the application loaded: they share
the memory. Each process leads a process group of its own: Ctrl-C reaches this process alone, which then ends the
others in good order. Where it is killed itself, a guard in each group does that (docs/adr/0022, docs/adr/0027).
"""

import http.client
import os
import re
import runpy
import select
import shlex
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

from config import env

PROCFILE = Path(__file__).resolve().parent.parent / "Procfile"
PAUSES = (1, 2, 4, 5)  # seconds before a process starts again: what dies is back within ten, however often it dies
STEADY = 10  # seconds; a process that ran for longer starts again after the first pause
GRACE = 5  # seconds in which a process may end by itself, more than gunicorn's graceful_timeout
LOOK = 0.05  # seconds between two looks at what is about to start or to end
ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
MODULE = re.compile(r"exec python -m (\S+)(.*)")


class EndedTooEarly(Exception):
    """A process ended before the page answered for the first time: starting it again would not help."""


class ProcfileProcess:
    """What runs a line of the Procfile. `pid` is 0 while nothing does.

    `life` is a pipe that ends with this process, the only one that keeps it open for writing.
    """

    def __init__(self, line: str, life: tuple[int, int]) -> None:
        self.name, _colon, self.command = line.partition(": ")
        self.life = life
        self.pid, self.deaths, self.started_at, self.due_at = 0, 0, 0.0, 0.0

    def start_if_due(self) -> None:
        if not self.pid and time.monotonic() >= self.due_at:
            self.started_at = time.monotonic()
            self.pid = os.fork() or end_with(partial(_run, self.name, self.command, self.life))

    def ended(self) -> str:
        """Tell how it has ended, if it has. Leaves none of the processes that it started."""
        pid, status = os.waitpid(self.pid, os.WNOHANG) if self.pid else (0, 0)
        if not pid:
            return ""
        self.kill()
        code = os.waitstatus_to_exitcode(status)
        return f"{self.name} has ended ({signal.Signals(-code).name if code < 0 else f'status {code}'})"

    def pause(self) -> str:
        """Let it start again after a pause that grows with its deaths in a row. Tell so."""
        self.deaths = 1 if time.monotonic() - self.started_at > STEADY else self.deaths + 1
        pause = PAUSES[min(self.deaths, len(PAUSES)) - 1]
        self.due_at = time.monotonic() + pause
        again = f", {self.deaths} times in a row: see its last message above" if self.deaths > 1 else ""
        return f"{again}. It starts again in {pause} s."

    def terminate(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill what is left of it and of the processes that it started: gunicorn's children would keep the port."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self.pid = 0


def run_all(port: int, welcome: str) -> None:
    """Run all processes until a signal of ENDING. Raises EndedTooEarly if one of them does not start."""
    signals = _signals()
    life = os.pipe()
    processes = [ProcfileProcess(line, life) for line in PROCFILE.read_text(encoding="utf-8").splitlines()]
    if not env.flag("TRAINER", default=True):
        processes = [process for process in processes if process.name != "trainer"]
    is_ready = False
    try:
        while True:
            for process in processes:
                process.start_if_due()
                if ended := process.ended():
                    if not is_ready:
                        raise EndedTooEarly(ended)
                    _say(f"{time.strftime('%H:%M:%S')} {ended}{process.pause()}")
            if not is_ready and _answers(port):
                is_ready = True
                _say(welcome)
            all_run = is_ready and all(process.pid for process in processes)
            if _received(signals, within=None if all_run else LOOK) & ENDING:
                return
    finally:
        _end(processes)
        signal.set_wakeup_fd(-1)
        for end in life:
            os.close(end)


def _end(processes: list[ProcfileProcess]) -> None:
    """End all processes; kill what still runs after a while."""
    for process in processes:
        process.terminate()
    until = time.monotonic() + GRACE
    while any(process.pid and not process.ended() for process in processes) and time.monotonic() < until:
        time.sleep(LOOK)
    for process in processes:
        process.kill()


def _signals() -> socket.socket:
    """Return a socket that receives the number of each signal of interest as a byte."""
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    signal.set_wakeup_fd(sender.detach())
    for number in (*ENDING, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    return receiver


def _received(signals: socket.socket, *, within: float | None) -> set[int]:
    """Return the signals that came, or come within so many seconds."""
    is_any, _to, _of = select.select([signals], [], [], within)
    return set(signals.recv(1024)) if is_any else set()


def end_with(work: Callable[[], object]) -> NoReturn:
    """Do the work of this fork, and end it as Python ends, but without what its parent left to be done at the end."""
    status: object = 1
    try:
        work()
        status = 0
    except SystemExit as ending:
        status = ending.code
        if isinstance(status, str):
            print(status, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status if isinstance(status, int) else int(status is not None))


def _run(name: str, command: str, life: tuple[int, int]) -> None:
    os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (*ENDING, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    _set_guard(*life)
    module = MODULE.fullmatch(command)
    if not module:
        os.execv("/bin/sh", ["sh", "-c", command])  # noqa: S606
    _name_this_process(name)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = [module[1], *shlex.split(module[2])]
    runpy.run_module(module[1], run_name="__main__", alter_sys=True)


def _set_guard(life: int, others_end: int) -> None:
    """Fork a guard, which ends this process and its group, and so itself, when the supervisor is gone."""
    os.close(others_end)
    leader = os.getpid()
    if os.fork() == 0:
        end_with(partial(_guard, leader, life))
    os.close(life)


def _guard(leader: int, life: int) -> None:
    _name_this_process("guard")
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)  # they are for the leader
    os.read(life, 1)  # nothing comes but the end
    with suppress(ProcessLookupError):
        os.kill(leader, signal.SIGTERM)
    time.sleep(GRACE)
    os.killpg(leader, signal.SIGKILL)


def _name_this_process(name: str) -> None:
    """Name this process for `ps` and `top`, where the kernel can."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)


def _answers(port: int) -> bool:
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        page.request("GET", "/signin/")
        return page.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        page.close()


def _say(text: str) -> None:
    print(text, flush=True)


def main(welcome: str) -> str | None:
    """Run all until a signal. Return what to exit with: nothing, or why it could not begin."""
    try:
        run_all(int(os.environ["PORT"]), welcome)
    except EndedTooEarly as early:
        return f"Colloquy stopped before its page answered: {early}. The reason is above."
    return None


if __name__ == "__main__":
    from config.loading import load, warm

    load()
    warm()
    sys.exit(main(sys.stdin.read()))
