"""Files of an export: one per split, and zip files whose bytes depend only on the files in them."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from annotation.domain.releases.splitting import Split

NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that the format knows
READABLE = 0o644 << 16


def split_paths(folder: Path, suffix: str) -> list[Path]:
    """Return the paths of train, dev and test, in this order."""
    return [folder / f"{split}.{suffix}" for split in Split]


@contextmanager
def split_files(folder: Path, suffix: str) -> Iterator[dict[str, BinaryIO]]:
    """Open the three files for bytes, by split name; all exist afterwards, even the empty ones, and their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as files:
        paths = zip(Split, split_paths(folder, suffix), strict=True)
        yield {str(split): files.enter_context(path.open("wb")) for split, path in paths}


def write_zip(files: Iterable[Path], folder: Path, archive: IO[bytes]) -> None:
    """Write the files, named by their paths within the folder, into an open file: no clock, no owner, a fixed order."""
    with ZipFile(archive, "w", ZIP_DEFLATED) as zipped:
        for name, path in sorted((path.relative_to(folder).as_posix(), path) for path in files):
            entry = ZipInfo(name, NO_TIME)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, READABLE
            with path.open("rb") as source, zipped.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)
