"""Prepared results that are slow to make and the same for every test: a migrated database, the collected static files.

They are kept in var/prepared and, on a PostgreSQL server, as a template database. Their names contain a digest of their
sources: after a change of a migration, a model or a static file the next test that needs them makes them again.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "var" / "prepared"
OF_DATABASES = ("requirements.lock", "config/settings.py", "*/migrations/*.py", "*/models/**/*.py", "*/models.py")
OF_FILES = ("requirements.lock", "config/static.py", "static/**/*")


def migrated_file(path: Path) -> None:
    """Copy a migrated SQLite database to the path."""
    with _one_at_a_time():
        shutil.copyfile(_kept("sqlite3", OF_DATABASES, lambda new: _manage(f"sqlite:///{new}", "migrate")), path)


def migrated_database(server: str, name: str) -> None:
    """Create a migrated database of this name on the PostgreSQL server."""
    with _one_at_a_time(), psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {_template(connection, server)}")


def collected_files(folder: Path) -> None:
    """Copy the files that `collectstatic` collects to the folder."""
    with _one_at_a_time():
        shutil.copytree(_kept("static", OF_FILES, _collect), folder)


def _template(connection: "psycopg.Connection[tuple[str]]", server: str) -> str:
    """Return the name of the server's template database of this checkout, after making it where there is none."""
    family = f"colloquy_{hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]}_"
    name = family + _digest(OF_DATABASES)
    rows = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{family}%"]).fetchall()
    others = {found for [found] in rows}
    if name not in others:
        for other in others:
            connection.execute(f"DROP DATABASE {other} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {family}unfinished")
        _manage(f"{server.rpartition('/')[0]}/{family}unfinished", "migrate")
        connection.execute(f"ALTER DATABASE {family}unfinished RENAME TO {name}")
    return name


def _kept(name: str, sources: Iterable[str], make: Callable[[Path], None]) -> Path:
    """Return the path of what `make` makes of the sources, after making it where it is not kept yet."""
    kept = KEPT / f"{_digest(sources)}.{name}"
    if not kept.exists():
        for other in KEPT.glob(f"*.{name}"):
            shutil.rmtree(other) if other.is_dir() else other.unlink()
        with TemporaryDirectory(dir=KEPT) as folder:
            make(Path(folder) / name)
            (Path(folder) / name).rename(kept)
    return kept


def _collect(folder: Path) -> None:
    with TemporaryDirectory(dir=KEPT) as data:
        _manage(f"sqlite:///{data}/unused.sqlite3", "collectstatic", "--no-input", DATA_DIR=data)
        (Path(data) / "static").rename(folder)


def _manage(database: str, *command: str, **environment: str) -> None:
    with TemporaryDirectory() as data:
        own = {"DATABASE_URL": database, "DATA_DIR": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        subprocess.run(
            [sys.executable, "manage.py", *command, "--verbosity", "0"],
            cwd=ROOT,
            env={**os.environ, **own, **environment},
            check=True,
        )


def _digest(sources: Iterable[str]) -> str:
    """Return a short digest of the names and contents of these files."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted({path for pattern in sources for path in ROOT.glob(pattern) if path.is_file()}):
        digest.update(f"{path.relative_to(ROOT)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\0".encode())
    return digest.hexdigest()[:12]


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let one process of this checkout make or copy things while the others wait."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
