"""Comparisons as tests: people with a model, two groups of people, two models; and the spread of a model's seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import mean, stdev
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import FloatArray, IntArray, Interval, MissingFigure, Resample, positions
from study.domain.results.comparison import difference
from study.domain.results.contrasts import (
    Contrast,
    group_difference,
    newcombe_unpaired,
    people_minus_model,
)
from study.domain.results.equivalence import Equivalence
from study.domain.results.paired import (
    FEWEST_DIFFERENT,
    FourfoldTable,
    PairedDifference,
    mcnemar,
    newcombe_paired,
    paired_difference,
    sign_flip_p,
    without_noise,
)
from study.domain.results.tango import tango_equivalence, tango_interval

MOSTLY = 0.7  # share of answers that are right, or that are wrong, from which on
FEW_QUESTIONS = 8  # times the share of the others are too few to flip signs: see docs/metrics.md
QUESTIONS_A_PERSON = 2  # above which the p of flipped signs is for these people alone
PAIRED, POOLED = "paired over questions", "pooled k/n"


class ComparisonTest(StrEnum):
    SIGN_FLIP = "sign-flip"
    MCNEMAR = "mcnemar"
    TWO_WAY_T = "two-way t"


class Answers(NamedTuple):
    """Answers as columns: what each is worth, its person, its question, and the question whatever its condition."""

    values: FloatArray
    people: IntArray
    questions: IntArray
    wholes: IntArray

    def where(self, rows: NDArray[np.bool_]) -> "Answers":
        return Answers(self.values[rows], self.people[rows], self.questions[rows], self.wholes[rows])


@dataclass(frozen=True)
class FourfoldFigures:
    """Two that are right or wrong on the same questions. `level` more, with half of the people right, are left out."""

    table: FourfoldTable
    level: int
    p: float
    mid_p: float
    newcombe: Interval
    tango: Interval

    @classmethod
    def of(cls, table: FourfoldTable, level: int = 0) -> "FourfoldFigures":
        exact, mid_p = mcnemar(table.first, table.second)
        return cls(table, level, exact, mid_p, newcombe_paired(table), tango_interval(table))


@dataclass(frozen=True)
class Compared:
    """A difference, first minus second, of two figures by one estimator, with its interval and test.

    `smallest` is the smallest difference that such a set finds with a power of 80 %, None where it finds none
    (`smallest_why` is TOO_FEW) or where that is unknown (NO_VARIANCE). What cannot be computed is None.
    `two_way_p` takes people and questions for samples where `p` takes questions alone. `majority` compares most people
    with the model, question by question.
    """

    estimator: str
    difference: float
    first: float
    second: float
    interval: Interval | None
    test: ComparisonTest
    p: float | None
    smallest: float | None
    smallest_why: MissingFigure | None
    questions: int
    people: int = 0
    two_way_p: float | None = None
    equivalence: Equivalence | None = None
    fourfold: FourfoldFigures | None = None
    majority: FourfoldFigures | None = None
    newcombe: Interval | None = None


def has_few_questions(questions: int, share: float) -> bool:
    """Return whether flipped signs find too many differences, as so many of people's answers are right or are wrong.

    >>> has_few_questions(24, 0.76), has_few_questions(90, 0.9), has_few_questions(10, 0.5)
    (True, False, False)
    """
    commoner = max(share, 1 - share)
    return commoner >= MOSTLY and questions * (1 - commoner) < FEW_QUESTIONS


def is_of_these_people(questions: int, people: int) -> bool:
    """Return whether so few people answered that the p of flipped signs says little of others.

    How good they happen to be moves the differences of all questions alike.

    >>> is_of_these_people(40, 3), is_of_these_people(40, 20), is_of_these_people(40, 0)  # of no people: two models
    (True, False, False)
    """
    return 0 < QUESTIONS_A_PERSON * people < questions


def people_with_model(
    answers: Answers,
    model: Mapping[Any, float],
    resample: Resample,
    generator: np.random.Generator,
    *,
    margin: float | None = None,
) -> Compared | None:
    """Compare people with a model over the questions that both answered; None without one.

    `model` has the value of its answer by question. The test flips the signs of the questions' differences, so that its
    p is for these people, and takes the `generator` where there are too many flips; the interval takes people for a
    sample too. One person is compared as a model is.
    """
    found = difference(*answers[:3], model, resample, wholes=answers.wholes)
    contrast = people_minus_model(*answers[:3], model, wholes=answers.wholes)
    if found is None or contrast is None:
        return None
    of_people, of_model, sizes = _by_whole(answers, model)
    apart = sizes * without_noise(of_people - of_model)
    varies = contrast.variance != 0
    if found.people == 1:
        return _as_models(paired_difference(of_people.tolist(), of_model.tolist()), margin, people=1)
    smallest = contrast.smallest() if np.count_nonzero(apart) >= FEWEST_DIFFERENT else None
    return Compared(
        estimator=PAIRED,
        difference=found.mean,
        first=found.of_people,
        second=found.of_model,
        interval=found.interval if varies else None,
        test=ComparisonTest.SIGN_FLIP,
        p=sign_flip_p(apart.tolist(), generator) if varies or apart.any() else None,
        smallest=smallest,
        smallest_why=_why_none(smallest, contrast),
        questions=found.questions,
        people=found.people,
        two_way_p=contrast.p,
        equivalence=contrast.equivalence(margin) if margin else None,
        majority=majority_with_model(of_people, of_model),
    )


def _why_none(smallest: float | None, found: Contrast) -> MissingFigure | None:
    if smallest is not None:
        return None
    return MissingFigure.NO_VARIANCE if found.variance == 0 else MissingFigure.TOO_FEW


def _by_whole(answers: Answers, model: Mapping[Any, float]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return people's share, the model's value and the number of conditions of each question that both answered."""
    own = answers.where(np.isin(answers.questions, list(model)))
    question, unit = positions(own.questions), positions(own.wholes)
    _names, first = np.unique(question, return_index=True)
    shares = np.bincount(question, own.values) / np.bincount(question)
    worth = np.array([model[name] for name in own.questions[first].tolist()])
    conditions = np.bincount(unit[first]).astype(np.float64)
    return np.bincount(unit[first], shares) / conditions, np.bincount(unit[first], worth) / conditions, conditions


