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

KEY = struct.Struct("!q")  # of the work, as it is asked for
NICENESS = 10
LIKELY_TO_BE_KILLED = "500"  # of 1000: where memory is short, the kernel takes a child before pages and worker
PIECE = 1 << 16  # bytes

Say = Callable[..., None]
Work = Callable[[int, Say], None]


class Nursery:
    """A nursery as its owner sees it. `work` is called in each child, with a key and a function to say something."""

    def __init__(self, work: Work, *, name: str, memory: int) -> None:
        self._line, its_line = socket.socketpair()
        if os.fork() == 0:
            self._line.close()
            _tend(its_line, work, name, memory)
        its_line.close()

    def wait(self) -> None:
        """Return when the nursery has ended."""
        self._line.recv(1)

    @contextmanager
    def child(self, key: int) -> Iterator["Child"]:
        """Yield a new child. It ends at the end of the block if it runs on, and when this process ends."""
        ours, its_line = socket.socketpair()
        with ours:
            with its_line:
                socket.send_fds(self._line, [KEY.pack(key)], [its_line.fileno()])
            yield Child(ours)


class Child:
    """A child as the owner of the nursery sees it."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._rest, self._pid = line, b"", 0

    def hear(self, *, within: float) -> dict[str, Any] | None:
        """Return what it has said within so many seconds; None when it has ended."""
        self._line.settimeout(within)
        try:
            piece = self._line.recv(PIECE)
        except TimeoutError:
            return {}
        except ConnectionError:
            piece = b""
        if not piece:
            return None
        *lines, self._rest = (self._rest + piece).split(b"\n")
        said = {name: value for line in lines for name, value in json.loads(line).items()}
        self._pid = said.pop("pid", self._pid)
        return said

    def kill(self) -> None:
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)


def _tend(requests: socket.socket, work: Work, name: str, memory: int) -> NoReturn:
    """Fork a child for each request, until the worker is gone."""
    _call_this_process("nursery")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, _bury)
    gc.freeze()
    while True:
        request, lines, _flags, _address = socket.recv_fds(requests, KEY.size, 1)
        if not request:
            os._exit(0)
        line = socket.socket(fileno=lines[0])
        if os.fork() == 0:
            requests.close()
            _grow_up(*KEY.unpack(request), line, work, name, memory)
        line.close()


def _bury(*_: object) -> None:
    """Take note of the children that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _grow_up(key: int, line: socket.socket, work: Work, name: str, memory: int) -> NoReturn:
    """Do the work in this process, and end it."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _call_this_process(f"{name} {key}")
        os.nice(NICENESS)
        _be_killed_before_others()
        _limit(memory)

        def say(**words: Any) -> None:
            line.sendall(json.dumps(words).encode() + b"\n")

        say(pid=os.getpid())
        threading.Thread(target=_end_with_the_owner, args=(line,), daemon=True).start()
        work(key, say)
    finally:
        os._exit(0)


def _end_with_the_owner(line: socket.socket) -> None:
    line.recv(1)  # the owner says nothing: this returns when it is gone
    os._exit(3)


def _limit(memory: int) -> None:
    """Let this process have no more memory of its own than so many bytes; what asks for more gets a MemoryError."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (memory if hard == resource.RLIM_INFINITY else min(memory, hard), hard))


def _call_this_process(name: str) -> None:
    """Give this process a name for `ps` and `top`, where the kernel can."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)


def _be_killed_before_others() -> None:
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(LIKELY_TO_BE_KILLED)
