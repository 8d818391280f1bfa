"""Candidates in other orders, for models whose scores depend on the order."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum
from typing import Any

from core.domain.draws import uniforms
from study.baselines.base import RankingInstance
from study.baselines.evaluate import evaluate_run

ORDERS = 10  # in which each instance is asked

Scores = Sequence[Sequence[float]]


def figures_over_orders(
    scored: Callable[[Sequence[RankingInstance]], Scores], instances: Sequence[RankingInstance], seed: int
) -> dict[str, Any]:
    """Return the mean, lowest and highest of each figure when all candidates are in ORDERS drawn orders.

    All orders of an instance are asked one after another, so that a model may read what they share once.
    """
    asked = [in_order(instance, seed, number) for instance in instances for number in range(ORDERS)]
    scores = scored(asked)
    drawn = [evaluate_run(asked[number::ORDERS], scores[number::ORDERS], seed=seed) for number in range(ORDERS)]
    names = [name for name, value in drawn[0].items() if isinstance(value, float)]
    values = {name: [each[name] for each in drawn] for name in names}
    return {
        name: {"mean": fsum(each) / ORDERS, "lowest": min(each), "highest": max(each)} for name, each in values.items()
    }


def in_order(instance: RankingInstance, seed: int, number: int) -> RankingInstance:
    """Return the instance with its candidates in the drawn order of this number."""
    draws = [
        uniforms(seed, "order for a model", str(number), instance.id, str(place))
        for place in range(len(instance.candidates))
    ]
    order = sorted(range(len(draws)), key=draws.__getitem__)
    return replace(
        instance,
        candidates=tuple(instance.candidates[position] for position in order),
        grades=tuple(instance.grades[position] for position in order) if instance.grades else (),
        answer=None if instance.answer is None else order.index(instance.answer),
    )
