"""Agreement within parts of the items: by source, by topic, over time. All are computed from one list of items."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from annotation.domain.agreement.blocks import FIGURES, Block
from annotation.domain.agreement.coefficients import features, pooled_figures
from annotation.domain.agreement.figures import Figure, ItemSums, standard_errors
from annotation.domain.agreement.patterns import IntArray, spread

POOLED = tuple(name for name in FIGURES if name != "kappa_pairs_mean")


@dataclass(frozen=True)
class ItemGrades:
    """The grades that each item got, without the raters.

    `keys` (items,) ascending, `pattern` (items,) a row of `counts` (patterns, grades of the scale): how many raters
    gave each grade.
    """

    scale: tuple[int, ...]
    keys: IntArray
    pattern: IntArray
    counts: IntArray

    @classmethod
    def of(cls, items: ArrayLike, grades: ArrayLike, scale: Sequence[int]) -> "ItemGrades":
        """Build from records (item, grade) in any order; every grade must be on the scale."""
        ordered = np.unique(np.asarray(scale, dtype=np.int64))
        keys, item = np.unique(np.asarray(items), return_inverse=True)
        given = np.zeros((len(keys), len(ordered)), dtype=np.int64)
        np.add.at(given, (item, np.searchsorted(ordered, np.asarray(grades))), 1)
        counts, pattern = np.unique(given, axis=0, return_inverse=True)
        return cls(tuple(ordered.tolist()), keys, pattern.reshape(-1), counts)

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
        inside = part >= 0
        cells = part[inside] * len(self.counts) + self.pattern[inside]
        multiplicity = np.bincount(cells, minlength=parts * len(self.counts)).reshape(parts, len(self.counts))
        return [self._block(row) for row in multiplicity]

    def _block(self, multiplicity: IntArray) -> Block:
        occurring = multiplicity > 0
        counts, times = self.counts[occurring], multiplicity[occurring]
        paired = int(times[counts.sum(axis=1) >= 2].sum())
        if paired == 0:
            return Block(0, {name: Figure.of(name, np.nan, np.nan, 0) for name in POOLED})
        used = counts.any(axis=0)
        grades = np.array(self.scale, dtype=np.int64)[used]
        sample = ItemSums(features(counts[:, used], grades), times, paired)
        statistic = partial(pooled_figures, grades=grades)
        values, errors = statistic(sample.sums()), standard_errors(statistic, sample)
        return Block(paired, {name: Figure.of(name, float(values[name]), errors[name], paired) for name in POOLED})
