"""Markdown of data cards: tables, and texts written by people."""

from collections.abc import Iterable, Iterator, Sequence

from core.domain.text import one_line


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int) -> Iterator[str]:
    """Yield a Markdown table in which the last `numbers` columns are aligned to the right."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * (len(head) - numbers)}{'--:|' * numbers}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def in_order(names: Iterable[str], order: Iterable[str]) -> list[str]:
    """Sort the names of a table's rows; those that the order lacks come last, so that no number is dropped."""
    places = {name: place for place, name in enumerate(order)}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))


def plain(text: str) -> str:
    """Return a text written by people on one line, with all markup escaped."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#" else letter for letter in one_line(text))
