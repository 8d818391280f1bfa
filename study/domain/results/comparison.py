"""People against a model on the same questions: the model's figures, and the difference with its interval."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.domain.statistics import (
    DRAWS,
    FloatArray,
    Interval,
    Resample,
    answer_table,
    in_chunks,
    item_interval,
    percentiles,
    positions,
)
from study.domain.results.metrics import METRICS, OF_PEOPLE, Ranked


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
    resample: Resample,
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
    value, person = np.asarray(values, dtype=np.float64)[both], np.asarray(people)[both]
    whole = (asked if wholes is None else np.asarray(wholes))[both]
    names, first = np.unique(asked[both], return_index=True)
    of_model = np.array([model[name] for name in names.tolist()])
    cells, unit = (positions(person), positions(asked[both])), positions(whole)[first]
    size, units = (int(cells[0].max()) + 1, len(of_model)), int(unit.max()) + 1
    order = np.lexsort(cells[::-1])
    at = cells[0][order], cells[1][order]
    right, given = (answer_table(column, at, size) for column in (value[order], np.ones(len(order))))
    everyone = np.ones((1, size[0]))
    mean = _mean_difference(np.ones((1, size[1])), everyone @ right, everyone @ given, of_model)
    interval = None
    if min(size[0], units) > 1:
        drawn = in_chunks(*resample(person, whole))
        means = [_mean_difference(units_drawn[:, unit], of @ right, of @ given, of_model) for of, units_drawn in drawn]
        interval = percentiles(np.concatenate(means))
    of_model_mean = float(of_model.mean())
    return Difference(float(mean[0]), float(mean[0]) + of_model_mean, of_model_mean, interval, units, size[0])


def _mean_difference(questions: FloatArray, right: FloatArray, answers: FloatArray, model: FloatArray) -> FloatArray:
    """Return the mean of d in each draw, without questions that no drawn person answered.

    `right` and `answers` of the people drawn, and the weight of each question, have shape (draws, questions).
    """
    share = np.divide(right, answers, out=np.zeros(answers.shape), where=answers > 0, dtype=np.float64)
    weight = questions * (answers > 0)
    total = weight.sum(axis=1)
    means: FloatArray = np.full(len(total), np.nan)
    np.divide((weight * (share - model)).sum(axis=1), total, out=means, where=total > 0)
    return means
