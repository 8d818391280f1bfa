"""Agreement within parts of the items: by source, by topic, over time. All are computed from one list of items."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotation.domain.agreement.blocks import FIGURES, Block
from annotation.domain.agreement.coefficients import features, pooled_figures
from annotation.domain.agreement.figures import Figure, UnitSums, asymptotic_figures
from annotation.domain.agreement.patterns import IntArray, kinds_of_units, spread

POOLED = tuple(name for name in FIGURES if name != "kappa_pairs_mean")


@dataclass(frozen=True)
class ItemGrades:
    """The grades that each item got, without the raters.

    `keys` (items,) ascending, `pattern` (items,) a row of `counts` (patterns, grades of the scale): how many raters
    gave each grade; `unit` (items,) is what an item is resampled with.
    """

    scale: tuple[int, ...]
    keys: IntArray
    pattern: IntArray
    counts: IntArray
    unit: IntArray

    @classmethod
    def of(
        cls, items: ArrayLike, grades: ArrayLike, scale: Sequence[int], units: ArrayLike | None = None
    ) -> "ItemGrades":
        """Build from records (item, grade) in any order; every grade must be on the scale.

        `units` name what each record's item is resampled with; without them it is resampled by itself.
        """
        ordered = np.unique(np.asarray(scale, dtype=np.int64))
        keys, first, item = np.unique(np.asarray(items), return_index=True, return_inverse=True)
        given = np.zeros((len(keys), len(ordered)), dtype=np.int64)
        np.add.at(given, (item, np.searchsorted(ordered, np.asarray(grades))), 1)
        counts, pattern = np.unique(given, axis=0, return_inverse=True)
        unit = first if units is None else np.unique(np.asarray(units)[first], return_inverse=True)[1].reshape(-1)
        return cls(tuple(ordered.tolist()), keys, pattern.reshape(-1), counts, unit)

    def raters(self) -> IntArray:
        """Return the number of grades of each item, shape (items,)."""
        each: IntArray = self.counts.sum(axis=1)[self.pattern]
        return each

    def gaps(self) -> IntArray:
        """Return the highest minus the lowest grade of each item, shape (items,)."""
        return spread(self.counts, np.array(self.scale, dtype=np.int64))[self.pattern]

    def agreement(self, part: IntArray, parts: int) -> list[Block]:
        """Return the figures of `POOLED` within each part, before any filter, with asymptotic intervals only.

        `part` (items,) is the number of the part that an item belongs to, below `parts`; items with -1 belong to none.
        """
        return [self._block(part == number) for number in range(parts)]

    def _block(self, inside: NDArray[np.bool_]) -> Block:
        raters = self.counts.sum(axis=1)
        rows, row = np.unique(self.pattern[inside], return_inverse=True)
        is_paired = (raters[rows] >= 2)[row]
        paired = int(is_paired.sum())
        if paired == 0:
            return Block(0, {name: Figure.of(name, np.nan, np.nan, 0) for name in POOLED})
        counts, unit = self.counts[rows], self.unit[inside]
        used = counts.any(axis=0)
        grades = np.array(self.scale, dtype=np.int64)[used]
        kinds, multiplicity = kinds_of_units(unit, row, len(rows))
        units = len(np.unique(unit[is_paired]))
        sample = UnitSums(kinds @ features(counts[:, used], grades), multiplicity, units)
        found = asymptotic_figures(partial(pooled_figures, grades=grades), sample)
        return Block(paired, {name: found[name] for name in POOLED}, units)
