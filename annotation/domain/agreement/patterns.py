"""Ratings collapsed to distinct patterns.

Two raters and five grades make at most 15 patterns of grades, however many items there are. Figures depend only on how
often each pattern occurs. What is resampled is a unit: an item, or the items of one prompt or dialogue. Units with the
same patterns are of one kind, so a resample is one multinomial draw over kinds.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

Rater = Any  # a name or a number, as the caller knows the rater

EMPTY = -1


@dataclass(frozen=True)
class Patterns:
    """Distinct sets of raters and grades of an item, with the number of items that have each.

    `raters` and `grades` have shape (patterns, most raters of an item): positions in `names` and `scale`, by ascending
    rater, `EMPTY` where an item had fewer raters. `multiplicity` has shape (patterns,), `item_pattern` and `item_unit`
    (items,).
    """

    scale: tuple[int, ...]
    names: tuple[Rater, ...]
    raters: IntArray
    grades: IntArray
    multiplicity: IntArray
    item_pattern: IntArray
    item_unit: IntArray

    def within_gap(self, limit: int) -> "Patterns":
        """Return only the items with two grades or more whose highest minus lowest grade is at most `limit`."""
        kept = (self.raters_each() >= 2) & (spread(self._counts(), np.array(self.scale)) <= limit)
        inside, position = kept[self.item_pattern], np.cumsum(kept) - 1
        return Patterns(
            self.scale,
            self.names,
            self.raters[kept],
            self.grades[kept],
            self.multiplicity[kept],
            position[self.item_pattern[inside]],
            self.item_unit[inside],
        )

    def raters_each(self) -> IntArray:
        """Return the number of raters of each pattern, shape (patterns,)."""
        held: IntArray = np.count_nonzero(self.grades != EMPTY, axis=1)
        return held

    def items(self) -> int:
        """Return the number of items that have a grade."""
        return int(self.multiplicity.sum())

    def paired_items(self) -> int:
        """Return the number of items with two grades or more."""
        return int(self.multiplicity[self.raters_each() >= 2].sum())

    def paired_units(self) -> int:
        """Return the number of units that have an item with two grades or more."""
        return len(np.unique(self.item_unit[self.raters_each()[self.item_pattern] >= 2]))

    def used_grades(self) -> IntArray:
        """Return the positions in the scale of the grades that occur, ascending."""
        return np.unique(self.grades[self.grades != EMPTY])

    def used_values(self) -> IntArray:
        """Return the grades that occur, ascending."""
        return np.array(self.scale, dtype=np.int64)[self.used_grades()]

    def grade_counts(self) -> tuple[IntArray, IntArray]:
        """Return the different counts of the used grades, shape (rows, used grades), and each item's row, (items,).

        The order of rows depends on the grades alone, never on items or raters.
        """
        counts, position = np.unique(self._counts()[:, self.used_grades()], axis=0, return_inverse=True)
        return counts, position.reshape(-1)[self.item_pattern]

    def _counts(self) -> IntArray:
        return np.stack([(self.grades == grade).sum(axis=1) for grade in range(len(self.scale))], axis=1)


def kinds_of_units(unit: IntArray, row: IntArray, rows: int) -> tuple["scipy.sparse.csr_array", IntArray]:
    """Return the kinds of units, shape (kinds, rows): how many items of each row one holds; and the units of each kind.

    `unit` and `row` (items,) are those of each item. The order of the kinds depends on the rows that they hold alone.
    """
    order = np.lexsort((row, unit))
    held = row[order].tolist()
    ends = [*np.nonzero(np.diff(unit[order], prepend=-1))[0].tolist(), len(held)]
    times = Counter(tuple(held[begin:end]) for begin, end in pairwise(ends))
    kinds = sorted(times)
    starts = list(accumulate(map(len, kinds), initial=0))
    holds = np.fromiter(chain.from_iterable(kinds), np.int64, starts[-1])
    matrix = scipy.sparse.csr_array((np.ones(len(holds)), holds, starts), shape=(len(kinds), rows))
    return matrix, np.array([times[kind] for kind in kinds], dtype=np.int64)


def spread(counts: IntArray, grades: IntArray) -> IntArray:
    """Return the highest minus the lowest grade of each row of `counts`, shape (rows, grades).

    Every row needs at least one grade.
    """
    given = counts > 0
    lowest = given.argmax(axis=1)
    highest = given.shape[1] - 1 - given[:, ::-1].argmax(axis=1)
    gap: IntArray = grades[highest] - grades[lowest]
    return gap


def grade_patterns(
    items: ArrayLike, raters: ArrayLike, grades: ArrayLike, scale: Sequence[int], units: ArrayLike | None = None
) -> Patterns:
    """Collapse records (item, rater, grade), given as three equally long columns in any order.

    `units` name what each record's item is resampled with; without them it is resampled by itself. Raises ValueError
    for a grade that is not on the scale and for a rater who graded an item twice.
    """
    ordered_scale = np.unique(np.array(scale, dtype=np.int64))
    grade = _positions(np.asarray(grades), ordered_scale)
    item_names, first, item = np.unique(np.asarray(items), return_index=True, return_inverse=True)
    names, rater = np.unique(np.asarray(raters), return_inverse=True)
    order = _order_of_raters(item, rater, grade, len(names), len(ordered_scale))
    _refuse_duplicates(item, rater, item_names, names)
    rows = _rows(item, np.argsort(order)[rater] * len(ordered_scale) + grade)
    distinct, pattern, multiplicity = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    given = distinct != EMPTY
    return Patterns(
        scale=tuple(ordered_scale.tolist()),
        names=tuple(names[order].tolist()),
        raters=np.where(given, distinct // len(ordered_scale), EMPTY),
        grades=np.where(given, distinct % len(ordered_scale), EMPTY),
        multiplicity=multiplicity,
        item_pattern=pattern.reshape(-1),
        item_unit=first if units is None else np.unique(np.asarray(units)[first], return_inverse=True)[1].reshape(-1),
    )


def _positions(grades: NDArray[np.generic], scale: IntArray) -> IntArray:
    off_scale = ~np.isin(grades, scale)
    if off_scale.any():
        raise ValueError(f"grade {grades[off_scale][0]} is not on the scale {', '.join(map(str, scale))}")
    return np.searchsorted(scale, grades)


def _order_of_raters(item: IntArray, rater: IntArray, grade: IntArray, raters: int, grades: int) -> IntArray:
    """Sort raters by their tables of (own grade, a partner's grade); a name decides only between equal tables.

    A renamed rater therefore keeps the same position, the patterns keep their order, and a seed keeps its draws.
    """
    counts = np.zeros((item.max(initial=-1) + 1, grades), dtype=np.int64)
    np.add.at(counts, (item, grade), 1)
    tables = np.zeros((raters, grades, grades), dtype=np.int64)
    for other in range(grades):
        np.add.at(tables[:, :, other], (rater, grade), counts[item, other] - (grade == other))
    return np.lexsort(tables.reshape(raters, -1).T) if raters else np.empty(0, dtype=np.int64)


def _refuse_duplicates(
    item: IntArray, rater: IntArray, items: NDArray[np.generic], raters: NDArray[np.generic]
) -> None:
    graded, times = np.unique(item * len(raters) + rater, return_counts=True)
    if (times > 1).any():
        position, person = divmod(graded[times > 1][0], len(raters))
        raise ValueError(f"rater {raters[person]} graded item {items[position]} twice")


def _rows(item: IntArray, mark: IntArray) -> IntArray:
    """Return one row for each item with its marks in ascending order, filled up with `EMPTY`."""
    order = np.lexsort((mark, item))
    item, mark = item[order], mark[order]
    held = np.bincount(item)
    position = np.arange(len(item)) - np.repeat(np.cumsum(held) - held, held)
    rows = np.full((len(held), held.max(initial=1)), EMPTY, dtype=np.int64)
    rows[item, position] = mark
    return rows
