"""Figures of a run by the length of the context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from study.selectors.runs.sources import Source

GROUPS = ((0, 2), (3, 3), (4, 4), (5, 5), (6, 0))  # turns, the last without an end, as MuTual has them
KEPT = 8  # bodies of instances of which the lengths are remembered

_lengths: dict[tuple[str, str], dict[Any, int]] = {}


@dataclass(frozen=True)
class LengthGroup:
    """Instances whose contexts have `least` to `most` turns (0: no end)."""

    least: int
    most: int
    keys: list[Any]

    @property
    def label(self) -> str:
        if not self.least:
            return f"≤ {self.most}"
        return str(self.least) if self.most else f"≥ {self.least}"


def turns_of(source: Source) -> dict[Any, int]:
    """Return how many turns the context of each instance has, by its question or its id.

    Content with one checksum never changes, so each process reads it once.
    """
    key = (source.name, source.checksum)
    if key not in _lengths:
        while len(_lengths) >= KEPT:
            _lengths.pop(next(iter(_lengths)))
        _lengths[key] = {question or one.id: len(one.context) for one, question in source.read(None)}
    return _lengths[key]


def by_length(values: Mapping[Any, float], source: Source) -> list[LengthGroup]:
    """Return the instances that have a value by their length; [] where all are of one."""
    turns = turns_of(source)
    groups = [
        LengthGroup(least, most, [key for key in values if _is_within(turns.get(key), least, most)])
        for least, most in GROUPS
    ]
    found = [group for group in groups if group.keys]
    return found if len(found) > 1 else []


def _is_within(turns: int | None, least: int, most: int) -> bool:
    return turns is not None and least <= turns and (not most or turns <= most)


def of_keys(values: Mapping[Any, float], keys: Sequence[Any]) -> list[float]:
    return [values[key] for key in keys if key in values]
