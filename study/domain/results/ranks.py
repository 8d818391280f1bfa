"""Ranks in answers: what follows from a ranking that a person gave, and how many ranks imported answers have."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

CHOICES = 2  # a first and a second
ANSWERS = ("first", "first-second", "ranking")  # what a study asks of each question


def wanted(answer: str, candidates: int) -> int:
    """Return how many ranks a study that asks for `answer`, one of ANSWERS, wants of so many candidates."""
    most = {"first": 1, "first-second": CHOICES, "ranking": candidates}[answer]
    return min(most, candidates)


def filled(ranking: Sequence[int], numbers: Collection[int]) -> list[int]:
    """Return a ranking with the last place filled, where only one of the candidates has none.

    >>> filled([2, 0], range(3))
    [2, 0, 1]
    """
    left = [number for number in sorted(numbers) if number not in ranking]
    return [*ranking, *left] if len(left) == 1 else [*ranking]


class GivenRanking(NamedTuple):
    """A ranking as it was given, candidates' numbers best first, and all that is stored beside it for queries.

    `better` candidates rank above the true one: None where that is unknown or has no rank. People give no ties.
    """

    ranking: list[int]
    first: int
    second: int | None
    better: int | None
    tied: int
    depth: int


def given(ranking: Sequence[int], answer: int | None) -> GivenRanking:
    """Return what follows from a ranking of at least one candidate, when `answer` is the true one.

    >>> given([3, 1, 0], answer=1)
    GivenRanking(ranking=[3, 1, 0], first=3, second=1, better=1, tied=0, depth=3)
    """
    ranks = [*ranking]
    second = ranks[1] if len(ranks) > 1 else None
    better = ranks.index(answer) if answer in ranks else None
    return GivenRanking(ranks, ranks[0], second, better, tied=0, depth=len(ranks))


class RanksGiven(NamedTuple):
    """Ranks that imported answers hold.

    `candidates` of a question that is not known yet (0: unknown). Where it `is_guessed` it is the highest rank that
    occurs, and there are at least so many. The answers rank all of them where `is_full`, else the first `ranks`.
    """

    candidates: int
    ranks: int
    is_full: bool
    is_guessed: bool = False

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
        return RanksGiven(candidates or max(CHOICES, tied + 1), 0, True, is_guessed=not candidates)
    last = max((rank for rank in better if rank is not None), default=0) + 1
    has_gaps = any(rank is None for rank in better)
    if last > CHOICES and not has_gaps:
        return RanksGiven(candidates or last, 0, True, is_guessed=not candidates)
    if candidates == CHOICES:
        return RanksGiven(candidates, 1, not has_gaps)
    return RanksGiven(candidates, max(CHOICES, last), False)
