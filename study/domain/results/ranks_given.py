"""How many ranks answers made elsewhere hold, read off all of them together."""

from collections.abc import Collection
from typing import NamedTuple

CHOICES = 2  # a first and a second


class RanksGiven(NamedTuple):
    """`candidates` of a question that is not known yet (0: nothing tells). The answers rank all of them where `is_full`
    says so, else the first `ranks`.
    """

    candidates: int
    ranks: int
    is_full: bool

    def depth(self, candidates: int) -> int:
        """How many ranks an answer to a question with so many candidates holds."""
        return candidates if self.is_full else self.ranks


def ranks_given(forms: Collection[str], better: Collection[int | None], tied: int, candidates: int) -> RanksGiven:
    """From the forms that answers come in ("rank", "correct", "better"), how many candidates stand above the true one
    in each, the most others that any of them names, and the number of candidates (0: nobody said).

    Scores rank all candidates; right or wrong is a first choice alone. Ranks beyond the second without a gap rank all
    of them; else there were two choices, or of two candidates one.
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
