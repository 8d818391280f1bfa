"""Numbers of a file of weights: whether each is a number at all, read piece by piece without torch."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

PIECE = 2**24  # bytes that are in memory at once
# of each type of number: how it is read, and the bits that are all set in what is infinite or no number
BITS = {"F32": ("<u4", 0xFF << 23), "F16": ("<u2", 0x1F << 10), "BF16": ("<u2", 0xFF << 7)}


def damaged_tensor(path: Path, tensors: Mapping[str, Mapping[str, Any]], start: int) -> str | None:
    """Return the name of a tensor that holds what is infinite or no number; None where all are numbers.

    `tensors` is the header of the safetensors file, `start` the byte at which they begin. A file that has not changed
    since is not read again: several seeds are planned at once.
    """
    found = path.stat()
    places = tuple((name, each["dtype"], *each["data_offsets"]) for name, each in tensors.items())
    return _damaged(path, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns), places, start)


@lru_cache(maxsize=8)
def _damaged(path: Path, _version: tuple[int, ...], places: tuple[tuple[Any, ...], ...], start: int) -> str | None:
    for name, kind, first, end in sorted(places, key=lambda place: place[2]):
        if kind in BITS and not all(
            _are_numbers(path, start + at, end - at, *BITS[kind]) for at in range(first, end, PIECE)
        ):
            return str(name)
    return None


def _are_numbers(path: Path, at: int, left: int, bits: str, exponent: int) -> bool:
    """Return whether a piece holds numbers alone; its pages of the file are let go of when it was looked at."""
    count = min(PIECE, left) // np.dtype(bits).itemsize
    numbers = np.memmap(path, bits, mode="r", offset=at, shape=count)
    return not ((numbers & numbers.dtype.type(exponent)) == exponent).any()
