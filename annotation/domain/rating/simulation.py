"""Bots that rate pairs the way two people do: mostly alike, sometimes one grade apart, now and then far apart.

A latent class model after Dawid and Skene (1979). Every item is either clear, with one true grade, or ambiguous between
two neighbouring grades, and has one far grade that it can be misread as. An annotator misreads it with a fixed
probability and otherwise gives the true grade, one of the two at random where the item is ambiguous.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from annotation.domain.rating.guideline import Guideline
from annotation.domain.rating.rating import Scale, reasons_for
from core.domain.draws import uniforms
from core.domain.wording import ChoiceError, gettext_noop

STUDY_REMOVED = 23_815 / 105_825
# Two annotators end up far apart when exactly one of them misreads: 2 m (1 - m) is the share removed.
MISREADING = (1 - sqrt(1 - 2 * STUDY_REMOVED)) / 2
# Standard deviation of the true grades over the scale's width. At kappa 0.8 it leaves 34 % of the final grades up to
# 2.5 and 49 % from 2.5 to 3.5; the study has 35.0 % and 48.9 %.
SPREAD = 0.225
# Gold is chosen to be clear: the first share of its grades is right, the second is far off, the others are one off.
GOLD_RIGHT, GOLD_MISREAD = 0.8, 0.02


class Latent(NamedTuple):
    """A kind of item and its ``share`` of all items; clear where ``low`` equals ``high``."""

    share: float
    low: int
    high: int
    misread: int | None


@dataclass(frozen=True)
class SimulatedAnnotators:
    """Grades and reasons that depend only on the seed, the item's key and the annotator's name.

    Bots may therefore work in any order, on any database and in any number; an item's key must not come from the
    database. With two annotators per item and a largest kept gap of 1, on a scale of five grades or more, 22.5 % of the
    items are removed, as in the 5-grade study, and the pooled kappa of those kept is ``kappa`` (its 0.8). Below 0.06
    the filter itself leaves more agreement than is asked for: the bots then agree as little as they can. On shorter
    scales fewer gaps can be wide, so that less is removed. ChoiceError for a kappa outside 0 to 1.
    """

    seed: int
    scale: Scale
    kappa: float = 0.8

    def __post_init__(self) -> None:
        if not 0 <= self.kappa <= 1:
            raise ChoiceError(gettext_noop("kappa is a number from 0 to 1, not %(kappa)s."), kappa=self.kappa)

    def grade(self, item: str, annotator: str) -> int:
        """Return the grade that the annotator gives the item, a whole number of the scale."""
        _, low, high, misread = self._latent(item)
        attention, coin, _, _ = uniforms(self.seed, "rate", item, annotator)
        if misread is not None and attention < MISREADING:
            return misread
        return low if coin < 0.5 else high

    def decision(self, item: str, annotator: str, guideline: Guideline) -> tuple[int | None, str]:
        """Return an adjudicator's decision: grade and type, or None and "ambiguous" where they misread it."""
        _, low, high, misread = self._latent(item)
        grade = self.grade(item, annotator)
        if misread is not None and grade == misread and grade not in (low, high):
            return None, "ambiguous"
        return grade, self.reason(item, annotator, guideline) or ""

    def on(self, item: str, raters: Sequence[str]) -> list[str]:
        """Return the annotators in the drawn order in which they take the item, so that each works with all others."""
        return sorted(raters, key=lambda annotator: uniforms(self.seed, "turn", item, annotator))

    def reason(self, item: str, annotator: str, guideline: Guideline) -> str | None:
        """Return the key of a type that the annotator's grade allows; None where the grade needs no reason."""
        return self.type_of(self.grade(item, annotator), item, annotator, guideline)

    def type_of(self, grade: int, item: str, annotator: str, guideline: Guideline) -> str | None:
        """Return the key of a type that this grade allows; None where it needs no reason."""
        types = reasons_for(guideline, grade)
        _, _, choice, _ = uniforms(self.seed, "rate", item, annotator)
        return types[int(choice * len(types))]["key"] if types else None

    def grade_of_gold(self, item: str, annotator: str, known: int, meeting: int) -> int:
        """Return the annotator's grade for a gold pair with grade ``known`` on their ``meeting``-th encounter."""
        attention, choice, _, _ = uniforms(self.seed, "rate gold", item, annotator, str(meeting))
        if attention < GOLD_RIGHT:
            return known
        far = [grade for grade in self.scale.grades if abs(grade - known) > 1]
        beside = [grade for grade in self.scale.grades if abs(grade - known) == 1]
        grades = far if far and attention >= 1 - GOLD_MISREAD else beside
        return grades[int(choice * len(grades))]

    def _latent(self, item: str) -> Latent:
        kinds, cumulative = self._kinds
        position, _, _, _ = uniforms(self.seed, "item", item)
        return kinds[min(bisect_right(cumulative, position), len(kinds) - 1)]

    @cached_property
    def _kinds(self) -> tuple[list[Latent], list[float]]:
        kinds = latent_kinds(self.scale, torn_share(self.scale, self.kappa))
        return kinds, list(accumulate(kind.share for kind in kinds))


