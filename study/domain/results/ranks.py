"""Rank of the true candidate in first and second choices."""


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
