"""Restoring a backup into an installation without rows and uploads."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext_lazy as _

from core.actions.backups import BLOCK, ByteCount
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.backups import MANIFEST, ROWS, UPLOADS, Manifest
from core.models import SecretKeyDigest, bulk, last_times, rows
from core.models.rows import Table
from core.models.uploads import uploads
from core.selectors import migrations

DAMAGED = _("Nothing was restored: the file is damaged, or is not a Colloquy backup. Use another file.")
NEWER = _("Nothing was restored: a newer version of Colloquy made this backup. Restore it with that version.")
IN_USE = _(
    "Nothing was restored: this installation is in use. Restore into a new one: name another folder in DATA_DIR and, "
    "for PostgreSQL, a new database in DATABASE_URL."
)
WRITTEN_BY_MIGRATE = SecretKeyDigest._meta.label_lower


def restore(*, path: Path, report: ProgressReport) -> Manifest:
    """Restore a backup; one of an earlier version is migrated afterwards.

    Raises Refused before a row is written, or OSError.
    """
    manifest = _checked(path, report)
    executor = MigrationExecutor(connection)
    if not migrations.are_known(executor.loader, manifest.migrations):
        raise Refused("backup_newer", NEWER)
    if set(executor.loader.applied_migrations or ()) not in (set(), manifest.migrations):
        raise Refused("in_use", IN_USE)
    executor.migrate(migrations.newest(executor.loader, manifest.migrations))
    tables = rows.tables(migrations.models_at(executor.loader, manifest.migrations))
    if _are_in_use(tables):
        raise Refused("in_use", IN_USE)
    _store(path, manifest, tables, report)
    latest = MigrationExecutor(connection)
    latest.migrate(latest.loader.graph.leaf_nodes())
    last_times.note("backup", at=manifest.made_at.timestamp())
    return manifest


def _checked(path: Path, report: ProgressReport) -> Manifest:
    """Read the whole file and return its manifest. Raises Refused unless all content is as it was written."""
    try:
        with ZipFile(path) as archive:
            manifest = Manifest.from_json(archive.read(MANIFEST))
            count = ByteCount(report, _size(archive))
            is_whole = all(_checksum(archive, name, count) == sum for name, sum in manifest.checksums.items())
    except Exception as broken:  # what is raised for altered bytes has no common base
        raise Refused("backup_damaged", DAMAGED) from broken
    if not is_whole:
        raise Refused("backup_damaged", DAMAGED)
    return manifest


def _checksum(archive: ZipFile, name: str, count: ByteCount) -> str:
    digest = sha256()
    with archive.open(name) as content:
        for block in count.through(iter(lambda: content.read(BLOCK), b"")):
            digest.update(block)
    return digest.hexdigest()


def _size(archive: ZipFile) -> int:
    return sum(entry.file_size for entry in archive.infolist())


def _are_in_use(tables: Mapping[str, Table]) -> bool:
    """Return whether there are uploads, or rows other than those that `migrate` writes."""
    filled = (table._base_manager.exists() for label, table in tables.items() if label != WRITTEN_BY_MIGRATE)
    return any(uploads()) or any(filled)


def _store(path: Path, manifest: Manifest, tables: Mapping[str, Table], report: ProgressReport) -> None:
    """Store all rows and uploads, or on failure none."""
    with ZipFile(path) as archive, _no_uploads_on_failure(), transaction.atomic():
        tables[WRITTEN_BY_MIGRATE]._base_manager.all().delete()
        count = ByteCount(report, _size(archive))
        for name in manifest.checksums:
            with archive.open(name) as content:
                if name.startswith(ROWS):
                    rows.insert_lines(tables[name.removeprefix(ROWS)], count.through(content))
                else:
                    default_storage.save(name.removeprefix(UPLOADS), File(content))
        rows.continue_numbering(tables.values())
    bulk.gather_statistics(*tables.values())


@contextmanager
def _no_uploads_on_failure() -> Iterator[None]:
    try:
        yield
    except BaseException:
        shutil.rmtree(default_storage.path(""), ignore_errors=True)
        raise
