"""Ratings shared by the tests of agreement."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from annotation.domain.agreement import Block, Patterns, agreement, grade_patterns
from tests.annotation.domain.agreement.agreement_reference import Item

SCALE = range(1, 6)
TWENTY = ("11122233344455512345", "11222333444555413325")


def patterns_of(items: list[Item], scale: range = SCALE, units: list[Any] | None = None) -> Patterns:
    """Return the patterns of items; `units` name what each is resampled with."""
    records = [(number, rater, grade) for number, item in enumerate(items) for rater, grade in item.items()]
    of_records = units and [units[number] for number, _rater, _grade in records]
    return grade_patterns(*zip(*records, strict=True), scale=scale, units=of_records)


def two_raters(first: str, second: str) -> list[Item]:
    return [{"A": int(one), "B": int(other)} for one, other in zip(first, second, strict=True)]


def krippendorff_example() -> list[Item]:
    """Return the example of Krippendorff (2011): four observers, twelve units, some values missing."""
    rows = ("1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 .")
    units = zip(*(row.split() for row in rows), strict=True)
    return [{rater: int(grade) for rater, grade in zip("ABCD", unit, strict=True) if grade != "."} for unit in units]


def seeded_items(items: int, raters: str, each: int, seed: int = 0) -> list[Item]:
    """Return grades around a true one, each item graded by `each` raters of the pool."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(1, 6, items)
    noise = draw.choice([-2, -1, 0, 1, 2], p=[0.05, 0.2, 0.5, 0.2, 0.05], size=(items, each))
    grades = np.clip(truth[:, None] + noise, 1, 5).tolist()
    people = [draw.permutation(list(raters))[:each].tolist() for _ in range(items)]
    return [dict(zip(pair, row, strict=True)) for pair, row in zip(people, grades, strict=True)]


def block_of(items: list[Item], draws: int = 100, scale: range = SCALE) -> Block:
    return agreement(patterns_of(items, scale), draws, np.random.default_rng(0))


def values(block: Block) -> dict[str, float | None]:
    return {name: figure.value for name, figure in block.figures.items()}


GRADES = st.integers(1, 5)
ITEMS = st.lists(st.dictionaries(st.sampled_from("ABCDE"), GRADES, min_size=1), min_size=1, max_size=12)
