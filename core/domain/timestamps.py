"""Format of times in files and reports."""

from datetime import datetime


def timestamp(moment: datetime) -> str:
    """Format a time of UTC to the second, such as ``2026-01-31T09:30:00Z``."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
