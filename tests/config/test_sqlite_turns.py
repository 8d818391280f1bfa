"""SQLite's writers take turns. Its own waiting is switched off here, so that a writer out of turn fails at once."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.signals import request_started
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from config.sqlite3 import base
from core.presenters.refusals import is_of_storage
from tests.flows.waiting import eventually
from tests.live_server import PATIENCE

HOLD_A_TURN = """
import sys
from tests.config.test_sqlite_turns import database
connection = database(sys.argv[1])["default"]
connection.cursor().execute("BEGIN IMMEDIATE")
connection.cursor().execute("UPDATE tally SET count = 1000")
print("begun", flush=True)
sys.stdin.read()
"""


def database(file: str) -> ConnectionHandler:
    """Return connections to the database file, one for each thread. They wait while others open or close it alone."""
    options = {
        "transaction_mode": "IMMEDIATE",
        "timeout": PATIENCE,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA busy_timeout=0",
    }
    return ConnectionHandler({"default": {"ENGINE": "config.sqlite3", "NAME": file, "OPTIONS": options}})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "turns.sqlite3"


@pytest.fixture
def connections(file: Path, django_db_blocker: Any) -> Iterator[ConnectionHandler]:
    connections = database(str(file))
    with django_db_blocker.unblock():
        run(connections["default"], "CREATE TABLE tally (count integer)")
        run(connections["default"], "INSERT INTO tally VALUES (0)")
        yield connections
        connections["default"].close()


def run(connection: BaseDatabaseWrapper, sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def count(connection: BaseDatabaseWrapper) -> int:
    with connection.cursor() as cursor:
        return cursor.execute("SELECT count FROM tally").fetchone()[0]


def at_once(connections: ConnectionHandler, times: int, work: Callable[[BaseDatabaseWrapper], None]) -> None:
    """Do the work in several threads, and raise what went wrong in any of them."""
    wrong: list[Exception] = []

    def one() -> None:
        try:
            work(connections["default"])
        except Exception as error:
            wrong.append(error)
        finally:
            connections["default"].close()

    threads = [threading.Thread(target=one) for _time in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_many_transactions_at_once_all_get_their_turn(connections):
    def count_up(connection: BaseDatabaseWrapper) -> None:
        for _time in range(20):
            run(connection, "BEGIN IMMEDIATE")
            run(connection, f"UPDATE tally SET count = {count(connection) + 1}")
            connection.commit()

    at_once(connections, 8, count_up)
    assert count(connections["default"]) == 160


def test_single_statements_take_turns_too(connections):
    def count_up(connection: BaseDatabaseWrapper) -> None:
        for _time in range(20):
            run(connection, "UPDATE tally SET count = count + 1")

    at_once(connections, 8, count_up)
    assert count(connections["default"]) == 160


def test_readers_wait_for_nobody(connections):
    seen: list[int] = []
    run(connections["default"], "BEGIN IMMEDIATE")
    run(connections["default"], "UPDATE tally SET count = 5")
    at_once(connections, 1, lambda connection: seen.append(count(connection)))
    connections["default"].commit()
    assert seen == [0]


@pytest.mark.parametrize("end", ["commit", "rollback", "close"])
def test_the_turn_ends_with_the_transaction(connections, end):
    run(connections["default"], "BEGIN IMMEDIATE")
    getattr(connections["default"], end)()
    at_once(connections, 1, lambda connection: run(connection, "UPDATE tally SET count = 7"))
    assert count(connections["default"]) == 7


def test_a_statement_that_fails_gives_its_turn_away(connections):
    with pytest.raises(OperationalError, match="no such table"):
        run(connections["default"], "UPDATE missing SET count = 1")
    at_once(connections, 1, lambda connection: run(connection, "UPDATE tally SET count = 7"))
    assert count(connections["default"]) == 7


def test_a_killed_process_gives_its_turn_away_and_leaves_nothing_behind(connections, file):
    command = [sys.executable, "-c", HOLD_A_TURN, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "begun\n"
        holder.kill()
    run(connections["default"], "UPDATE tally SET count = count + 1")
    assert count(connections["default"]) == 1


class OthersTurn:
    """A writer that is no request and has the turn until it gives it away."""

    def __init__(self, connections: ConnectionHandler) -> None:
        self.connection = connections["default"]
        run(self.connection, "BEGIN IMMEDIATE")

    def give_away(self) -> None:
        self.connection.rollback()


class Writers:
    """Threads that each count up once; `refused` holds the errors of those that gave up."""

    def __init__(self, connections: ConnectionHandler, times: int, *, as_requests: bool) -> None:
        self.connections, self.as_requests = connections, as_requests
        self.refused: list[OperationalError] = []
        self.begun = threading.Semaphore(0)
        self.threads = [threading.Thread(target=self.write) for _time in range(times)]
        for thread in self.threads:
            thread.start()
        for _thread in self.threads:
            assert self.begun.acquire(timeout=PATIENCE)

    def write(self) -> None:
        if self.as_requests:
            request_started.send(sender=None)
        self.begun.release()
        try:
            run(self.connections["default"], "UPDATE tally SET count = count + 1")
        except OperationalError as refused:
            self.refused.append(refused)
        finally:
            self.connections["default"].close()

    def join(self) -> None:
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


@pytest.fixture
def patience(monkeypatch):
    def set_to(*, seconds: float, stuck: float = PATIENCE) -> None:
        monkeypatch.setattr(base, "PATIENCE", seconds)
        monkeypatch.setattr(base, "STUCK", stuck)

    return set_to


def test_requests_give_up_while_another_writer_keeps_its_turn(connections, patience):
    patience(seconds=0.1)
    holder = OthersTurn(connections)
    writers = Writers(connections, 8, as_requests=True)
    writers.join()
    holder.give_away()
    assert (len(writers.refused), count(connections["default"])) == (8, 0)
    assert all(is_of_storage(refused) for refused in writers.refused)


def test_requests_give_up_while_another_program_has_the_file_locked(connections, file, patience):
    patience(seconds=0.1)
    with closing(sqlite3.connect(file, isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        writers = Writers(connections, 8, as_requests=True)
        writers.join()
        assert count(connections["default"]) == 0
    assert len(writers.refused) == 8


def test_few_requests_wait_and_the_others_are_refused_once_none_gets_its_turn(connections, patience):
    patience(seconds=PATIENCE, stuck=0.1)
    holder = OthersTurn(connections)
    writers = Writers(connections, 8, as_requests=True)
    assert eventually(lambda: len(writers.refused) == 4), "more than four wait"
    late = Writers(connections, 3, as_requests=True)
    late.join()
    holder.give_away()
    writers.join()
    assert (len(writers.refused), len(late.refused), count(connections["default"])) == (4, 3, 4)


def test_requests_wait_for_each_other_while_the_queue_moves(connections, patience):
    patience(seconds=PATIENCE)
    writers = Writers(connections, 24, as_requests=True)
    writers.join()
    assert (writers.refused, count(connections["default"])) == ([], 24)


def test_a_request_that_waited_gets_its_turn(connections, patience):
    patience(seconds=PATIENCE)
    holder = OthersTurn(connections)
    writers = Writers(connections, 4, as_requests=True)
    holder.give_away()
    writers.join()
    assert (writers.refused, count(connections["default"])) == ([], 4)


def test_jobs_and_commands_wait_as_long_as_it_takes(connections, patience):
    patience(seconds=0, stuck=0)
    holder = OthersTurn(connections)
    writers = Writers(connections, 8, as_requests=False)
    request = Writers(connections, 1, as_requests=True)
    request.join()
    holder.give_away()
    writers.join()
    assert (len(request.refused), writers.refused, count(connections["default"])) == (1, [], 8)


def next_request(connection: BaseDatabaseWrapper) -> None:
    """Do what Django does with a kept connection between two requests."""
    connection.close_if_unusable_or_obsolete()


@pytest.fixture
def kept(connections: ConnectionHandler) -> BaseDatabaseWrapper:
    connection = connections["default"]
    connection.settings_dict |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
    connection.close()
    connection.ensure_connection()
    return connection


def test_a_connection_stays_open_from_request_to_request(kept):
    opened = kept.connection
    next_request(kept)
    assert count(kept) == 0
    assert kept.connection is opened


@pytest.mark.parametrize("way", ["deleted", "moved", "replaced"])
def test_nothing_is_written_to_a_file_that_is_no_longer_at_its_path(way, kept, file, tmp_path):
    run(kept, "PRAGMA wal_checkpoint(TRUNCATE)")
    if way == "replaced":
        shutil.copyfile(file, tmp_path / "copy")
        (tmp_path / "copy").replace(file)
    elif way == "moved":
        file.rename(tmp_path / "elsewhere")
    else:
        file.unlink()
    next_request(kept)
    if way == "replaced":
        run(kept, "UPDATE tally SET count = 9")
        with closing(sqlite3.connect(file)) as fresh:
            assert fresh.execute("SELECT count FROM tally").fetchone() == (9,)
    else:
        with pytest.raises(OperationalError, match="no such table"):
            run(kept, "UPDATE tally SET count = 9")


def test_a_fork_opens_its_own_connection(kept):
    opened = kept.connection
    kept.opened = (kept.opened[0] + 1, *kept.opened[1:])  # as if another process had opened it
    next_request(kept)
    assert count(kept) == 0
    assert kept.connection is not opened
