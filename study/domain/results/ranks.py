"""First and second choices: where the true candidate stands among them."""


def better_than_true(first: int, second: int | None, answer: int | None) -> int | None:
    """How many candidates a person put above the true one; None where it is not among their choices, or not known.

    >>> better_than_true(3, 1, answer=1)
    1
    """
    choices = [first] if second is None else [first, second]
    return choices.index(answer) if answer in choices else None


def depth(second: int | None) -> int:
    """How many ranks were given."""
    return 1 if second is None else 2
