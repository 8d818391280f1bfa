"""Questions to which another line may be a right answer, too."""

from collections.abc import Sequence
from enum import StrEnum

LEAST_SHARE = 0.4  # of the first choices
LEAST_PEOPLE = 5  # below, only counts are shown: a share of so few tells little


class Validity(StrEnum):
    """A researcher's view of the line that people chose in place of the true one."""

    PERHAPS_VALID = "perhaps_valid"
    TRUE_ONLY = "true_only"
    UNDECIDED = "undecided"


def rival_of(first_choices: Sequence[int], answer: int | None) -> int | None:
    """Return the candidate that has more first choices than the true one and at least 40 %; None without one.

    `first_choices` counts them by candidate. Fewer than five people tell nothing.

    >>> rival_of([2, 7, 11, 1, 0], answer=1)
    2
    """
    people = sum(first_choices)
    if answer is None or people < LEAST_PEOPLE:
        return None
    most = max(range(len(first_choices)), key=lambda number: first_choices[number])
    is_rival = first_choices[most] > first_choices[answer] and first_choices[most] >= LEAST_SHARE * people
    return most if is_rival else None
