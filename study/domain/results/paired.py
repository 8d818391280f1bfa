"""Two models on the same instances: the difference of their figures, its interval and p, and what a set can tell.

Where each instance is right or wrong: McNemar's test (1947, Psychometrika 12) and Newcombe's method 10 for paired
shares (1998, Statistics in Medicine 17). Elsewhere, as for reciprocal ranks: the bootstrap over instances, and a test
that flips the sign of each difference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, comb, fsum, sqrt
from statistics import NormalDist

import numpy as np

from core.domain.statistics import DRAWS, FloatArray, Interval, normal_quantile, percentiles, wilson

POWER = 0.8
EXACT_FLIPS = 20  # differences that are not 0, up to which all ways to flip them are counted
FLIPS = 100_000
WORD = 8  # bits
FLIPS_AT_ONCE = 2**20  # numbers held by a chunk of draws, to bound the memory
FEW = 10  # discordant instances, below which the exact p alone is to be trusted


@dataclass(frozen=True)
class FourfoldTable:
    """How many instances both models, only the first, only the second, or neither has right."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def n(self) -> int:
        return self.both + self.first + self.second + self.neither

    @property
    def discordant(self) -> int:
        return self.first + self.second


@dataclass(frozen=True)
class PairedDifference:
    """Mean of first minus second over `n` instances. `table` and `mid_p` where each is right or wrong.

    `mean_square` of the differences is then the share of instances on which the two differ; `differ` counts these.
    """

    n: int
    mean: float
    of_first: float
    of_second: float
    interval: Interval | None
    p: float
    mean_square: float
    differ: int
    mid_p: float | None = None
    table: FourfoldTable | None = None


