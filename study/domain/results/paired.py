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

from core.domain.statistics import FloatArray, Interval, item_bootstrap, normal_quantile, wilson

POWER = 0.8
EXACT_FLIPS = 20  # differences that are not 0, up to which all ways to flip them are counted
FLIPS = 100_000
WORD = 8  # bits
FLIPS_AT_ONCE = 2**20  # numbers held by a chunk of draws, to bound the memory
FEWEST_DIFFERENT = 6  # differences that are not 0: of fewer the exact tests have no p below .05, as 2 / 2**5 is .0625
NOISE = 1e-12  # of sums of values from -1 to 1, which would be 0 but for rounding
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

    @property
    def smallest(self) -> float | None:
        """The smallest difference that such a set finds with a power of 80 %; None where it finds none."""
        return smallest_difference(self.n, self.differ / self.n, self.mean_square)

    @property
    def needed(self) -> int | None:
        """How many instances it takes to find this difference with that power; None of no difference."""
        return instances_needed(abs(self.mean), self.differ / self.n, self.mean_square)


def without_noise(values: FloatArray) -> FloatArray:
    """Return the values with 0 for each that would be 0 but for rounding, so that noise is no spread and no sign."""
    return np.where(abs(values) < NOISE, 0.0, values)


def paired_difference(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> PairedDifference:
    """Compare the values of two models on the same instances, in the same order. Raises ValueError without any."""
    if not first:
        raise ValueError("There is nothing to compare.")
    n, sums = len(first), (fsum(first), fsum(second))
    means = (sums[0] - sums[1]) / n, sums[0] / n, sums[1] / n
    differences = without_noise(np.array(first) - np.array(second))
    apart = float((differences**2).mean()), int(np.count_nonzero(differences))
    if set(first) | set(second) <= {0, 1}:
        pairs = list(zip(first, second, strict=True))
        table = FourfoldTable(*(pairs.count(cell) for cell in ((1, 1), (1, 0), (0, 1), (0, 0))))
        exact, mid_p = mcnemar(table.first, table.second)
        return PairedDifference(n, *means, newcombe_paired(table), exact, *apart, mid_p, table)
    generator = np.random.default_rng(seed)
    interval = item_bootstrap(differences, generator=generator)
    return PairedDifference(n, *means, interval, sign_flip_p(differences.tolist(), generator), *apart)


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
    found = abs(moved.sum()) - NOISE * abs(moved).sum()
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


def smallest_difference(n: int, differ: float, mean_square: float | None = None, power: float = POWER) -> float | None:
    """Return the difference that the exact tests find with this power, by the normal approximation (two-sided, 5 %).

    `differ` is the share of the `n` instances on which the two differ, `mean_square` that of their differences, which
    is the same where each is right or wrong (Connor 1987, Biometrics 43, solved for the difference). None where too
    few differ for any p to be below 5 %, or where not even the largest mean difference there can be would be found.
    """
    if round(n * differ, 6) < FEWEST_DIFFERENT:
        return None
    square = differ if mean_square is None else mean_square
    alpha, beta = normal_quantile(), NormalDist().inv_cdf(power)
    difference = sqrt(square) * (alpha * sqrt(n) + beta * sqrt(n + beta**2 - alpha**2)) / (n + beta**2)
    return difference if difference <= sqrt(differ * square) else None  # the largest, by Cauchy and Schwarz


def instances_needed(
    difference: float, differ: float, mean_square: float | None = None, power: float = POWER
) -> int | None:
    """Return how many instances take what `smallest_difference` says down to this one; None of no difference."""
    if not difference:
        return None
    square = differ if mean_square is None else mean_square
    alpha, beta = normal_quantile(), NormalDist().inv_cdf(power)
    spread = alpha * sqrt(square) + beta * sqrt(max(0.0, square - difference**2))
    return max(ceil((spread / difference) ** 2), ceil(FEWEST_DIFFERENT / differ))
