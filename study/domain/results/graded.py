"""P@1, average precision and reciprocal rank of a ranking with several positive candidates, ties by expectation.

Each figure is the mean over all orders of the tied candidates (McSherry and Najork 2008, ECIR, for such means).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb, fsum


@dataclass(frozen=True)
class TiedBlock:
    """Candidates with one score: `size` of them, `positive` of which are; with those that score above them."""

    size: int
    positive: int
    above: int
    positive_above: int

    @property
    def ranks(self) -> range:
        return range(self.above + 1, self.above + self.size + 1)


def tied_blocks(scores: Sequence[float], is_positive: Sequence[bool]) -> Iterator[TiedBlock]:
    """Yield the blocks of equal scores, the highest first. Raises ValueError for a NaN, which has no rank."""
    if any(score != score for score in scores):
        raise ValueError("A score is not a number.")
    best_first = sorted(zip(scores, is_positive, strict=True), key=lambda pair: -pair[0])
    above = positive_above = 0
    for _score, block in groupby(best_first, key=lambda pair: pair[0]):
        positives = [positive for _score, positive in block]
        yield TiedBlock(len(positives), sum(positives), above, positive_above)
        above, positive_above = above + len(positives), positive_above + sum(positives)


def precision_at_1(blocks: Sequence[TiedBlock]) -> float:
    """Return the chance that the first candidate is positive."""
    return blocks[0].positive / blocks[0].size


def reciprocal_rank_of_first(blocks: Sequence[TiedBlock]) -> float:
    """Return the expected 1 / rank of the first positive candidate, 0 without one.

    In the first block with positive ones, their first is at place j with chance C(size - j, positive - 1) /
    C(size, positive).
    """
    block = next((block for block in blocks if block.positive), None)
    if block is None:
        return 0.0
    ways = (comb(block.size - place, block.positive - 1) for place in range(1, block.size + 1))
    return fsum(way / rank for way, rank in zip(ways, block.ranks, strict=True)) / comb(block.size, block.positive)


def average_precision(blocks: Sequence[TiedBlock]) -> float:
    """Return the expected mean, over the positive candidates, of the precision at their ranks; 0 without one.

    A positive candidate at place j of its block has the positive ones above the block before it, and each of the
    other j - 1 places holds one with chance (positive - 1) / (size - 1).
    """
    positives = sum(block.positive for block in blocks)
    return fsum(_precisions(block) for block in blocks if block.positive) / positives if positives else 0.0


def _precisions(block: TiedBlock) -> float:
    density = (block.positive - 1) / (block.size - 1) if block.size > 1 else 0.0
    at_ranks = ((block.positive_above + 1 + place * density) / rank for place, rank in enumerate(block.ranks))
    return fsum(at_ranks) * block.positive / block.size


GRADED_METRICS: Mapping[str, Callable[[Sequence[TiedBlock]], float]] = {
    "P@1": precision_at_1,
    "MAP": average_precision,
    "MRR": reciprocal_rank_of_first,
}
CUTS = (3, 4, 5)  # Cut@N: a candidate with a grade of N or more is positive