def paired_difference(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> PairedDifference:
    """Compare the values of two models on the same instances, in the same order. Raises ValueError without any."""
    if not first:
        raise ValueError("There is nothing to compare.")
    n, sums = len(first), (fsum(first), fsum(second))
    means = (sums[0] - sums[1]) / n, sums[0] / n, sums[1] / n
    differences = np.array(first) - np.array(second)
    apart = float((differences**2).mean()), int(np.count_nonzero(differences))
    if set(first) | set(second) <= {0, 1}:
        pairs = list(zip(first, second, strict=True))
        table = FourfoldTable(*(pairs.count(cell) for cell in ((1, 1), (1, 0), (0, 1), (0, 0))))
        exact, mid_p = mcnemar(table.first, table.second)
        return PairedDifference(n, *means, newcombe_paired(table), exact, *apart, mid_p, table)
    generator = np.random.default_rng(seed)
    return PairedDifference(
        n, *means, _bootstrap(differences, generator), sign_flip_p(differences.tolist(), generator), *apart
    )


def _bootstrap(values: FloatArray, generator: np.random.Generator) -> Interval | None:
    """Return the percentile interval of the mean over instances; None where all are equal.

    To draw n instances with replacement is to draw how often each distinct value occurs.
    """
    distinct, times = np.unique(values, return_counts=True)
    if len(distinct) == 1:
        return None
    drawn = generator.multinomial(len(values), times / len(values), size=DRAWS)
    return percentiles(drawn @ distinct / len(values))


def mcnemar(first: int, second: int) -> tuple[float, float]:
    """Return the exact p and the mid-p of so many discordant instances on each side."""
    discordant, fewer = first + second, min(first, second)
    if not discordant:
        return 1.0, 1.0
    tail = sum(comb(discordant, count) for count in range(fewer + 1))
    exact = min(1.0, 2 * tail / 2**discordant)
    if first == second:
        return 1.0, 1.0 - comb(discordant, fewer) / 2**discordant / 2
    return exact, exact - comb(discordant, fewer) / 2**discordant


def newcombe_paired(table: FourfoldTable) -> Interval:
    """Return Newcombe's interval of the difference of two paired shares (method 10)."""
    n, first, second = table.n, table.both + table.first, table.both + table.second
    (low_1, high_1), (low_2, high_2) = wilson(first, n), wilson(second, n)
    p_1, p_2 = first / n, second / n
    phi = _correlation(table)
    low = sqrt(max(0.0, _spread(p_1 - low_1, high_2 - p_2, phi)))
    high = sqrt(max(0.0, _spread(high_1 - p_1, p_2 - low_2, phi)))
    return p_1 - p_2 - low, p_1 - p_2 + high


def _spread(one: float, other: float, phi: float) -> float:
    return one**2 - 2 * phi * one * other + other**2


def _correlation(table: FourfoldTable) -> float:
    """Return Newcombe's phi, with his correction for continuity where the two models agree more often than not."""
    right, wrong = table.both + table.first, table.second + table.neither
    other_right, other_wrong = table.both + table.second, table.first + table.neither
    product = right * wrong * other_right * other_wrong
    if not product:
        return 0.0
    excess = table.both * table.neither - table.first * table.second
    return (max(0.0, excess - table.n / 2) if excess > 0 else excess) / sqrt(product)


def sign_flip_p(differences: Sequence[float], generator: np.random.Generator) -> float:
    """Return the share of all ways to flip the signs whose mean is at least as far from 0; of draws where many.

    Fisher's randomisation test for pairs (1935, The Design of Experiments, 21). The drawn p counts the signs as they
    are as one more draw (Phipson and Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9).
    """
    moved = np.array([each for each in differences if each])
    if not len(moved):
        return 1.0
    found = abs(moved.sum()) * (1 - 1e-9)
    if len(moved) <= EXACT_FLIPS:
        return float((abs(_all_flips(moved)) >= found).mean())
    as_far = sum(int((abs(sums) >= found).sum()) for sums in _drawn_flips(moved, generator))
    return (as_far + 1) / (FLIPS + 1)


def _drawn_flips(values: FloatArray, generator: np.random.Generator) -> Iterator[FloatArray]:
    """Yield the sums of the values for drawn signs, FLIPS in all.

    A random bit is a sign. Equal values share bytes, of which it counts the bits that are set.
    """
    sizes, times = np.unique(abs(values), return_counts=True)
    words = -(-times // WORD)
    size, bits = np.repeat(sizes, words), np.full(words.sum(), WORD)
    bits[np.cumsum(words) - 1] = times - WORD * (words - 1)
    mask = np.uint8(2**WORD - 1) >> (WORD - bits).astype(np.uint8)
    for chunk in np.array_split(np.arange(FLIPS), ceil(FLIPS * len(bits) / FLIPS_AT_ONCE)):
        drawn = generator.integers(0, 2**WORD, (len(chunk), len(bits)), dtype=np.uint8)
        kept = np.bitwise_count(drawn & mask).astype(np.float64)
        yield 2 * (kept @ size) - abs(values).sum()


def _all_flips(values: FloatArray) -> FloatArray:
    """Return the sum of the values for every choice of signs, the first one kept: the others mirror these."""
    sums = values[:1]
    for value in values[1:]:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def smallest_difference(n: int, discordant: float, power: float = POWER) -> float:
    """Return the difference of two shares that McNemar's test finds with this power (two-sided, 5 %).

    `discordant` is the share of instances on which the two differ (Connor 1987, Biometrics 43, solved for the
    difference), or the mean square of their differences. It is never more than that.
    """
    if not n or not discordant:
        return 0.0
    alpha, beta = normal_quantile(), NormalDist().inv_cdf(power)
    difference = 0.0
    for _step in range(20):
        difference = min(discordant, (alpha * sqrt(discordant) + beta * sqrt(discordant - difference**2)) / sqrt(n))
    return difference


def instances_needed(difference: float, discordant: float, power: float = POWER) -> int | None:
    """Return how many instances McNemar's test needs to find this difference; None where there is none."""
    if not difference:
        return None
    alpha, beta = normal_quantile(), NormalDist().inv_cdf(power)
    spread = alpha * sqrt(discordant) + beta * sqrt(max(0.0, discordant - difference**2))
    return ceil((spread / difference) ** 2)
