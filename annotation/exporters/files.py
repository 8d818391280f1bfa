"""Files of an export: one per split."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from annotation.domain.releases.splitting import Split


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
