"""SQLite backend whose writers take turns.

SQLite has one writer at a time. A process that finds it locked sleeps for up to a tenth of a second and tries again;
among many busy writers some starve until they fail with "database is locked". Here writers wait for a lock on a file
beside the database: the kernel wakes them one after the other, and releases the lock when a process is killed
(docs/adr/0002). Readers never wait.

A request waits for its turn and for SQLite's lock together no longer than its page would, and only some requests of a
process wait: the threads of the others are free for pages that only read (docs/adr/0029). Jobs and commands wait
without end for their turn.

Connections stay open between requests, for as long as the path leads to the file that they opened.
"""

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import OperationalError
from django.db.backends.sqlite3 import base

READS = ("SELECT", "PRAGMA", "EXPLAIN", "BEGIN DEFERRED")
PATIENCE = 15.0  # seconds that a request waits: the script of its page gives up after 20 (static/js/core/outbox.js)
PLACES = 4  # requests of a process that wait at once, of its eight threads (config/gunicorn.py)
STUCK = 3.0  # seconds without a turn for any of them, after which further requests are refused at once
PAUSE = 0.002  # seconds between two looks at the turn

_in_request = ContextVar("in_request", default=False)
request_started.connect(lambda **_signal: _in_request.set(True), weak=False)
request_finished.connect(lambda **_signal: _in_request.set(False), weak=False)


class _Waiting:
    """The requests of this process that wait to write."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._moved_at = 0.0  # when the first of them came, or one got what it waited for

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold one of the places. Raises OperationalError where none becomes free while the queue stands still."""
        with self._changed:
            if not self._count:
                self._moved_at = time.monotonic()
            patience = self._moved_at + STUCK - time.monotonic()
            if not self._changed.wait_for(lambda: self._count < PLACES, timeout=patience):
                raise OperationalError("database is locked: others wait to write, and none gets its turn")
            self._count += 1
        try:
            yield
            self._moved_at = time.monotonic()
        finally:
            with self._changed:
                self._count -= 1
                self._changed.notify()


_waiting = _Waiting()


class DatabaseWrapper(base.DatabaseWrapper):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue: int | None = None
        self.opened: tuple[int, int, int] | None = None
        self.execute_wrappers.append(self._in_turn)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.is_in_memory_db():
            self.queue = os.open(f"{conn_params['database']}-turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        connection = super().get_new_connection(conn_params)
        self.opened = self._identity()
        return connection

    def is_usable(self) -> bool:
        """Tell whether it is this process that opened the file, and the file is still the one at the path.

        A fork must not use its parent's connection. A file that was moved away or deleted would still take grades, and
        they would be gone with it.
        """
        return self.opened == self._identity()

    def _identity(self) -> tuple[int, int, int] | None:
        """Return the process, and device and number of the file."""
        if self.is_in_memory_db():
            return None
        try:
            found = Path(self.settings_dict["NAME"]).stat()
        except FileNotFoundError:
            return None
        return os.getpid(), found.st_dev, found.st_ino

    def _in_turn(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Wait for the turn before a statement that writes, BEGIN among them; a transaction keeps its turn."""
        if self.queue is None or self.connection.in_transaction or sql.startswith(READS):
            return execute(sql, params, many, context)
        if _in_request.get():
            with _waiting.place():
                self._take_turn_in_time(self.queue)
                return self._execute_in_turn(execute, sql, params, many, context)
        fcntl.flock(self.queue, fcntl.LOCK_EX)
        return self._execute_in_turn(execute, sql, params, many, context)

    def _take_turn_in_time(self, queue: int) -> None:
        """Take the turn, and leave what is left of the patience to wait for SQLite's lock. Raises OperationalError."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise OperationalError("database is locked: another writer keeps its turn") from None
                time.sleep(PAUSE)
            else:
                break
        left = max(0, round((until - time.monotonic()) * 1000))
        self.connection.execute(f"PRAGMA busy_timeout = {left}")  # of this thread, which serves requests alone

    def _execute_in_turn(self, execute: Callable[..., Any], *statement: Any) -> Any:
        try:
            return execute(*statement)
        finally:
            self._give_the_turn_away()

    def _give_the_turn_away(self) -> None:
        if self.queue is not None and not self.connection.in_transaction:
            fcntl.flock(self.queue, fcntl.LOCK_UN)

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]  # left out of the stubs
        finally:
            self._give_the_turn_away()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # left out of the stubs
        finally:
            self._give_the_turn_away()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # left out of the stubs
        finally:
            if self.queue is not None:
                os.close(self.queue)
                self.queue = None
