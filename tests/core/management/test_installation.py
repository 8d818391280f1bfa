"""backup, restore and health: for the installation itself, also where it has no account, no table or no database."""

from collections.abc import Callable, Iterator
from pathlib import Path

import dj_database_url
import pytest
from celery import current_app
from django.db import connections
from django.db.utils import ConnectionHandler
from kombu import Connection

from annotation.models import Project
from core.models import User, last_times

KEYS = [  # fixed: scripts read them
    "ok",
    "database",
    "migrations",
    "broker",
    "worker_seconds",
    "beat_seconds",
    "trainer_seconds",
    "disk_free",
    "backup_age",
]


@pytest.fixture(autouse=True)
def data_dir(tmp_path, settings) -> Path:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    return tmp_path


@pytest.fixture
def running() -> None:
    last_times.note("worker")
    last_times.note("beat")
    last_times.note("trainer")


@pytest.fixture
def use(db) -> Iterator[Callable[[Path], None]]:
    """Return a function that goes over to a SQLite file in which nothing was migrated."""
    own = connections["default"]

    def go_over(path: Path) -> None:
        connections["default"] = ConnectionHandler({"default": dj_database_url.parse(f"sqlite:///{path}")})["default"]

    yield go_over
    connections["default"].close()
    connections["default"] = own


def test_a_running_installation_is_well(db, running, shell):
    printed = shell("health", "--json")
    assert (printed.code, list(printed.json), printed.json["ok"]) == (0, KEYS, True)
    assert shell("health").code == 0
    assert not User.objects.exists()


@pytest.mark.parametrize("who", ["worker", "beat", "trainer"])
@pytest.mark.parametrize(("seconds", "code"), [(55, 0), (65, 1)])
def test_a_part_that_is_silent_for_a_minute_is_not_well(who, seconds, code, db, running, shell, monkeypatch):
    now = last_times.time.time()
    monkeypatch.setattr(last_times.time, "time", lambda: now + seconds)
    for other in {"worker", "beat", "trainer"} - {who}:
        last_times.note(other, at=now + seconds)
    printed = shell("health", "--json")
    assert (printed.code, printed.json[f"{who}_seconds"]) == (code, seconds)


def test_what_never_ran_is_not_well(db, shell):
    printed = shell("health", "--json")
    assert (printed.code, printed.json["worker_seconds"], printed.json["backup_age"]) == (1, None, None)


def test_a_database_that_does_not_answer_is_told(db, running, shell, use, data_dir):
    use(data_dir / "no folder" / "colloquy.sqlite3")
    printed = shell("health", "--json")
    assert (printed.code, printed.json["database"], printed.json["migrations"]) == (1, False, None)


def test_a_database_without_its_migrations_is_told(db, running, shell, use, data_dir):
    use(data_dir / "new.sqlite3")
    printed = shell("health", "--json")
    assert (printed.code, printed.json["database"], printed.json["migrations"]) == (1, True, False)


def test_a_broker_that_is_away_is_told(db, running, shell, monkeypatch):
    monkeypatch.setattr(current_app, "connection_for_write", lambda **_: Connection("redis://127.0.0.1:1/0"))
    printed = shell("health", "--json")
    assert (printed.code, printed.json["broker"]) == (1, False)


def test_a_backup_is_restored_where_no_table_is(project, shell, use, data_dir):
    file = data_dir / "backup.zip"
    assert shell("backup", file, "--json").code == 0
    use(data_dir / "new.sqlite3")
    assert shell("restore", file).code == 0
    assert Project.objects.get().slug == project.slug
    assert shell("restore", file, "--json").json["code"] == "in_use"


def test_a_folder_that_is_not_there_is_wrong_usage(db, shell, data_dir):
    assert shell("backup", data_dir / "no folder" / "backup.zip").code == 2
    assert shell("restore", data_dir / "backup.zip").code == 2


def test_only_an_administrator_does_so_by_name(researcher, administrator, running, shell):
    assert shell("health", "--as", researcher.username).code == 1
    assert shell("health", "--as", administrator.username).code == 0
