"""The two-way bootstrap, which draws people and questions together, and the bootstrap over questions alone."""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from core.domain.statistics.levels import DRAWS, LEVEL, FloatArray, Interval, percentiles
from core.domain.statistics.two_way import positions

CELLS_AT_ONCE = 2**20  # numbers held by a chunk of draws, to bound the memory


def two_way_bootstrap(
    values: ArrayLike,
    people: ArrayLike,
    items: ArrayLike,
    *,
    generator: np.random.Generator,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Interval | None:
    """Return the percentile interval of the mean when people and questions are both drawn with replacement.

    This is the pigeonhole bootstrap (Owen 2007, Annals of Applied Statistics 1): an answer counts as often as its
    person times its question was drawn. Draws without any answer are left out; None where they are more than half, and
    with one person or one question.
    """
    value = np.asarray(values, dtype=np.float64)
    person, item = positions(people), positions(items)
    groups = int(person.max(initial=-1)) + 1, int(item.max(initial=-1)) + 1
    if min(groups) < 2:
        return None
    order = np.lexsort((item, person))  # fixed order: the sums are the same to the last bit for any order of answers
    cells = person[order], item[order]
    totals = scipy.sparse.csr_array((value[order], cells), shape=groups)
    counts = scipy.sparse.csr_array((np.ones(len(value)), cells), shape=groups)
    means = np.concatenate(
        [_means(totals, counts, size, generator) for size in _chunks(draws, CELLS_AT_ONCE // max(groups))]
    )
    return percentiles(means, level)


def item_bootstrap(
    values: ArrayLike, *, generator: np.random.Generator, draws: int = DRAWS, level: float = LEVEL
) -> Interval | None:
    """Return the percentile interval of a mean over questions drawn one by one; None with fewer than two."""
    value = np.sort(np.asarray(values, dtype=np.float64))
    if len(value) < 2:
        return None
    sizes = _chunks(draws, CELLS_AT_ONCE // len(value))
    return percentiles(
        np.concatenate([resampled(len(value), size, generator) @ value for size in sizes]) / len(value), level
    )


def _chunks(draws: int, at_once: int) -> list[int]:
    size = max(1, at_once)
    return [min(size, draws - start) for start in range(0, draws, size)]


def _means(
    totals: "scipy.sparse.csr_array", counts: "scipy.sparse.csr_array", draws: int, generator: np.random.Generator
) -> FloatArray:
    people, items = totals.shape
    people_drawn = resampled(people, draws, generator)
    items_drawn = resampled(items, draws, generator)
    total = ((people_drawn @ totals) * items_drawn).sum(axis=1)
    answers = ((people_drawn @ counts) * items_drawn).sum(axis=1)
    undefined = np.full(draws, np.nan)
    means: FloatArray = np.divide(total, answers, out=undefined, where=answers > 0)
    return means


def resampled(groups: int, draws: int, generator: np.random.Generator) -> FloatArray:
    """Count how often each group is drawn, shape (draws, groups)."""
    drawn = generator.integers(0, groups, (draws, groups)) + groups * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * groups).reshape(draws, groups).astype(np.float64)
