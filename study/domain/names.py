"""Names that somebody may have meant."""

from collections.abc import Sequence
from difflib import get_close_matches

SHOWN = 20


def likely(name: str, known: Sequence[str]) -> list[str]:
    """The known names that look like `name`, the most alike first; without one that does, the first of all.

    >>> likely("moive", ["twitter", "movie"])
    ['movie']
    """
    return get_close_matches(name, known) or [*known[:SHOWN]]
