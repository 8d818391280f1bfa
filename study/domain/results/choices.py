"""What first choices tell beside who is right: how often two people choose the same line, and at which place it is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import (
    DRAWS,
    FloatArray,
    Headline,
    IntArray,
    Interval,
    MissingFigure,
    TwoWay,
    headline,
    item_bootstrap,
    two_way,
)


def same_choice(counts: Sequence[int]) -> float | None:
    """Return how probable it is that two of a question's people chose the same line; None of fewer than two people.

    `counts` are first choices by candidate.

    >>> same_choice([3, 1, 0])
    0.5
    """
    people = sum(counts)
    return sum(n * (n - 1) for n in counts) / (people * (people - 1)) if people > 1 else None


def beyond_chance(same: float, candidates: int) -> float:
    """Return agreement beyond that of people who guess: 1 for perfect agreement, 0 for guessing.

    It is S of Bennett, Alpert and Goldstein (1954, Public Opinion Quarterly 18): the lines of a question are in an
    order that is drawn for each person, so one who guesses chooses each alike.
    """
    return (same - 1 / candidates) / (1 - 1 / candidates)


@dataclass(frozen=True)
class ChoiceAgreement:
    """Means over `questions` that two people or more answered, with the intervals of a bootstrap over them."""

    questions: int
    same: float | None
    same_interval: Interval | None
    beyond_chance: float | None
    beyond_chance_interval: Interval | None


def agreement_of_choices(
    counts: Sequence[Sequence[int]], generator: np.random.Generator, draws: int = DRAWS
) -> ChoiceAgreement:
    """Return how alike people choose; `counts` are first choices by candidate, a row for each question."""
    pairs = [(same, len(row)) for row in counts if (same := same_choice(row)) is not None and len(row) > 1]
    if not pairs:
        return ChoiceAgreement(0, None, None, None, None)
    alike = [value for value, _candidates in pairs]
    beyond = [beyond_chance(*pair) for pair in pairs]
    return ChoiceAgreement(
        len(pairs), *_with_interval(alike, generator, draws), *_with_interval(beyond, generator, draws)
    )


def _with_interval(values: list[float], generator: np.random.Generator, draws: int) -> tuple[float, Interval | None]:
    return float(np.mean(values)), item_bootstrap(values, generator=generator, draws=draws)


@dataclass(frozen=True)
class PlaceFigure:
    """A share: `k` of `n` answers; `found` is None without answers. The headline is for other people and questions."""

    k: int
    n: int
    found: TwoWay | None
    headline: Headline


def share_where(is_so: NDArray[np.bool_], people: IntArray, questions: IntArray) -> PlaceFigure:
    """Return the share of answers for which something is so, with its headline."""
    if not len(is_so):
        return PlaceFigure(0, 0, None, Headline(None, MissingFigure.NO_ANSWERS))
    values: FloatArray = is_so.astype(np.float64)
    found = two_way(values, people, questions)
    return PlaceFigure(int(is_so.sum()), len(is_so), found, headline(found))
