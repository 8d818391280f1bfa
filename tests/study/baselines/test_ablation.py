"""Contexts taken away and shuffled, and figures over seeds."""

import pytest

from study.baselines.ablation import ablated, is_ablation
from study.baselines.base import RankingInstance
from study.baselines.seeds import over_seeds

INSTANCE = RankingInstance("i", ("a", "b", "c", "d"), ("x", "y"), 1, speakers=("F", "M", "F", "M"))


def turns(name: str, seed: int = 0) -> list[tuple[str, str]]:
    [changed] = ablated([INSTANCE], name, seed)
    assert (changed.id, changed.candidates, changed.answer) == (INSTANCE.id, INSTANCE.candidates, INSTANCE.answer)
    return list(zip(changed.context, changed.speakers, strict=True))


def test_the_earliest_turns_or_all_are_taken_away():
    assert turns("first:1") == [("b", "M"), ("c", "F"), ("d", "M")]
    assert turns("first:3") == [("d", "M")]
    assert turns("first:4") == turns("first:9") == turns("all") == []


def test_shuffled_turns_are_the_same_ones_with_their_speakers_in_an_order_of_the_seed():
    orders = [turns("shuffle", seed) for seed in range(20)]
    assert all(sorted(order) == turns_of(INSTANCE) for order in orders)
    assert turns("shuffle", 3) == orders[3]
    assert len({tuple(order) for order in orders}) > 5


def turns_of(instance: RankingInstance) -> list[tuple[str, str]]:
    return list(zip(instance.context, instance.speakers, strict=True))


@pytest.mark.parametrize("name", ["", "first", "first:", "first:0", "first:100", "first:-1", "last:1", "ALL", "all "])
def test_other_changes_are_not_known(name):
    assert not is_ablation(name)


def test_the_spread_over_seeds_is_that_of_a_sample():
    names = {"R@1": 0.5, "R@2": 0.5, "R@5": None, "MRR": 0.5, "MRR@2": 0.5}
    found = over_seeds([names | {"R@1": value} for value in (0.2, 0.4, 0.9)])
    assert found["R@1"] == {"mean": pytest.approx(0.5), "sd": pytest.approx(0.13**0.5)}
    assert found["R@2"] == {"mean": 0.5, "sd": 0.0}
    assert found["R@5"] is None
    assert over_seeds([names])["R@1"] == {"mean": 0.5, "sd": None}
