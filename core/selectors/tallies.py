"""Rows of figures, one for each person or thing."""

from collections.abc import Iterable, Mapping
from typing import Any


def by_key(rows: Iterable[Mapping[str, Any]], key: str) -> dict[int, dict[str, Any]]:
    """Return the rows by their `key`, each without it."""
    found = {}
    for row in rows:
        rest = dict(row)
        found[rest.pop(key)] = rest
    return found
