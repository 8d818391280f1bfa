"""Ranks in answers: of the true candidate in first and second choices, and their number in imported answers."""

from collections.abc import Collection
from typing import NamedTuple

CHOICES = 2  # a first and a second


def better_than_true(first: int, second: int | None, answer: int | None) -> int | None:
    """Return how many candidates a person ranked above the true one; None when it is unknown or not chosen.

    >>> better_than_true(3, 1, answer=1)
    1
    """
    choices = [first] if second is None else [first, second]
    return choices.index(answer) if answer in choices else None


def depth(second: int | None) -> int:
    """Return how many ranks were given."""
    return 1 if second is None else 2


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
