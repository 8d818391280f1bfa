"""Figures by number of turns and by type, and parts of the training material."""

import pytest

from study.baselines.analyses import TRIAL, change_of, figures_by_part, figures_without, part_of_training, trial_part
from study.baselines.base import RankingInstance
from tests.study.baselines import tasks

RIGHT, WRONG = [2.0, 1.0], [1.0, 2.0]


def asked(turns: int, *, types: tuple[str, ...] = (), answer: int | None = 0) -> RankingInstance:
    return RankingInstance("i", ("…",) * turns, ("yes", "no"), answer, types=types)


def test_turns_are_grouped_as_in_mutual_and_their_figures_add_up_to_the_whole():
    """By hand: of 2 turns or fewer 1 of 2 right, of 3 none, of 5 all, of 6 and more 2 of 3; in all 4 of 7."""
    lengths = {2: [RIGHT], 1: [WRONG], 3: [WRONG], 5: [RIGHT], 6: [RIGHT, WRONG], 11: [RIGHT]}
    instances = [asked(turns) for turns, own in lengths.items() for _scores in own]
    scores = [each for own in lengths.values() for each in own]
    rows = figures_by_part(instances, scores, seed=0)["by_turns"]
    assert [(row["least"], row["most"], row["n"], row["R@1"]) for row in rows] == [
        (0, 2, 2, 0.5),
        (3, 3, 1, 0),
        (5, 5, 1, 1),
        (6, None, 3, pytest.approx(2 / 3)),
    ]
    assert rows[3]["R@1_ci"] == pytest.approx((0.2077, 0.9385), abs=1e-4), "Wilson's interval of 2 in 3"
    assert sum(row["n"] * row["R@1"] for row in rows) == pytest.approx(4)


def test_an_instance_stands_under_each_of_its_types_and_one_without_an_answer_under_none():
    instances = [
        asked(3, types=("intention",)),
        asked(3, types=("algebraic", "intention")),
        asked(3),
        asked(3, types=("algebraic",), answer=None),
    ]
    figures = figures_by_part(instances, [RIGHT, WRONG, RIGHT, RIGHT], seed=0)
    assert [(row["type"], row["n"], row["R@1"]) for row in figures["by_type"]] == [
        ("algebraic", 1, 0),
        ("intention", 2, 0.5),
    ]
    assert "by_turns" not in figures, "all are of one length"


def test_an_instance_without_scores_is_wrong_in_its_part_too():
    rows = figures_by_part([asked(2), asked(3)], [[], RIGHT], seed=0)["by_turns"]
    assert [(row["R@1"], row.get("unanswered")) for row in rows] == [(0, 1), (1, None)]


def test_a_larger_part_contains_a_smaller_one_and_the_whole_is_the_material_itself():
    train = tasks.echoes(40)
    parts = {size: part_of_training(train, size, seed=3) for size in (5, 20, 40)}
    assert [len(part) for part in parts.values()] == [5, 20, 40]
    assert {each.id for each in parts[5]} < {each.id for each in parts[20]}
    assert parts[40] == train
    assert parts[5] != part_of_training(train, 5, seed=4)


def test_a_trial_reads_a_drawn_part_that_leaves_a_choice():
    alone = [RankingInstance(f"a{number}", ("…",), ("yes",), 0) for number in range(500)]
    pairs = [RankingInstance(f"p{number}", ("…",), ("yes", "no"), 0) for number in range(100)]
    part = trial_part([*alone, *pairs], seed=1)
    assert len(part) == TRIAL
    assert {instance.id[0] for instance in part} == {"p"}
    assert len(trial_part(alone, seed=1)) == TRIAL
    assert trial_part(pairs[:5], seed=1) == pairs[:5]


def test_a_change_of_contexts_is_paired_over_instances_with_an_answer():
    """By hand: one falls, two stay, so the mean is -1/3."""
    instances = [asked(1), asked(1), asked(1), asked(1, answer=None)]
    change = change_of(instances, [RIGHT, RIGHT, WRONG, RIGHT], [WRONG, RIGHT, WRONG, WRONG])
    assert change["change"] == pytest.approx(-1 / 3)
    low, high = change["change_ci"]
    assert low < -1 / 3 < high
    assert change_of([asked(1, answer=None)], [RIGHT], [WRONG]) == {}


def test_figures_without_what_was_trained_on_are_there_only_where_some_of_it_was():
    instances = [RankingInstance(f"i{number}", ("…",), ("yes", "no"), 0) for number in range(3)]
    scores = [RIGHT, WRONG, WRONG]
    assert figures_without(["i0"], instances, scores, seed=0)["without_shared"]["R@1"] == 0
    assert figures_without([], instances, scores, seed=0) == {}
    assert figures_without(["i0", "i1", "i2"], instances, scores, seed=0) == {}
