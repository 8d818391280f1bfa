"""Zip files whose bytes depend only on the files in them."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that the format knows
READABLE = 0o644 << 16


def write_zip(files: Iterable[Path], folder: Path, archive: IO[bytes]) -> None:
    """Write the files, named by their paths within the folder, into an open file: no clock, no owner, a fixed order."""
    with ZipFile(archive, "w", ZIP_DEFLATED) as zipped:
        for name, path in sorted((path.relative_to(folder).as_posix(), path) for path in files):
            entry = ZipInfo(name, NO_TIME)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, READABLE
            with path.open("rb") as source, zipped.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)
