"""Number of ranks in imported answers, inferred from all of them together."""

from collections.abc import Collection
from typing import NamedTuple

CHOICES = 2  # a first and a second


class RanksGiven(NamedTuple):
    """Ranks that imported answers hold.

    `candidates` of a question that is not known yet (0: unknown). The answers rank all of them where `is_full`, else
    the first `ranks`.
    """

    candidates: int
    ranks: int
    is_full: bool

    def depth(self, candidates: int) -> int:
        """Return how many ranks an answer to a question with so many candidates has."""
        return candidates if self.is_full else self.ranks


def ranks_given(forms: Collection[str], better: Collection[int | None], tied: int, candidates: int) -> RanksGiven:
    """Infer the ranks that answers hold.

    `forms` are those that the answers have ("rank", "correct", "better"), `better` the number of candidates above the
    true one in each, `tied` the most others that any of them names, `candidates` their number (0: unknown).

    Scores rank all candidates; right or wrong is a first choice alone. Ranks beyond the second without a gap rank all
    of them; else there were two choices, or one of two candidates.
    """
    if set(forms) == {"correct"}:
        return RanksGiven(candidates, 1, False)
    if "better" in forms:
        return RanksGiven(candidates or max(CHOICES, tied + 1), 0, True)
    last = max((rank for rank in better if rank is not None), default=0) + 1
    has_gaps = any(rank is None for rank in better)
    if last > CHOICES and not has_gaps:
        return RanksGiven(candidates or last, 0, True)
    if candidates == CHOICES:
        return RanksGiven(candidates, 1, not has_gaps)
    return RanksGiven(candidates, max(CHOICES, last), False)
