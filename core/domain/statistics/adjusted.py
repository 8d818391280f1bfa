"""P-values adjusted for the number of tests, in the order given."""

from collections.abc import Sequence

import numpy as np

from core.domain.statistics.levels import FloatArray


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of a family: one is at most .05 by chance in 5 % of families at most.

    The smallest of m counts m times, the next m - 1 times, and so on (Holm 1979, Scandinavian Journal of Statistics 6).
    """
    order = np.argsort(p_values, kind="stable")
    stepped = np.asarray(p_values, dtype=np.float64)[order] * np.arange(len(order), 0, -1)
    return _in_order_given(np.maximum.accumulate(stepped), order)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return the p-values for a false discovery rate: of those at most .05, 5 % at most are expected to be by chance.

    The one at rank i of m counts m / i times (Benjamini and Hochberg 1995, Journal of the Royal Statistical Society
    B 57).
    """
    order = np.argsort(p_values, kind="stable")
    stepped = np.asarray(p_values, dtype=np.float64)[order] * len(order) / np.arange(1, len(order) + 1)
    return _in_order_given(np.minimum.accumulate(stepped[::-1])[::-1], order)


def _in_order_given(adjusted: FloatArray, order: np.ndarray) -> list[float]:
    found = np.empty(len(order))
    found[order] = np.minimum(adjusted, 1)
    return found.tolist()
