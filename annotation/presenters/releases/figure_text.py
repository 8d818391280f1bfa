"""Formatting of one figure of a release's statistics."""

from collections.abc import Collection
from typing import Any

from django.utils.formats import number_format


def written_figure(block: Any, path: str, shares: Collection[str]) -> str:
    """Format the figure at a path such as ``vocabulary.both``; a dash if it is unknown. `shares` are shown as
    percentages.
    """
    value: int | float | None = block
    for step in path.split("."):
        value = value.get(step) if value else None  # type: ignore[union-attr]
    if value is None:
        return "–"
    if path in shares:
        value = 100 * value
    digits = 0 if isinstance(value, int) else 1 if path in shares else 2
    return number_format(f"{value:.{digits}f}", decimal_pos=digits, force_grouping=True)
