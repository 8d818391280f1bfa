"""Conditions: what is left of a context, and when there is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from study.domain.questions.conditions import asked_in
from study.domain.questions.sampling import DrawnQuestion

CONDITIONS = ["first:1", "first:2", "first:3", "all", "shuffle"]


def question(texts, id="d1") -> DrawnQuestion:
    context = [{"speaker": "AB"[turn % 2], "text": text} for turn, text in enumerate(texts)]
    return DrawnQuestion("corpus", id, "g", context, ["yes", "no"], [], "uniform", answer=1)


def contexts(texts, conditions=CONDITIONS, seed=0) -> dict[str, list[str]]:
    asked = asked_in(question(texts), conditions, seed)
    return {each.condition: [turn["text"] for turn in each.context] for each in asked}


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7)


@given(TEXTS, st.integers(0, 99))
def test_what_is_left_of_a_context(texts, seed):
    left = contexts(texts, seed=seed)
    assert left[""] == texts
    assert left["all"] == []
    for removed in (1, 2, 3):
        assert left.get(f"first:{removed}") == (texts[removed:] or None)
    if len(set(texts)) > 1:
        assert sorted(left["shuffle"]) == sorted(texts)
        assert left["shuffle"] != texts
    else:
        assert "shuffle" not in left


@given(TEXTS)
def test_nothing_but_the_context_changes(texts):
    whole, *others = asked_in(question(texts), CONDITIONS, 0)
    for other in others:
        assert (other.id, other.candidates, other.answer, other.group) == (
            whole.id,
            whole.candidates,
            whole.answer,
            whole.group,
        )


def test_every_other_order_of_three_turns_is_drawn_about_equally_often():
    """Five orders in 1,000 draws; chi-squared below the 99.9 % point of 4 degrees of freedom, 18.47."""
    orders = [tuple(contexts(["a", "b", "c"], ["shuffle"], seed)["shuffle"]) for seed in range(1_000)]
    times = [orders.count(order) for order in set(orders)]
    assert len(times) == 5
    assert sum((number - 200) ** 2 / 200 for number in times) < 18.47


@pytest.mark.parametrize("seed", [0, 7])
def test_the_same_seed_gives_the_same_order(seed):
    texts = ["a", "b", "c", "d", "e"]
    assert contexts(texts, seed=seed) == contexts(texts, seed=seed)
