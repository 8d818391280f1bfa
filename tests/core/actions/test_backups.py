"""A backup has all rows and uploads of one moment; only a whole and known one goes into an empty installation."""

import json
import stat
import struct
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from annotation.actions.releases import releases
from annotation.models import Project
from core.actions.backups import back_up
from core.actions.refusals import Refused
from core.actions.restoring import restore
from core.models import User
from core.models.rows import tables
from core.models.uploads import uploads
from tests import factories
from tests.factories import no_progress
from tests.study import study_cases
from tests.study.report_cases import frozen, reported_study

PAIRS = "吃了吗?\t吃了,你呢?\n周末去哪儿?\t去爬山。\n"


@pytest.fixture(autouse=True)
def data_dir(tmp_path, settings) -> Path:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    return tmp_path


@pytest.fixture
def work(project, annotator, partner, administrator) -> Project:
    """Return a project with an upload, grades and a release, beside an open study and one with a report."""
    factories.stored(project, PAIRS)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4, 3)
    releases.freeze(project=project, seed=0, report=no_progress, job=None, by=administrator)
    study_cases.sample_study(by=administrator)
    frozen(reported_study(administrator), administrator)  # files of bytes
    return project


@pytest.fixture
def file(data_dir) -> Path:
    return data_dir / "backup.zip"


def content() -> dict[str, list[tuple[object, ...]]]:
    """Return all rows in the database, by table."""
    models = apps.get_models(include_auto_created=True)
    return {model._meta.db_table: list(model._base_manager.order_by("pk").values_list()) for model in models}


def uploaded() -> dict[str, bytes]:
    return {name: Path(default_storage.path(name)).read_bytes() for name in uploads()}


def empty_the_installation() -> None:
    connection.check_constraints()  # PostgreSQL empties no table of which a foreign key has still to be checked
    names = [table._meta.db_table for table in tables(apps).values()]
    with connection.cursor() as cursor:
        for statement in connection.ops.sql_flush(no_style(), names, reset_sequences=True, allow_cascade=True):
            cursor.execute(statement)
    for name in list(uploads()):
        default_storage.delete(name)


def refusal(file: Path) -> str:
    with pytest.raises(Refused) as refused:
        restore(path=file, report=no_progress)
    return refused.value.code


def flip_a_bit(file: Path, name: str) -> None:
    """Damage the middle of what the zip file holds under a name."""
    with ZipFile(file) as archive:
        entry = archive.getinfo(name)
    damaged = bytearray(file.read_bytes())
    before = sum(struct.unpack_from("<HH", damaged, entry.header_offset + 26))  # lengths of its name and extra field
    damaged[entry.header_offset + 30 + before + entry.compress_size // 2] ^= 1
    file.write_bytes(damaged)


def rewrite(file: Path, change: Callable[[dict], object]) -> None:
    """Change the manifest of a backup."""
    with ZipFile(file) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(entries["manifest.json"])
    change(manifest)
    with ZipFile(file, "w") as new:
        for name, each in (entries | {"manifest.json": json.dumps(manifest).encode()}).items():
            new.writestr(name, each)


def test_rows_and_uploads_come_back_as_they_were(work, administrator, file):
    rows, files = content(), uploaded()
    back_up(path=file, report=no_progress)
    empty_the_installation()
    restore(path=file, report=no_progress)
    assert content() == rows
    assert uploaded() == files != {}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_work_goes_on_after_restoring(work, file):
    frozen = work.releases.get()
    back_up(path=file, report=no_progress)
    empty_the_installation()
    restore(path=file, report=no_progress)
    by = factories.person("next")
    assert by.pk > max(User.objects.exclude(pk=by.pk).values_list("pk", flat=True))
    again = releases.freeze(project=Project.objects.get(), seed=0, report=no_progress, job=None, by=by)
    assert (again.number, again.checksum) == (frozen.number + 1, frozen.checksum)


@pytest.mark.parametrize("name", ["manifest.json", "rows/core.user", "media/recording"])
def test_a_damaged_file_is_refused(name, project, file):
    default_storage.save("recording", ContentFile(bytes(range(256))))
    back_up(path=file, report=no_progress)
    empty_the_installation()
    flip_a_bit(file, name)
    assert refusal(file) == "backup_damaged"
    assert not User.objects.exists()


@pytest.mark.parametrize("wrong", [b"", b"text", b"PK\x05\x06" + bytes(18)])
def test_a_file_that_is_no_backup_is_refused(wrong, db, file):
    file.write_bytes(wrong)
    assert refusal(file) == "backup_damaged"


def test_a_file_whose_checksum_is_another_is_refused(project, file):
    back_up(path=file, report=no_progress)
    rewrite(file, lambda manifest: manifest["checksums"].update({"rows/core.user": "0" * 64}))
    empty_the_installation()
    assert refusal(file) == "backup_damaged"


def test_a_backup_of_a_newer_version_is_refused(project, file):
    back_up(path=file, report=no_progress)
    rewrite(file, lambda manifest: manifest["migrations"].append(["study", "9999_of_tomorrow"]))
    empty_the_installation()
    assert refusal(file) == "backup_newer"


def test_a_database_of_a_newer_version_is_not_backed_up_by_halves(project, file):
    MigrationRecorder(connection).record_applied("study", "9999_of_tomorrow")
    with pytest.raises(Refused) as refused:
        back_up(path=file, report=no_progress)
    assert refused.value.code == "database_newer"
    assert not file.exists()


def test_an_installation_in_use_is_left_as_it_is(work, file):
    rows, files = content(), uploaded()
    back_up(path=file, report=no_progress)
    assert refusal(file) == "in_use"
    assert (content(), uploaded()) == (rows, files)


def test_an_installation_with_an_upload_alone_is_in_use(project, file):
    back_up(path=file, report=no_progress)
    empty_the_installation()
    default_storage.save("recording", ContentFile(b"sound"))
    assert refusal(file) == "in_use"


def test_a_backup_that_cannot_be_finished_leaves_the_last_one(project, file, data_dir):
    file.write_bytes(b"the last one")

    def stop(done: int, total: int | None = None) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        back_up(path=file, report=stop)
    assert file.read_bytes() == b"the last one"
    assert [path.name for path in data_dir.iterdir() if path.is_file()] == [file.name]


@pytest.mark.django_db(transaction=True)
def test_what_is_written_meanwhile_is_not_in_it(administrator, file):
    def write() -> None:
        factories.person("meanwhile")
        connection.close()

    def write_beside(done: int, total: int | None = None) -> None:
        if not writer.ident:  # at the first bytes: the accounts are read after these
            writer.start()
            writer.join()

    writer = Thread(target=write)
    back_up(path=file, report=write_beside)
    assert User.objects.filter(username="meanwhile").exists()
    with ZipFile(file) as archive:
        assert b"ada" in archive.read("rows/core.user")
        assert b"meanwhile" not in archive.read("rows/core.user")
