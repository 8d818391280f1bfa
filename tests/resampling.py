"""Draws of people and of questions for tests, by a generator's turns."""

import numpy as np

from core.domain.statistics import DRAWS, Resample, resampled


def drawn_by(generator: np.random.Generator, draws: int = DRAWS) -> Resample:
    """Return what draws the people of some rows first, and then their questions."""
    return lambda *columns: tuple(resampled(len(np.unique(names)), draws, generator) for names in columns)