def majority_with_model(of_people: FloatArray, of_model: FloatArray) -> FourfoldFigures | None:
    """Compare most people with a model; None unless the model is right or wrong on each question, and without any.

    `of_people` is the share of people right on each question. Where it is half, most people are neither right nor
    wrong, and the question is left out.
    """
    told = of_people != 1 / 2
    if not told.any() or not np.isin(of_model, (0, 1)).all():
        return None
    table = _fourfold(of_people[told] > 1 / 2, of_model[told] == 1)
    return FourfoldFigures.of(table, level=int((~told).sum()))


def _fourfold(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> FourfoldTable:
    cells = (first & second, first & ~second, ~first & second, ~first & ~second)
    return FourfoldTable(*(int(cell.sum()) for cell in cells))


def two_models(
    first: Mapping[Any, float], second: Mapping[Any, float], *, margin: float | None = None, seed: int = 0
) -> Compared | None:
    """Compare two models by their values on the same questions; None without a common one."""
    shared = [name for name in first if name in second]
    if not shared:
        return None
    values = [first[name] for name in shared], [second[name] for name in shared]
    return _as_models(paired_difference(*values, seed=seed), margin)


def _as_models(found: PairedDifference, margin: float | None, *, people: int = 0) -> Compared:
    table = found.table
    return Compared(
        estimator=PAIRED,
        difference=found.mean,
        first=found.of_first,
        second=found.of_second,
        interval=found.interval,
        test=ComparisonTest.MCNEMAR if table else ComparisonTest.SIGN_FLIP,
        p=found.p,
        smallest=found.smallest,
        smallest_why=None if found.smallest else MissingFigure.TOO_FEW,
        questions=found.n,
        people=people,
        equivalence=_equivalence(found, margin) if margin else None,
        fourfold=FourfoldFigures.of(table) if table else None,
    )


def _equivalence(found: PairedDifference, margin: float) -> Equivalence | None:
    """Return whether two models are similar: by Tango's score where each is right or wrong, else by Student's t."""
    if found.table:
        return tango_equivalence(found.table, margin)
    if found.n < 2:
        return None
    spread = float(without_noise(np.array(found.mean_square - found.mean**2)))
    return Contrast(found.mean, spread / (found.n - 1), found.n - 1).equivalence(margin)


def two_groups(answers: Answers, is_first: NDArray[np.bool_], *, margin: float | None = None) -> Compared | None:
    """Compare two groups, all answers of each pooled; None where one has no answers.

    People and questions are samples, in the interval and in the test. `newcombe` takes the answers for independent, and
    is None where they are not right or wrong.
    """
    found = group_difference(answers.values, answers.people, answers.wholes, is_first)
    if found is None:
        return None
    first, second = (
        (float(values.sum()), len(values)) for values in (answers.values[is_first], answers.values[~is_first])
    )
    is_share = bool(np.isin(answers.values, (0, 1)).all())
    smallest = found.smallest()
    return Compared(
        estimator=POOLED if is_share else "mean over answers",
        difference=found.mean,
        first=first[0] / first[1],
        second=second[0] / second[1],
        interval=found.interval(),
        test=ComparisonTest.TWO_WAY_T,
        p=found.p,
        smallest=smallest,
        smallest_why=_why_none(smallest, found),
        questions=len(np.unique(answers.wholes)),
        people=len(np.unique(answers.people)),
        two_way_p=found.p,
        equivalence=found.equivalence(margin) if margin else None,
        newcombe=newcombe_unpaired(first, second) if is_share else None,
    )


@dataclass(frozen=True)
class Spread:
    """Figures of one model's seeds: their mean, standard deviation (None of one seed), lowest and highest."""

    mean: float
    sd: float | None
    lowest: float
    highest: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> "Spread":
        return cls(mean(figures), stdev(figures) if len(figures) > 1 else None, min(figures), max(figures))
