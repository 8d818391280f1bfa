"""The two-way bootstrap, which draws people and questions together, and the bootstrap over questions alone."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from core.domain.statistics.binomial import wilson
from core.domain.statistics.levels import DRAWS, LEVEL, FloatArray, Interval, percentiles
from core.domain.statistics.two_way import IntArray, positions

AT_ONCE = 2**19  # numbers of a chunk of draws that is multiplied
DRAWN_AT_ONCE = 2**17  # numbers that are drawn together: they fit into the cache, where more take twice as long
EXACT = 4  # values that are whole so many times over add up to the same in any order, down to the last bit
DENSE = 4  # a table with an answer in every so manyth cell is multiplied faster with its empty cells

# How often each of some groups is drawn, shape (draws, groups): more than 255 times in no draw that there will ever be.
Counts = NDArray[np.uint8]
# Draws those who occur in a column of people and in one of questions, in the order of their names or numbers.
Resample = Callable[[Any, Any], tuple[Counts, Counts]]


def two_way_bootstraps(
    values: Sequence[ArrayLike],
    people: ArrayLike,
    items: ArrayLike,
    resample: Resample,
    *,
    level: float = LEVEL,
) -> list[Interval | None]:
    """Return the percentile interval of each mean when people and questions are both drawn with replacement.

    `values` are several of the same answers, all with the same draws. This is the pigeonhole bootstrap (Owen 2007,
    Annals of Applied Statistics 1): an answer counts as often as its person times its question was drawn. Draws without
    any answer are left out; None where they are more than half, and with one person or one question.
    """
    person, item = positions(people), positions(items)
    groups = int(person.max(initial=-1)) + 1, int(item.max(initial=-1)) + 1
    if min(groups) < 2:
        return [None] * len(values)
    order = np.lexsort((item, person))  # fixed order: the sums are the same to the last bit for any order of answers
    cells = person[order], item[order]
    columns = [np.ones(len(order)), *(np.asarray(value, dtype=np.float64)[order] for value in values)]
    tables = [answer_table(column, cells, groups) for column in columns]
    drawn = in_chunks(*resample(people, items))
    means = np.concatenate([_means(tables, *counts) for counts in drawn], axis=1)
    return [percentiles(each, level) for each in means]


def in_chunks(people_drawn: Counts, items_drawn: Counts) -> Iterator[tuple[NDArray[np.float32], FloatArray]]:
    """Yield both as numbers to multiply, people by an answer table: some draws at a time, to bound the memory."""
    length = max(1, AT_ONCE // max(people_drawn.shape[1], items_drawn.shape[1]))
    for start in range(0, len(people_drawn), length):
        some = slice(start, start + length)
        yield people_drawn[some].astype(np.float32), items_drawn[some].astype(np.float64)


def answer_table(values: FloatArray, cells: tuple[IntArray, IntArray], groups: tuple[int, int]) -> Any:
    """Return values as a table of people and items, to be multiplied from the left: dense where that is exact.

    That 32 bits are enough for exact sums, of up to four million people, makes the product twice as fast.
    """
    is_exact = bool((values * EXACT == np.rint(values * EXACT)).all())
    if is_exact and DENSE * len(values) >= groups[0] * groups[1]:
        person, item = cells
        table = np.bincount(person * groups[1] + item, values, minlength=groups[0] * groups[1])
        return table.reshape(groups).astype(np.float32)
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


def _means(tables: list[Any], people_drawn: NDArray[np.float32], items_drawn: FloatArray) -> FloatArray:
    """Return the means of all tables but the first, which counts the answers, shape (tables - 1, draws)."""
    answers, *totals = (((people_drawn @ table) * items_drawn).sum(axis=1) for table in tables)
    means: FloatArray = np.full((len(totals), len(people_drawn)), np.nan)
    np.divide(totals, answers, out=means, where=answers > 0)
    return means


def resampled(groups: int, draws: int, generator: np.random.Generator) -> Counts:
    """Count how often each group is drawn, shape (draws, groups)."""
    counts = np.empty((draws, groups), dtype=np.uint8)
    for start in range(0, draws, length := max(1, DRAWN_AT_ONCE // groups)):
        some = min(length, draws - start)
        drawn = generator.integers(0, groups, (some, groups)) + groups * np.arange(some)[:, None]
        counts[start : start + some] = np.bincount(drawn.ravel(), minlength=some * groups).reshape(some, groups)
    return counts
