"""Separate databases for tests and benchmarks whose processes share one: migrated, removed afterwards."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

from tests import prepared


def sqlite(folder: Path) -> str:
    """Make a SQLite file in the folder and return its URL."""
    folder.mkdir(parents=True, exist_ok=True)
    prepared.migrated_file(folder / "colloquy.sqlite3")
    return f"sqlite:///{folder / 'colloquy.sqlite3'}"


@contextmanager
def postgresql(server: str) -> Iterator[str]:
    """Create a database on this server and yield its URL; drop it at the end, even if it is still in use."""
    name = f"colloquy_{uuid4().hex[:12]}"
    prepared.migrated_database(server, name)
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def of_this_run(folder: Path) -> Iterator[str]:
    """Yield a database of the kind that the whole run of tests is on: PostgreSQL when DATABASE_URL names one."""
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        with postgresql(server) as url:
            yield url
    else:
        yield sqlite(folder)
