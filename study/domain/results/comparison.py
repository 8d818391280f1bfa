"""People against a model on the same questions: the model's figures, and the difference with its interval."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, fsum
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from core.domain.statistics import (
    DRAWS,
    FloatArray,
    IntArray,
    Interval,
    item_interval,
    percentiles,
    positions,
    resampled,
)
from study.domain.results.metrics import METRICS, OF_PEOPLE, Ranked

AT_ONCE = 100  # draws, to bound the memory


@dataclass(frozen=True)
class ModelFigure:
    """A model's figure over the `n` questions it has a prediction for and whose answer is known.

    `k` counts the right ones where each is right or wrong. The interval is over questions. None where it cannot be
    computed.
    """

    metric: str
    n: int
    k: int | None
    p: float | None
    interval: Interval | None


def model_figures(ranked: Sequence[Sequence[Ranked]], *, seed: int, draws: int = DRAWS) -> list[ModelFigure]:
    """Return every metric of a model's answers; those to one question in several conditions count as their mean.

    The seed is that of the run, so that intervals are those of its own figures.
    """
    values = {name: [_mean(METRICS[name](one) for one in answers) for answers in ranked] for name in OF_PEOPLE}
    return [_figure(name, [v for v in found if v is not None], seed, draws) for name, found in values.items()]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _figure(metric: str, values: list[float], seed: int, draws: int) -> ModelFigure:
    if not values:
        return ModelFigure(metric, 0, None, None, None)
    p = fsum(values) / len(values)
    k = int(sum(values)) if metric.startswith("R@") and set(values) <= {0, 1} else None
    return ModelFigure(metric, len(values), k, p, item_interval(values, seed=seed, draws=draws))


@dataclass(frozen=True)
class Difference:
    """Mean over `questions` of d = share of people right - the model's value, with its two-way interval.

    `of_people` and `of_model` are the means of the two over the same questions, each of which weighs the same.
    """

    mean: float
    of_people: float
    of_model: float
    interval: Interval | None
    questions: int
    people: int


def difference(
    values: ArrayLike,
    people: ArrayLike,
    questions: ArrayLike,
    model: Mapping[Any, float],
    generator: np.random.Generator,
    draws: int = DRAWS,
    *,
    wholes: ArrayLike | None = None,
) -> Difference | None:
    """Compare people with a model: `values` of answers and, by question, the value of the model's answer.

    Only questions that both answered count, and each counts the same. People and questions are drawn together, and the
    model's answer stays with its question. `wholes`, parallel to `questions`, names the question whatever its
    condition: all conditions of one are drawn together and are one question. None without a common question; no
    interval with one person or question.
    """
    asked = np.asarray(questions)
    both = np.isin(asked, list(model))
    if not both.any():
        return None
    value, own_questions = np.asarray(values, dtype=np.float64)[both], asked[both]
    person, question = positions(np.asarray(people)[both]), positions(own_questions)
    names, first = np.unique(own_questions, return_index=True)
    of_model = np.array([model[name] for name in names.tolist()])
    unit = positions((asked if wholes is None else np.asarray(wholes))[both])[first]
    size, units = (int(person.max()) + 1, len(of_model)), int(unit.max()) + 1
    order = np.lexsort((question, person))
    at = person[order], question[order]
    right = scipy.sparse.csr_array((value[order], at), shape=size)
    given = scipy.sparse.csr_array((np.ones(len(order)), at), shape=size)
    everyone = np.ones((1, size[0]))
    mean = _mean_difference(np.ones((1, size[1])), everyone @ right, everyone @ given, of_model)
    interval = None
    if min(size[0], units) > 1:
        interval = percentiles(_drawn_differences(right, given, of_model, unit, generator, draws))
    of_model_mean = float(of_model.mean())
    return Difference(float(mean[0]), float(mean[0]) + of_model_mean, of_model_mean, interval, units, size[0])


def _drawn_differences(
    right: "scipy.sparse.csr_array",
    given: "scipy.sparse.csr_array",
    model: FloatArray,
    unit: IntArray,
    generator: np.random.Generator,
    draws: int,
) -> FloatArray:
    """Return the mean of d in each draw: all of people come first from the generator, and are kept as small numbers.

    `unit` is the number of what each question is drawn with, shape (questions,).
    """
    people, units = given.shape[0], int(unit.max()) + 1
    chunks = np.array_split(np.arange(draws), ceil(draws / AT_ONCE))
    people_drawn = [resampled(people, len(chunk), generator).astype(np.uint16) for chunk in chunks]
    questions_drawn = resampled(units, draws, generator)[:, unit]
    sums = [(drawn @ right, drawn @ given) for drawn in (some.astype(np.float64) for some in people_drawn)]
    right_drawn, given_drawn = (np.concatenate(column) for column in zip(*sums, strict=True))
    return _mean_difference(questions_drawn, right_drawn, given_drawn, model)


def _mean_difference(questions: FloatArray, right: FloatArray, answers: FloatArray, model: FloatArray) -> FloatArray:
    """Return the mean of d in each draw, without questions that no drawn person answered.

    `right` and `answers` of the people drawn, and the weight of each question, have shape (draws, questions).
    """
    share = np.divide(right, answers, out=np.zeros_like(answers), where=answers > 0)
    weight = questions * (answers > 0)
    total = weight.sum(axis=1)
    means: FloatArray = np.full(len(total), np.nan)
    np.divide((weight * (share - model)).sum(axis=1), total, out=means, where=total > 0)
    return means
