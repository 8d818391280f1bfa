"""The nursery: a process of one thread that has the application loaded, and forks a child for each piece of work.

The worker itself cannot: it has many threads, and a child would wait for ever for a lock that one of them held. The
nursery begins before them, opens no database and no broker, and ends when the worker is gone (docs/adr/0027).
"""

import gc
import json
import os
import resource
import signal
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

KEY = struct.Struct("!q")  # names the work that is asked for
NICENESS = 10
LIKELY_TO_BE_KILLED = "500"  # of 1000: where memory is short, the kernel takes a child before pages and worker
PIECE = 1 << 16  # bytes

Say = Callable[..., None]


class Nursery:
    """A nursery for its owner. Each child calls `work`, with a key and a function that tells the owner something.

    A child can take `memory` bytes for itself; where it needs more, it gets a MemoryError. `name` and key name it in
    lists of processes.
    """

    def __init__(self, work: Callable[[int, Say], None], *, name: str, memory: int) -> None:
        self._work, self._name, self._memory = work, name, memory
        self._line, requests = socket.socketpair()
        if os.fork() == 0:
            self._line.close()
            self._tend(requests)
        requests.close()

    def wait(self) -> None:
        """Return when the nursery has ended."""
        self._line.recv(1)

    @contextmanager
    def child(self, key: int) -> Iterator["Child"]:
        """Yield a new child. If it still runs at the end of the block, or when this process ends, it ends, too."""
        ours, its_line = socket.socketpair()
        with ours:
            with its_line:
                socket.send_fds(self._line, [KEY.pack(key)], [its_line.fileno()])
            yield Child(ours)

    def _tend(self, requests: socket.socket) -> NoReturn:
        """Fork a child for each request, until the owner is gone."""
        _name_this_process("nursery")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the owner decides when to end
        signal.signal(signal.SIGCHLD, _bury)
        gc.freeze()
        while True:
            request, lines, _flags, _address = socket.recv_fds(requests, KEY.size, 1)
            if not request:
                os._exit(0)
            with socket.socket(fileno=lines[0]) as line:
                if os.fork() == 0:
                    requests.close()
                    self._grow_up(KEY.unpack(request)[0], line)

    def _grow_up(self, key: int, line: socket.socket) -> NoReturn:
        """Do the work in this process, and end it."""

        def say(**words: Any) -> None:
            line.sendall(json.dumps(words).encode() + b"\n")

        try:
            for number in (signal.SIGTERM, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            _name_this_process(f"{self._name} {key}")
            os.nice(NICENESS)
            with suppress(OSError):
                Path("/proc/self/oom_score_adj").write_text(LIKELY_TO_BE_KILLED)
            most = resource.getrlimit(resource.RLIMIT_DATA)[1]
            memory = self._memory if most == resource.RLIM_INFINITY else min(self._memory, most)
            resource.setrlimit(resource.RLIMIT_DATA, (memory, most))
            say(pid=os.getpid())
            threading.Thread(target=_end_with_the_owner, args=(line,), daemon=True).start()
            self._work(key, say)
        finally:
            os._exit(0)


class Child:
    """A child of a nursery for the owner."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._rest, self._pid = line, b"", 0

    def hear(self, *, within: float) -> list[dict[str, Any]] | None:
        """Return what it says next, each time that it speaks, within so many seconds; None when it has ended."""
        self._line.settimeout(within)
        try:
            piece = self._line.recv(PIECE)
        except TimeoutError:
            return []
        except ConnectionError:
            piece = b""
        if not piece:
            return None
        *lines, self._rest = (self._rest + piece).split(b"\n")
        said = [json.loads(line) for line in lines]
        for words in said:
            self._pid = words.pop("pid", self._pid)
        return said

    def kill(self) -> None:
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)


def _bury(*_: object) -> None:
    """Take note of the children that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _end_with_the_owner(line: socket.socket) -> None:
    """End this process when the owner is gone: it says nothing before. What it has not heard is an error to recv."""
    try:
        line.recv(1)
    finally:
        os._exit(3)


def _name_this_process(name: str) -> None:
    """Name this process for `ps` and `top`, where the kernel can."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)
