"""Tables of two raters' grades, one for each pair or rater, stored as the rows of one sample of items."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from annotation.domain.agreement.coefficients import KAPPAS, kappas
from annotation.domain.agreement.figures import Figure, UnitSums, gradients
from annotation.domain.agreement.patterns import EMPTY, FloatArray, IntArray, Patterns, kinds_of_units


@dataclass(frozen=True)
class Overlaps:
    """Pairs of raters within a pattern: positions of both and of their grades, all of shape (overlaps,)."""

    pattern: IntArray
    rater: IntArray
    grade: IntArray
    partner: IntArray
    partner_grade: IntArray

    @classmethod
    def once(cls, patterns: Patterns) -> "Overlaps":
        """Return every two raters of a pattern once."""
        return cls._at(patterns, *np.triu_indices(patterns.grades.shape[1], 1))

    @classmethod
    def both_ways(cls, patterns: Patterns) -> "Overlaps":
        """Return each rater of a pattern with each partner."""
        return cls._at(patterns, *np.nonzero(~np.eye(patterns.grades.shape[1], dtype=bool)))

    def where(self, mask: NDArray[np.bool_]) -> "Overlaps":
        """Return only the overlaps that the mask (overlaps,) marks."""
        return Overlaps(*(column[mask] for column in self.columns()))

    def columns(self) -> tuple[IntArray, ...]:
        return self.pattern, self.rater, self.grade, self.partner, self.partner_grade

    @classmethod
    def _at(cls, patterns: Patterns, assignment: IntArray, partner_assignment: IntArray) -> "Overlaps":
        given = patterns.grades != EMPTY
        pattern, pair = np.nonzero(given[:, assignment] & given[:, partner_assignment])
        own, partner = (pattern, assignment[pair]), (pattern, partner_assignment[pair])
        return cls(
            pattern, patterns.raters[own], patterns.grades[own], patterns.raters[partner], patterns.grades[partner]
        )


@dataclass(frozen=True)
class RaterTables:
    """`count` tables of q x q cells side by side: the columns of `sample`, shape (kinds, count x q²)."""

    sample: UnitSums
    count: int
    grades: IntArray

    @classmethod
    def of(
        cls, patterns: Patterns, overlaps: Overlaps, table: IntArray, count: int, weight: FloatArray
    ) -> "RaterTables":
        """Build the tables: each overlap adds its `weight` to its `table`; both have shape (overlaps,)."""
        used = patterns.used_grades()
        row, column = np.searchsorted(used, overlaps.grade), np.searchsorted(used, overlaps.partner_grade)
        cell = (table * len(used) + row) * len(used) + column
        shape = (len(patterns.multiplicity), count * len(used) ** 2)
        rows = scipy.sparse.csr_array((weight, (overlaps.pattern, cell)), shape=shape)
        kinds, multiplicity = kinds_of_units(patterns.item_unit, patterns.item_pattern, shape[0])
        return cls(UnitSums(kinds @ rows, multiplicity, patterns.paired_units()), count, patterns.used_values())

    def shaped(self, sums: FloatArray) -> FloatArray:
        """Reshape sums of the sample's columns, (..., count x q²), to tables, (..., count, q, q)."""
        return sums.reshape(*sums.shape[:-1], self.count, len(self.grades), len(self.grades))

    def totals(self) -> FloatArray:
        """Return the tables over all items, shape (count, q, q)."""
        return self.shaped(self.sample.sums())

    def items(self) -> list[int]:
        """Return the number of items in each table."""
        return [round(total) for total in self.totals().sum(axis=(1, 2)).tolist()]

    def figures(self) -> list[dict[str, Figure]]:
        """Return the kappas of each table with asymptotic intervals over units."""
        if not self.count:
            return []
        values, slopes = kappas(self.totals(), self.grades), self.slopes()
        errors = {name: np.sqrt(self.sample.multiplicity @ self.influence(slopes[name]).power(2)) for name in KAPPAS}
        return [
            {name: Figure.of(name, values[name][table], errors[name][table], units) for name in KAPPAS}
            for table, units in enumerate(self._units())
        ]

    def _units(self) -> list[int]:
        """Return the number of units in each table."""
        held = self.influence(np.ones((self.count, len(self.grades) ** 2))) > 0
        counts: list[int] = (self.sample.multiplicity @ held).tolist()
        return counts

    def slopes(self) -> dict[str, FloatArray]:
        """Return the derivative of each table's kappas by its own cells, each of shape (count, q²)."""
        q = len(self.grades)
        cells = self.totals().reshape(self.count, q * q)
        return gradients(lambda cells: kappas(cells.reshape(*cells.shape[:-1], q, q), self.grades), cells)

    def influence(self, slope: FloatArray) -> Any:
        """Return the influence of one unit of each kind on each figure: sparse, (kinds, count), mean 0."""
        column = np.repeat(np.arange(self.count), slope.shape[1])
        by_table = scipy.sparse.csr_array((slope.ravel(), (np.arange(slope.size), column)))
        return self.sample.rows @ by_table
