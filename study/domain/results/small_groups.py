"""Derived groups of so few people that their figures would tell what single people said of themselves."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from study.domain.survey.validity import LEAST_PEOPLE


def small_groups(cells: Iterable[Mapping[str, Any]], derived: Iterable[str]) -> list[str]:
    """Return those of the derived groups, by name, that have people and fewer than five of them."""
    people: Counter[str | None] = Counter()
    for cell in cells:
        people[cell["group"]] = max(people[cell["group"]], cell["people"])
    return [name for name in derived if 0 < people[name] < LEAST_PEOPLE]


def without_groups(figures: Any, groups: Collection[str]) -> Any:
    """Return figures, as JSON has them, without the rows that are of one of the groups or compare with it."""
    if isinstance(figures, dict):
        return {key: without_groups(value, groups) for key, value in figures.items()}
    if isinstance(figures, list):
        return [without_groups(row, groups) for row in figures if not (isinstance(row, dict) and _is_of(row, groups))]
    return figures


def _is_of(row: Mapping[str, Any], groups: Collection[str]) -> bool:
    named = row.get("name") if row.get("field") == "group" else None
    return any(name in groups for name in (row.get("group"), row.get("against"), named) if name is not None)
