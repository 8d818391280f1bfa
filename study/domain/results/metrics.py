"""R@k and reciprocal ranks of one answer, by people or by models, when one response of several is true.

Ties are scored by expectation over all orders of the tied candidates. A ranking may be known to a depth only: from a
first and a second choice follow R@1, R@2 and MRR@2, and no MRR.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from study.domain.results.ranks import filled, wanted


@dataclass(frozen=True)
class Ranked:
    """Rank of the true response in one answer.

    `better` candidates rank above it (None: it is not among the ranks given), `tied` others equal it; `depth` ranks
    were given of `candidates` (0: unknown). Raises ValueError for an impossible ranking.
    """

    better: int | None
    tied: int
    depth: int
    candidates: int

    def __post_init__(self) -> None:
        most = self.candidates or max(self.depth, 2)
        if most < 2 or not 1 <= self.depth <= most or self.tied < 0:
            raise ValueError(f"{self} is no ranking.")
        if self.better is None:
            if self.is_full or self.tied:
                raise ValueError(f"{self}: where every candidate has a rank, the true one has.")
        elif self.better < 0 or self.better + self.tied >= most:
            raise ValueError(f"{self}: there are not so many other candidates.")

    @property
    def is_full(self) -> bool:
        """True when every candidate has a rank; never where their number is unknown."""
        return 0 < self.candidates <= self.depth

    @property
    def ranks(self) -> range:
        """Ranks that the true response may have, all equally likely; empty where it was not ranked."""
        return range(0) if self.better is None else range(self.better + 1, self.better + self.tied + 2)


MORE_THAN = 5  # candidates; R@5 needs more

Metric = Callable[[Ranked], float | None]


def recall_at(ranked: Ranked, k: int) -> float | None:
    """Return the chance that the true response is among the first `k` (R_n@k).

    None where the ranks given do not identify it. Raises ValueError for k below 1.
    """
    if k < 1:
        raise ValueError(f"There is no R@{k}.")
    if k > ranked.depth and not ranked.is_full:
        return None
    return sum(rank <= k for rank in ranked.ranks) / max(1, len(ranked.ranks))


def reciprocal_rank(ranked: Ranked) -> float | None:
    """Return the expected 1/rank of the true response; None unless all candidates were ranked."""
    return fsum(1 / rank for rank in ranked.ranks) / len(ranked.ranks) if ranked.is_full else None


def reciprocal_rank_at_2(ranked: Ranked) -> float | None:
    """Return the expected 1/rank of the true response, 0 beyond rank 2; None where only a first choice was given."""
    if ranked.depth < 2:
        return None
    return fsum(1 / rank for rank in ranked.ranks if rank <= 2) / max(1, len(ranked.ranks))


METRICS: Mapping[str, Metric] = {
    "R@1": lambda ranked: recall_at(ranked, 1),
    "R@2": lambda ranked: recall_at(ranked, 2),
    "R@5": lambda ranked: recall_at(ranked, 5) if ranked.candidates > MORE_THAN else None,
    "MRR": reciprocal_rank,
    "MRR@2": reciprocal_rank_at_2,
}
OF_PEOPLE = ("R@1", "R@2", "MRR@2", "MRR")  # and of models beside them; runs of models have all


def metrics_given(answer: str, candidates: int) -> list[str]:
    """Return the metrics that answers have where a study asks for `answer` of so many candidates.

    >>> metrics_given("first", 10), metrics_given("first-second", 10)
    (['R@1'], ['R@1', 'R@2', 'MRR@2'])
    """
    depth = len(filled(range(wanted(answer, candidates)), range(candidates)))
    one = Ranked(0, 0, depth, candidates)
    return [metric for metric in OF_PEOPLE if METRICS[metric](one) is not None]


def ranked_by_scores(scores: Sequence[float], answer: int) -> Ranked:
    """Build the full ranking of scores, higher is better; equal scores are tied.

    Raises ValueError for a NaN, which has no rank.
    """
    own = scores[answer]
    if any(score != score for score in scores):
        raise ValueError("A score is not a number.")
    better = sum(score > own for score in scores)
    tied = sum(score == own for score in scores) - 1
    return Ranked(better, tied, len(scores), len(scores))


def chance(metric: str, candidates: int) -> float | None:
    """Return the expectation of guessing, when all candidates are tied: 1/C, 2/C, 5/C, H_C/C and 1.5/C."""
    return METRICS[metric](Ranked(0, candidates - 1, candidates, candidates))


def chance_between(metric: str, fewest: int, most: int) -> tuple[float, float] | None:
    """Return between what guessing lies where questions have so many candidates at fewest and at most; None of none."""
    ends = (chance(metric, most), chance(metric, fewest)) if fewest > 0 else (None, None)
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])
