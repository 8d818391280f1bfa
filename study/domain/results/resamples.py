"""Draws of the bootstrap over people and questions: the same ones wherever the same people or questions are drawn."""

from functools import lru_cache

import numpy as np

from core.domain.draws import uniforms
from core.domain.statistics import DRAWS, Counts, IntArray, resampled
from study.domain.results.answer_table import Table

KEPT = 8  # sets of people and of questions whose draws are at hand


class Resamples:
    """Draws of people and of questions of a table: a `Resample` of core.domain.statistics, of codes of its rows.

    They are keyed by the names of who is drawn, so a figure has the same interval whatever its part is called and
    stands beside. Figures of the same people are of the same draws, which are made once.
    """

    def __init__(self, table: Table, seed: int = 0, draws: int = DRAWS) -> None:
        self._people, self._questions = table.people.names, table.questions.names
        self._draw = lru_cache(KEPT)(lambda *names: resampled(len(names) - 1, draws, generator_for(seed, *names)))

    def __call__(self, people: IntArray, questions: IntArray) -> tuple[Counts, Counts]:
        """Return how often each person and each question is drawn, in order of their codes."""
        return (
            self._draw("people drawn", *_named(self._people, people)),
            self._draw("questions drawn", *_named(self._questions, questions)),
        )


def _named(names: tuple[str, ...], codes: IntArray) -> list[str]:
    return [names[code] for code in np.flatnonzero(np.bincount(codes)).tolist()]


def generator_for(seed: int, *names: str) -> np.random.Generator:
    """Return the random generator that belongs to these names under this seed."""
    return np.random.default_rng([int(number * 2**53) for number in uniforms(seed, *names)])