def torn_share(scale: Scale, kappa: float) -> float:
    """Return the smallest share of ambiguous items, to 1e-6, that lowers the kept items' kappa to ``kappa``; else 1."""

    def disagreement(millionths: int) -> float:
        # Rounded, because the last bits differ between machines and every grade depends on the share.
        return round(-kept_kappa(latent_kinds(scale, millionths / 10**6), scale), 9)

    return bisect_left(range(10**6), -kappa, key=disagreement) / 10**6


def latent_kinds(scale: Scale, torn: float) -> list[Latent]:
    """Return every kind of item that can occur; the shares sum to 1."""
    return [
        Latent(share / len(misreadings), low, high, misread)
        for share, low, high in _true_grades(scale, torn)
        for misreadings in [_far_grades(scale, low, high)]
        for misread in misreadings
    ]


def _true_grades(scale: Scale, torn: float) -> Iterator[tuple[float, int, int]]:
    """Yield share, low and high of clear and ambiguous items, bell-shaped over the scale.

    The more items are ambiguous, the more of them lie between the two middle grades: spread over the whole scale they
    would still separate low from high, and kappa could not fall below a third.
    """
    clear = [(grade, grade) for grade in scale.grades]
    between = list(pairwise(scale.grades))
    middle = between[(len(between) - 1) // 2]
    for share, ends in zip(_bell(clear, scale), clear, strict=True):
        yield (1 - torn) * share, *ends
    for share, ends in zip(_bell(between, scale), between, strict=True):
        yield torn * ((1 - torn) * share + torn * (ends == middle)), *ends


def _bell(positions: list[tuple[int, int]], scale: Scale) -> list[float]:
    """Return normal weights, summing to 1, at the middle of each pair of grades."""
    centre, deviation = (scale.lowest + scale.highest) / 2, SPREAD * (scale.highest - scale.lowest)
    weights = [exp(-((((low + high) / 2 - centre) / deviation) ** 2) / 2) for low, high in positions]
    return [weight / sum(weights) for weight in weights]


def _far_grades(scale: Scale, low: int, high: int) -> list[int] | list[None]:
    """Return the grades at least two away from both; [None] where the scale has none: then no one misreads."""
    return [grade for grade in scale.grades if grade <= low - 2 or grade >= high + 2] or [None]


def kept_kappa(kinds: list[Latent], scale: Scale) -> float:
    """Return the expected pooled kappa (Scott's pi, METHODS 4) of two annotators on items with a gap of at most 1."""
    kept = np.triu(np.tril(_pair_table(kinds, scale), 1), -1)
    observed = np.trace(kept) / kept.sum()
    expected = np.square(kept.sum(axis=0) / kept.sum()).sum()
    return float((observed - expected) / (1 - expected))


def _pair_table(kinds: list[Latent], scale: Scale) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return how often two annotators of one item give each ordered pair of grades, shape (grades, grades)."""
    given = np.zeros((len(kinds), len(scale.grades)))
    for row, (_, low, high, misread) in enumerate(kinds):
        misreading = 0 if misread is None else MISREADING
        for grade, chance in ((low, (1 - misreading) / 2), (high, (1 - misreading) / 2), (misread, misreading)):
            if grade is not None:
                given[row, grade - scale.lowest] += chance
    shares = np.array([kind.share for kind in kinds])
    return given.T @ (shares[:, None] * given)
