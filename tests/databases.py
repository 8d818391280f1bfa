"""Databases of their own, for tests and benchmarks whose processes share one: made empty, removed afterwards."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg


def sqlite(folder: Path) -> str:
    """The URL of a SQLite file in the folder."""
    return f"sqlite:///{folder / 'colloquy.sqlite3'}"


@contextmanager
def postgresql(server: str) -> Iterator[str]:
    """The URL of a new database on this server, which is dropped at the end whoever still uses it."""
    name = f"colloquy_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def of_this_run(folder: Path) -> Iterator[str]:
    """A database of the kind that the whole run of tests is on: PostgreSQL when DATABASE_URL names one."""
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        with postgresql(server) as url:
            yield url
    else:
        yield sqlite(folder)
