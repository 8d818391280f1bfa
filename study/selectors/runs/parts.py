"""Parts of the instances of a run: those of one length of the context, and those of one reasoning type."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from study.selectors.runs.sources import Source

GROUPS = ((0, 2), (3, 3), (4, 4), (5, 5), (6, 0))  # turns, the last without an end, as MuTual has them
KEPT = 8  # bodies of instances of which the lengths and types are remembered


class InstanceKind(NamedTuple):
    turns: int
    types: tuple[str, ...]


@dataclass(frozen=True)
class InstancePart:
    """Instances that are alike: of one length (`≤ 2`) or of one type (by its key)."""

    label: str
    keys: list[str]


_kinds: dict[tuple[str, str], dict[str, InstanceKind]] = {}


def _kinds_of(source: Source) -> dict[str, InstanceKind]:
    """Return length and types of each instance, by its id.

    Content with one checksum never changes, so each process reads it once.
    """
    key = (source.name, source.checksum)
    if key not in _kinds:
        while len(_kinds) >= KEPT:
            _kinds.pop(next(iter(_kinds)))
        _kinds[key] = {one.id: InstanceKind(len(one.context), one.types) for one in source.read(None)}
    return _kinds[key]


def by_length(values: Mapping[str, float], source: Source) -> list[InstancePart]:
    """Return the instances that have a value by their length; [] where all are of one."""
    kinds = _kinds_of(source)
    parts = [
        InstancePart(
            _label(least, most), [key for key in values if key in kinds and _is_within(kinds[key].turns, least, most)]
        )
        for least, most in GROUPS
    ]
    found = [part for part in parts if part.keys]
    return found if len(found) > 1 else []


def by_type(values: Mapping[str, float], source: Source) -> list[InstancePart]:
    """Return the instances that have a value by their types, each under each of its types; [] where none has any."""
    kinds = _kinds_of(source)
    names = sorted({name for key in values if key in kinds for name in kinds[key].types})
    return [InstancePart(name, [key for key in values if name in kinds[key].types]) for name in names]


def _label(least: int, most: int) -> str:
    if not least:
        return f"≤ {most}"
    return str(least) if most else f"≥ {least}"


def _is_within(turns: int, least: int, most: int) -> bool:
    return least <= turns and (not most or turns <= most)


def of_keys(values: Mapping[str, float], keys: Sequence[str]) -> list[float]:
    return [values[key] for key in keys if key in values]
