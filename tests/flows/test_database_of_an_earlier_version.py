"""A database made before 0.2 stops the start, says what to do, and keeps what it has. Others pass."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dj_database_url
import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler

from config.earlier_version import WHAT_IT_IS, WHAT_TO_DO, is_of_an_earlier_version
from tests.live_server import ROOT


@pytest.fixture
def database(database_url: str, django_db_blocker: pytest.FixtureRequest) -> Iterator[BaseDatabaseWrapper]:
    with django_db_blocker.unblock():
        own = ConnectionHandler({"default": dj_database_url.parse(database_url)})["default"]
        yield own
        own.close()


@pytest.fixture
def old_database(database: BaseDatabaseWrapper) -> BaseDatabaseWrapper:
    """Migrations were applied, one of them by the name of one of ours; the accounts were in another table."""
    drop_tables(database)
    record_migration(database, "annotation", "0001_initial")
    record_migration(database, "annotation", "0018_time_of_writing")
    with database.cursor() as cursor:
        cursor.execute("CREATE TABLE annotation_grade (grade integer)")
        cursor.execute("INSERT INTO annotation_grade VALUES (4)")
    database.close()
    return database


def drop_tables(database: BaseDatabaseWrapper) -> None:
    cascade = " CASCADE" if database.vendor == "postgresql" else ""
    with database.constraint_checks_disabled(), database.cursor() as cursor:
        for table in database.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {table}{cascade}")


def record_migration(database: BaseDatabaseWrapper, app: str, name: str) -> None:
    MigrationRecorder(database).ensure_schema()
    with database.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, '2026-11-23')", [app, name])


def rows(database: BaseDatabaseWrapper) -> dict[str, list[tuple[object, ...]]]:
    """Everything in the database, by table."""
    found = {}
    with database.cursor() as cursor:
        for table in database.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {table}")
            found[table] = cursor.fetchall()
    database.close()
    return found


def run(database_url: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATA_DIR": str(folder), "DATABASE_URL": database_url, "SECRET_KEY": "of this test"}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "CELERY_BROKER_URL": "filesystem://"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "arguments", [("manage.py", "migrate"), ("-c", "import config.wsgi")], ids=["migrate", "the web process"]
)
def test_a_database_of_an_earlier_version_stops_the_start_and_is_kept(old_database, database_url, tmp_path, arguments):
    before = rows(old_database)
    assert set(before) == {"django_migrations", "annotation_grade"}
    done = run(database_url, tmp_path, *arguments)
    assert done.returncode == 1
    assert WHAT_IT_IS in done.stderr and WHAT_TO_DO in done.stderr
    assert rows(old_database) == before


def test_an_empty_database_passes(database):
    assert not is_of_an_earlier_version(database)


def test_a_database_with_the_migrations_of_something_else_passes(database):
    record_migration(database, "contenttypes", "0001_initial")
    assert not is_of_an_earlier_version(database)


@pytest.mark.django_db
def test_our_own_database_passes():
    assert not is_of_an_earlier_version(connection)


def test_the_web_process_starts_while_its_database_is_away(tmp_path):
    no_file = f"sqlite:///{tmp_path}"
    assert run(no_file, tmp_path, "-c", "import config.wsgi").returncode == 0
