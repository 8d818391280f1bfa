"""SQLite backend whose writers take turns.

SQLite has one writer at a time. A process that finds it locked sleeps for up to a tenth of a second and tries again;
among many busy writers some starve until they fail with "database is locked". Here writers wait for a lock on a file
beside the database: the kernel wakes them one after the other, and releases the lock when a process is killed
(docs/adr/0002). Readers never wait.

Connections stay open between requests, for as long as the path leads to the file that they opened.
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

READS = ("SELECT", "PRAGMA", "EXPLAIN", "BEGIN DEFERRED")


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
        fcntl.flock(self.queue, fcntl.LOCK_EX)
        try:
            return execute(sql, params, many, context)
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
