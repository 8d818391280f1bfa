"""Designs of simulated studies, those of METHODS 1: forms, people, questions, and how much these differ."""

from typing import NamedTuple

import numpy as np
from scipy import special

SEED = 20_260_101
GRID = 4_000  # points of the normal distribution, for the truth


class Design(NamedTuple):
    """Forms, people and questions of each; intercept and standard deviations of people and questions, as logits."""

    forms: int
    people: int
    questions: int
    intercept: float
    sd_people: float
    sd_questions: float

    @property
    def truth(self) -> float:
        """The share that all people would have right of all questions."""
        normal = special.ndtri((np.arange(GRID) + 0.5) / GRID)
        return float(special.expit(self.intercept + normal * np.hypot(self.sd_people, self.sd_questions)).mean())

    def __str__(self) -> str:
        forms, people, questions, *logits = self
        return f"{forms} x {people} x {questions}, " + ", ".join(f"{number:g}" for number in logits)


CROWD = Design(4, 34, 10, 0.7, 0.8, 0.8)  # that of the study
DESIGNS = {  # the coverage that shared/METHODS.md has for each
    Design(1, 8, 10, 1.4, 0.8, 0.8): 0.970,
    Design(1, 8, 10, 3.2, 0.8, 0.8): 0.981,
    Design(4, 34, 10, 1.4, 0.8, 0.8): 0.956,
    Design(4, 34, 10, 1.4, 0.8, 0): 0.959,
    Design(1, 8, 10, 2.75, 0, 0): 0.985,
    Design(1, 3, 40, 1.4, 0.8, 0.8): 0.990,
    Design(1, 100, 4, 1.4, 0.8, 0.8): 0.969,
    Design(1, 100, 4, 1.4, 0.8, 1.5): 0.935,
    Design(1, 5, 20, 1.4, 0.8, 0.8): 0.971,
    Design(2, 15, 10, 1.4, 0.8, 0.8): 0.943,
}
