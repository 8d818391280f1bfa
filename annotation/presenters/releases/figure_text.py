"""One figure of a release's statistics, as a table shows it."""

from collections.abc import Collection
from typing import Any

from django.utils.formats import number_format


def written_figure(block: Any, path: str, shares: Collection[str]) -> str:
    """The figure under a path such as ``vocabulary.both``, a dash where it is not known; `shares` are percentages."""
    value: int | float | None = block
    for step in path.split("."):
        value = value.get(step) if value else None  # type: ignore[union-attr]
    if value is None:
        return "–"
    if path in shares:
        value = 100 * value
    digits = 0 if isinstance(value, int) else 1 if path in shares else 2
    return number_format(f"{value:.{digits}f}", decimal_pos=digits, force_grouping=True)
