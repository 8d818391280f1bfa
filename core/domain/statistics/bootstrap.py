"""The two-way bootstrap, which draws people and questions together, and the bootstrap over questions alone."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from core.domain.statistics.binomial import wilson
from core.domain.statistics.levels import DRAWS, LEVEL, FloatArray, Interval, percentiles
from core.domain.statistics.two_way import IntArray, positions

CELLS_AT_ONCE = 2**17  # numbers held by a chunk of draws: they fit into the cache, where more take twice as long
EXACT = 4  # values that are whole so many times over add up to the same in any order, down to the last bit
DENSE = 4  # a table with an answer in every so manyth cell is multiplied faster with its empty cells


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
    [interval] = two_way_bootstraps([values], people, items, generator=generator, draws=draws, level=level)
    return interval


def two_way_bootstraps(
    values: Sequence[ArrayLike],
    people: ArrayLike,
    items: ArrayLike,
    *,
    generator: np.random.Generator,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> list[Interval | None]:
    """Return `two_way_bootstrap` for several values of the same answers, all from the same draws."""
    person, item = positions(people), positions(items)
    groups = int(person.max(initial=-1)) + 1, int(item.max(initial=-1)) + 1
    if min(groups) < 2:
        return [None] * len(values)
    order = np.lexsort((item, person))  # fixed order: the sums are the same to the last bit for any order of answers
    cells = person[order], item[order]
    columns = [np.ones(len(order)), *(np.asarray(value, dtype=np.float64)[order] for value in values)]
    tables = [_table(column, cells, groups) for column in columns]
    sizes = _chunks(draws, CELLS_AT_ONCE // max(groups))
    means = np.concatenate([_means(tables, groups, size, generator) for size in sizes], axis=1)
    return [percentiles(drawn, level) for drawn in means]


def _table(values: FloatArray, cells: tuple[IntArray, IntArray], groups: tuple[int, int]) -> Any:
    """Return values as a table of people and items, to be multiplied from the left: dense where that is exact."""
    is_exact = bool((values * EXACT == np.rint(values * EXACT)).all())
    if is_exact and DENSE * len(values) >= groups[0] * groups[1]:
        table = np.zeros(groups)
        np.add.at(table, cells, values)
        return table
    return scipy.sparse.csr_array((values, cells), shape=groups)


def item_bootstrap(
    values: ArrayLike, *, generator: np.random.Generator, draws: int = DRAWS, level: float = LEVEL
) -> Interval | None:
    """Return the percentile interval of a mean over questions drawn one by one; None where all values are equal.

    To draw n questions with replacement is to draw how often each distinct value occurs (a multinomial), so the order
    of questions changes nothing.
    """
    distinct, times = np.unique(values, return_counts=True)
    if len(distinct) < 2:
        return None
    drawn = generator.multinomial(times.sum(), times / times.sum(), size=draws)
    return percentiles(drawn @ distinct / times.sum(), level)


def item_interval(values: ArrayLike, *, seed: int, draws: int = DRAWS) -> Interval | None:
    """Return the interval of a figure over questions: Wilson's where each is worth 0 or 1, else the bootstrap's.

    The seed is that of what made the values, such as a model's run: they have one interval wherever it is shown.
    """
    if np.isin(values, (0, 1)).all():
        return wilson(float(np.sum(values)), np.size(values))
    return item_bootstrap(values, generator=np.random.default_rng(seed % 2**64), draws=draws)


def _chunks(draws: int, at_once: int) -> list[int]:
    size = max(1, at_once)
    return [min(size, draws - start) for start in range(0, draws, size)]


def _means(tables: list[Any], groups: tuple[int, int], draws: int, generator: np.random.Generator) -> FloatArray:
    """Return the means of all tables but the first, which counts the answers, shape (tables - 1, draws)."""
    people_drawn, items_drawn = (resampled(count, draws, generator) for count in groups)
    answers, *totals = (((people_drawn @ table) * items_drawn).sum(axis=1) for table in tables)
    means: FloatArray = np.full((len(totals), draws), np.nan)
    np.divide(totals, answers, out=means, where=answers > 0)
    return means


def resampled(groups: int, draws: int, generator: np.random.Generator) -> FloatArray:
    """Count how often each group is drawn, shape (draws, groups)."""
    drawn = generator.integers(0, groups, (draws, groups)) + groups * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * groups).reshape(draws, groups).astype(np.float64)
