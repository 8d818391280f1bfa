"""Names that somebody may have meant."""

from collections.abc import Sequence
from difflib import get_close_matches

MOST_ALIKE, MOST_NAMED = 3, 20


def alike(name: str, known: Sequence[str]) -> list[str]:
    """At most three of the known names that look like `name`, the most alike first."""
    return get_close_matches(name, known, MOST_ALIKE)


def likely(name: str, known: Sequence[str]) -> list[str]:
    """Those that look like `name`; where none does, the first twenty of all there are."""
    return alike(name, known) or [*known[:MOST_NAMED]]
