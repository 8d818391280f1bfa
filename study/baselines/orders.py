"""Candidates in other orders, for models whose scores depend on the order."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum
from typing import Any

from core.domain.draws import uniforms
from study.baselines.base import RankingInstance

ORDERS = 10  # in which each instance is asked


def figures_over_orders(
    figures: Callable[[Sequence[RankingInstance]], dict[str, Any]], instances: Sequence[RankingInstance], seed: int
) -> dict[str, Any]:
    """Return the mean, lowest and highest of each figure when all candidates are in ORDERS drawn orders."""
    drawn = [figures([in_order(instance, seed, number) for instance in instances]) for number in range(ORDERS)]
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
