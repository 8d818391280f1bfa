"""Figures over drawn orders, for models whose scores depend on the order of the candidates."""

import pytest

from study.baselines.base import RankingInstance
from study.baselines.orders import ORDERS, figures_over_orders, in_order

INSTANCES = [RankingInstance(f"i{number}", ("Who?",), ("me", "you", "she", "he"), 0) for number in range(400)]


def chooses_the_first(instances):
    return [[4.0, 3.0, 2.0, 1.0] for _instance in instances]


def test_a_model_that_goes_by_position_is_worth_chance_over_all_orders():
    """400 instances in 10 orders: the standard error is .007."""
    over = figures_over_orders(chooses_the_first, INSTANCES, 0)["R@1"]
    assert over["mean"] == pytest.approx(0.25, abs=0.03)
    assert over["lowest"] < over["mean"] < over["highest"]


def test_answer_and_grades_go_with_their_candidates():
    instance = RankingInstance("i", ("Who?",), ("me", "you", "she"), 1, grades=(1, 5, 3))
    drawn = [in_order(instance, 0, number) for number in range(ORDERS)]
    assert all(each.candidates[each.answer] == "you" for each in drawn)
    assert all(dict(zip(each.candidates, each.grades, strict=True)) == {"me": 1, "you": 5, "she": 3} for each in drawn)
    assert len({each.candidates for each in drawn}) > 1
    assert drawn == [in_order(instance, 0, number) for number in range(ORDERS)]
