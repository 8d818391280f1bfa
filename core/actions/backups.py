"""Backup of an installation: all rows and all uploads in one zip file, while people go on working.

Rows are lines of JSON, so each database takes what the other gave; the secret key is not in it (docs/adr/0024).
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.backups import MANIFEST, ROWS, UPLOADS, Manifest
from core.models import last_times, rows
from core.models.snapshot import consistent_read
from core.models.uploads import uploads
from core.selectors import migrations

BLOCK = 1024 * 1024
DATABASE_NEWER = _(
    "No backup was made: the database belongs to a newer version of Colloquy. Make the backup with that version."
)


class ByteCount:
    """Reports how many bytes have gone through."""

    def __init__(self, report: ProgressReport, total: int | None = None) -> None:
        self.report, self.total, self.done = report, total, 0

    def through(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self.done += len(block)
            self.report(self.done, self.total)
            yield block


def back_up(*, path: Path, report: ProgressReport) -> Manifest:
    """Write a backup, which takes the place of `path` when it is complete.

    Raises Refused, or OSError when it cannot be written.
    """
    count = ByteCount(report)
    with _replacing(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        with consistent_read():
            loader = MigrationLoader(connection)
            applied = frozenset(loader.applied_migrations or ())
            if not migrations.are_known(loader, applied):
                raise Refused("database_newer", DATABASE_NEWER)
            manifest = Manifest(timezone.now(), applied, {})
            for label, table in rows.tables(migrations.models_at(loader, applied)).items():
                _add(archive, manifest, ROWS + label, count.through(rows.lines_of(table)))
        for upload in uploads():  # after the rows: an upload is complete before a row names it
            with suppress(FileNotFoundError), default_storage.open(upload) as content:  # deleted since
                _add(archive, manifest, UPLOADS + upload, count.through(content.chunks(BLOCK)))
        archive.writestr(MANIFEST, manifest.to_json())
    last_times.note("backup")
    return manifest


def _add(archive: ZipFile, manifest: Manifest, name: str, blocks: Iterable[bytes]) -> None:
    """Add a file to the archive, and its checksum to the manifest."""
    digest = sha256()
    with archive.open(name, "w", force_zip64=True) as entry:
        for block in blocks:
            digest.update(block)
            entry.write(block)
    manifest.checksums[name] = digest.hexdigest()


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that only its owner reads; it takes the place of `path` at the end, or is removed on failure."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink()
            raise
