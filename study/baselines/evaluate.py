"""R@k and mean reciprocal ranks with their intervals, over the instances whose answer is known.

The unit is the instance. A share of right ones (R@k where no tie is open at k) has Wilson's interval; a mean (MRR, and
R@k where ties count by expectation) the bootstrap over instances. METHODS of the intervals: docs/metrics.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.intervals import wilson
from core.domain.wording import gettext_noop
from study.domain.results.metrics import Ranked, ranked_by_scores, recall_at, reciprocal_rank, reciprocal_rank_at_2

Interval = tuple[float, float]

DRAWS = 2_000
TAILS = (0.025, 0.975)
MORE_THAN = 5  # candidates; R@5 needs more

METRICS: Mapping[str, Callable[[Ranked], float | None]] = {
    "R@1": lambda ranked: recall_at(ranked, 1),
    "R@2": lambda ranked: recall_at(ranked, 2),
    "R@5": lambda ranked: recall_at(ranked, 5) if ranked.candidates > MORE_THAN else None,
    "MRR": reciprocal_rank,
    "MRR@2": reciprocal_rank_at_2,
}
WHY = {
    "no_answers": gettext_noop("No instance has a known answer."),
    "too_few_candidates": gettext_noop("It needs more than 5 candidates."),
    "no_variance": gettext_noop("All instances are worth the same, so nothing tells how much they vary."),
}


@dataclass(frozen=True)
class Scored:
    """A model's scores for the candidates of one instance, and the index of the true one (None: unknown)."""

    scores: Sequence[float]
    answer: int | None

    @cached_property
    def ranked(self) -> Ranked | None:
        return None if self.answer is None else ranked_by_scores(self.scores, self.answer)


def evaluate(scored: Sequence[Scored], *, seed: int) -> dict[str, Any]:
    """Return figures over the `n` instances with a known answer; `without_answer` others have predictions only.

    `candidates` is None where instances differ in it; `tied` counts instances whose true response is tied with another.
    A missing figure or interval is None, with the reason under "<name>_why" (see WHY).
    """
    ranked = [one.ranked for one in scored if one.ranked is not None]
    sizes = {len(one.scores) for one in scored}
    figures: dict[str, Any] = {
        "n": len(ranked),
        "candidates": sizes.pop() if len(sizes) == 1 else None,
        "tied": sum(one.tied > 0 for one in ranked),
        "without_answer": len(scored) - len(ranked),
    }
    for name, metric in METRICS.items():
        figures |= _figure(name, [metric(one) for one in ranked], seed)
    return figures


def best_first(scores: Sequence[float]) -> list[int]:
    """Return the candidates' indices by falling score; tied ones keep their own order."""
    return sorted(range(len(scores)), key=lambda number: -scores[number])


def chance(name: str, candidates: int) -> float | None:
    """Return the expectation of guessing, when all candidates are tied: 1/C, 2/C, 5/C, H_C/C and 1.5/C."""
    return METRICS[name](Ranked(0, candidates - 1, candidates, candidates))


def _figure(name: str, values: Sequence[float | None], seed: int) -> dict[str, Any]:
    known = np.array([value for value in values if value is not None])
    if not values or len(known) < len(values):
        why = "too_few_candidates" if values else "no_answers"
        return {name: None, f"{name}_ci": None, f"{name}_why": why}
    interval = _interval(known, seed)
    figure = {name: fsum(known) / len(known), f"{name}_ci": interval}
    return figure if interval else figure | {f"{name}_why": "no_variance"}


def _interval(values: NDArray[np.float64], seed: int) -> Interval | None:
    """Return Wilson's interval where every value is 0 or 1, else the bootstrap; None for a mean of equal values.

    To draw n instances with replacement is to draw how often each distinct value occurs (a multinomial), so the order
    of instances changes nothing.
    """
    if np.isin(values, (0, 1)).all():
        return wilson(int(values.sum()), len(values))
    distinct, times = np.unique(values, return_counts=True)
    if len(distinct) == 1:
        return None
    generator = np.random.default_rng(seed % 2**64)
    drawn = generator.multinomial(len(values), times / len(values), size=DRAWS)
    low, high = np.quantile(drawn @ distinct / len(values), TAILS)
    return float(low), float(high)
