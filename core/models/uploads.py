"""Files that people uploaded."""

import os
from collections.abc import Iterator
from pathlib import Path

from django.core.files.storage import default_storage


def uploads() -> Iterator[str]:
    """Yield the name of each upload, as rows name it."""
    root = Path(default_storage.path(""))
    for folder, _folders, files in os.walk(root):
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in files)
