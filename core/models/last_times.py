"""Times at which things last happened in this installation, kept as the times of empty files.

They can be written and read while the database does not answer, or while one transaction keeps all others waiting.
"""

import os
import time

from django.conf import settings


def note(what: str, *, at: float | None = None) -> None:
    """Note that something happened, now or at this time of the clock."""
    path = settings.DATA_DIR / "last" / what
    path.parent.mkdir(exist_ok=True)
    path.touch()
    if at is not None:
        os.utime(path, (at, at))


def seconds_since(what: str) -> int | None:
    """Return how long ago it happened; None if it never did."""
    path = settings.DATA_DIR / "last" / what
    return max(0, round(time.time() - path.stat().st_mtime)) if path.exists() else None
