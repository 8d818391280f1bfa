"""Iteration over long streams in batches."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(rows: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Yield the rows in tuples of `size`, the last one shorter (itertools.batched of Python 3.12)."""
    stream = iter(rows)
    while piece := tuple(islice(stream, size)):
        yield piece
