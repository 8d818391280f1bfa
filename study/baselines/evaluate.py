"""Figures of a run: R@k and mean reciprocal ranks with their intervals, and how many contexts were in the training.

The unit is the instance whose answer is known. A share of right ones (R@k where no tie is open at k) has Wilson's
interval; a mean (MRR, and R@k where ties count by expectation) the bootstrap over instances. METHODS of the intervals:
docs/metrics.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import DRAWS_OF_A_RUN, Interval, MissingFigure, percentiles, wilson
from core.domain.text import fold
from core.domain.wording import gettext_noop
from study.baselines.base import RankingInstance
from study.domain.results.metrics import METRICS, Ranked, ranked_by_scores

WHY = {
    MissingFigure.NO_ANSWERS: gettext_noop("No instance has a known answer."),
    MissingFigure.TOO_FEW_CANDIDATES: gettext_noop("It needs more than 5 candidates."),
    MissingFigure.NO_VARIANCE: gettext_noop("All instances are worth the same, so nothing tells how much they vary."),
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


def _figure(name: str, values: Sequence[float | None], seed: int) -> dict[str, Any]:
    known = np.array([value for value in values if value is not None])
    if not values or len(known) < len(values):
        why = MissingFigure.TOO_FEW_CANDIDATES if values else MissingFigure.NO_ANSWERS
        return {name: None, f"{name}_ci": None, f"{name}_why": why}
    interval = _interval(known, seed)
    figure = {name: fsum(known) / len(known), f"{name}_ci": interval}
    return figure if interval else figure | {f"{name}_why": MissingFigure.NO_VARIANCE}


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
    drawn = generator.multinomial(len(values), times / len(values), size=DRAWS_OF_A_RUN)
    return percentiles(drawn @ distinct / len(values))


def shared_contexts(train: Iterable[RankingInstance], asked: Iterable[RankingInstance]) -> list[str]:
    """Return the ids of the asked instances whose context a training instance has too.

    Case, space, punctuation and the limits of turns are ignored. A training dialogue without candidates contains every
    context that it begins with.
    """
    seen: set[bytes] = set()
    for instance in train:
        beginnings = _beginnings(instance.context)
        seen.update(beginnings[-1:] if instance.candidates else beginnings)
    return [instance.id for instance in asked if not seen.isdisjoint(_beginnings(instance.context)[-1:])]


def _beginnings(turns: Iterable[str]) -> list[bytes]:
    """Return a digest of the first turn, of the first two, and so on."""
    digest, beginnings = blake2b(digest_size=16), []
    for turn in turns:
        digest.update(fold(turn).encode())
        beginnings.append(digest.digest())
    return beginnings
