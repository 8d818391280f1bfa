"""Agreement of people on answers without an order."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from annotation.domain.agreement import agreement, grade_patterns
from core.domain.statistics import DRAWS_OF_ITEMS

SEED = 0  # of the bootstrap


def nominal_agreement(
    items: Sequence[int],
    people: Sequence[int],
    answers: Sequence[str],
    known: Sequence[str],
    figures: Sequence[str] = ("percent", "kappa"),
) -> dict[str, Any]:
    """Return {n, and for each figure its value, ``_ci`` and, where one is missing, ``_why``}.

    `items`, `people` and `answers` are parallel lists; each answer is in `known`. n is the number of items with two
    answers or more; kappa is Fleiss's.
    """
    grades = [known.index(answer) for answer in answers]
    block = agreement(
        grade_patterns(items, people, grades, range(len(known))), DRAWS_OF_ITEMS, np.random.default_rng(SEED)
    )
    found: dict[str, Any] = {"n": block.n}
    for name in figures:
        figure = block.figures[name]
        found |= {name: figure.value, f"{name}_ci": figure.interval}
        if why := figure.why or figure.interval_why:
            found[f"{name}_why"] = str(why)
    return found
