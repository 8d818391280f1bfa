"""Suggestions for a mistyped name."""

from collections.abc import Sequence
from difflib import get_close_matches

MOST_ALIKE, MOST_NAMED = 3, 20


def alike(name: str, known: Sequence[str]) -> list[str]:
    """Return at most three of the known names that resemble `name`, the most similar first."""
    return get_close_matches(name, known, MOST_ALIKE)


def likely(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names that resemble `name`; where none does, the first twenty known."""
    return alike(name, known) or [*known[:MOST_NAMED]]
