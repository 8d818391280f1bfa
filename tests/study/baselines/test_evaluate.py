"""Figures of models: ties by expectation, intervals over instances, no figure without an answer; shared contexts."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from study.baselines.base import RankingInstance
from study.baselines.evaluate import Scored, best_first, evaluate, evaluate_run, shared_contexts, without_overlap
from study.domain.results.metrics import METRICS

# METHODS 2: ranks 1 1 2 1 3 5 1 2 4 1 of five candidates.
RANKS = [1, 1, 2, 1, 3, 5, 1, 2, 4, 1]


def at_rank(rank: int, candidates: int = 5) -> Scored:
    """Return scores in which the true candidate is the first, with so many above it."""
    others = [2.0] * (rank - 1) + [0.0] * (candidates - rank)
    return Scored([1.0, *others], 0)


def test_the_worked_example():
    figures = evaluate([at_rank(rank) for rank in RANKS], seed=0)
    assert (figures["n"], figures["candidates"], figures["tied"]) == (10, 5, 0)
    assert figures["R@1"] == 0.5
    assert figures["R@2"] == 0.7
    assert figures["MRR"] == pytest.approx(0.678333, abs=5e-7)
    assert figures["MRR@2"] == pytest.approx(0.6)


def test_shares_have_wilson_s_interval():
    """52 of 100: METHODS 1."""
    figures = evaluate([at_rank(1)] * 52 + [at_rank(2)] * 48, seed=0)
    assert figures["R@1_ci"] == pytest.approx((0.423166, 0.615354), abs=5e-7)
    assert figures["R@2_ci"] == pytest.approx((0.963007, 1.0), abs=5e-7)  # 100 of 100


def test_means_have_an_interval_around_them_as_wide_as_their_standard_error():
    """The ranks' reciprocals have a standard deviation of .320: ± 1.96 · .320 / √1000 = ± .0199."""
    low, high = evaluate([at_rank(rank) for rank in RANKS * 100], seed=0)["MRR_ci"]
    assert (low + high) / 2 == pytest.approx(0.678333, abs=0.003)
    assert (high - low) / 2 == pytest.approx(0.0199, abs=0.002)


def test_instances_of_different_numbers_of_candidates_say_between_what():
    figures = evaluate([at_rank(1, candidates=count) for count in (4, 2, 10)], seed=0)
    assert (figures["candidates"], figures["fewest"], figures["most"]) == (None, 2, 10)
    assert "fewest" not in evaluate([at_rank(1)], seed=0)


def test_ties_count_by_expectation():
    """METHODS 2: .7 .9 .7 .7 .1 with the first true."""
    figures = evaluate([Scored([0.7, 0.9, 0.7, 0.7, 0.1], 0)], seed=0)
    assert figures["R@1"] == 0
    assert figures["R@2"] == pytest.approx(1 / 3)
    assert figures["MRR"] == pytest.approx(0.361111, abs=5e-7)
    assert figures["tied"] == 1


def test_a_model_that_cannot_tell_has_chance_and_no_interval():
    figures = evaluate([Scored([0.5] * 4, answer) for answer in (0, 1, 2, 3)], seed=0)
    assert (figures["R@1"], figures["R@2"], figures["tied"]) == (0.25, 0.5, 4)
    assert figures["MRR"] == pytest.approx(0.520833, abs=5e-7)
    assert (figures["MRR_ci"], figures["MRR_why"]) == (None, "no_variance")


def test_r_at_5_stands_only_where_there_are_more_candidates():
    few = evaluate([at_rank(1), at_rank(5)], seed=0)
    assert (few["R@5"], few["R@5_ci"], few["R@5_why"]) == (None, None, "too_few_candidates")
    many = evaluate([at_rank(1, 10), at_rank(5, 10), at_rank(6, 10)], seed=0)
    assert many["R@5"] == pytest.approx(2 / 3)
    assert "R@5_why" not in many


def test_instances_without_an_answer_are_in_no_figure():
    figures = evaluate([at_rank(1), Scored([1.0, 2.0, 3.0, 4.0, 5.0], None)], seed=0)
    assert (figures["n"], figures["without_answer"], figures["R@1"]) == (1, 1, 1.0)
    none = evaluate([Scored([1.0, 2.0], None)], seed=0)
    assert (none["n"], none["without_answer"]) == (0, 1)
    assert all(none[name] is None and none[f"{name}_why"] == "no_answers" for name in METRICS)


def test_instances_that_differ_in_candidates_have_no_one_number_of_them():
    assert evaluate([at_rank(1, 4), at_rank(1, 5)], seed=0)["candidates"] is None


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=4, max_size=4), min_size=1, max_size=6), st.data())
def test_the_order_of_instances_and_of_candidates_changes_no_figure(rows, data):
    scored = [Scored(scores, 1) for scores in rows]
    mixed = []
    for one in data.draw(st.permutations(scored)):
        order = data.draw(st.permutations(range(4)))
        mixed.append(Scored([one.scores[position] for position in order], order.index(1)))
    assert evaluate(mixed, seed=3) == evaluate(scored, seed=3)


def test_expectation_over_ties_is_the_mean_over_all_their_orders():
    """The second implementation: every way to break the ties, counted out."""
    scores, answer = [0.3, 0.3, 0.8, 0.3], 1
    broken = [
        [score + shift / 100 for score, shift in zip(scores, order, strict=True)] for order in permutations(range(4))
    ]
    ranks = [1 + sum(each > one[answer] for each in one) for one in broken]
    figures = evaluate([Scored(scores, answer)], seed=0)
    assert figures["R@2"] == pytest.approx(sum(rank <= 2 for rank in ranks) / len(ranks))
    assert figures["MRR"] == pytest.approx(sum(1 / rank for rank in ranks) / len(ranks))


def test_candidates_best_first_keep_their_order_where_they_are_level():
    assert best_first([0.1, 0.5, 0.5, 0.9]) == [3, 1, 2, 0]


def asked(*contexts: tuple[str, ...]) -> list[RankingInstance]:
    return [RankingInstance(f"a{position}", context, ("yes", "no"), 0) for position, context in enumerate(contexts)]


def test_case_space_punctuation_and_turns_are_folded_away():
    train = [RankingInstance("t", ("Where is it?", "Here ."), ("x", "y"), 0)]
    questions = asked(("where  is it", "here"), ("Where is it? Here.",), ("Where is it?",), ("Where was it?", "Here."))
    assert shared_contexts(train, questions) == ["a0", "a1"]


def test_a_dialogue_holds_every_context_that_it_begins_with():
    train = [RankingInstance("t", ("One.", "Two.", "Three."))]
    assert shared_contexts(train, asked(("one",), ("one", "two"), ("two", "three"))) == ["a0", "a1"]


def test_without_training_nothing_is_shared():
    assert shared_contexts([], asked(("One.",))) == []


def test_training_without_overlap_shares_no_context():
    train = [
        RankingInstance("same", ("One.", "Two."), ("x", "y"), 0),
        RankingInstance("longer", ("One.", "Two.", "Three."), ("x", "y"), 0),
        RankingInstance("dialogue", ("one", "two", "three")),
        RankingInstance("other", ("Four.",)),
    ]
    questions = asked(("ONE", "two"), ("Five.",))
    kept = without_overlap(train, questions)
    assert [instance.id for instance in kept] == ["longer", "other"]
    assert shared_contexts(train, questions) == ["a0"]
    assert shared_contexts(kept, questions) == []


def rated(*grades: float) -> RankingInstance:
    return RankingInstance("p", ("Salt?",), tuple(f"response {number}" for number in range(len(grades))), grades=grades)


def test_figures_of_rated_prompts_at_each_cut():
    """By hand: the second prompt has nothing from 4 on, and a response of 5 is first nowhere."""
    prompts = [rated(3, 5, 1), rated(3.5, 2), rated(4)]
    figures = evaluate_run(prompts, [[3, 2, 1], [1, 2], [0]], seed=0)
    assert (figures["prompts"], figures["responses"], figures["tied"]) == (3, 6, 0)
    three, four, five = (figures["cuts"][cut] for cut in ("3", "4", "5"))
    assert (three["P@1"], three["MAP"], three["MRR"]) == pytest.approx((2 / 3, 2.5 / 3, 2.5 / 3))
    assert (four["P@1"], four["MAP"], four["MRR"]) == pytest.approx((0.5, 0.75, 0.75))
    assert (five["P@1"], five["MAP"], five["MRR"]) == (0, 0.5, 0.5)
    assert [(cut["prompts"], cut["without_positive"], cut["single"]) for cut in (three, four, five)] == [
        (3, 0, 1),
        (2, 1, 1),
        (1, 2, 0),
    ]
    assert three["chance"]["P@1"] == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)


def test_a_share_of_prompts_has_wilson_s_interval_and_a_mean_the_bootstrap():
    """52 of 100: METHODS 1. Half of the reciprocal ranks are 1, half 1/2: their standard error is .025."""
    prompts = [rated(5, 1)] * 100
    figures = evaluate_run(prompts, [[2, 1]] * 52 + [[1, 2]] * 48, seed=0)["cuts"]["5"]
    assert figures["P@1_ci"] == pytest.approx((0.423166, 0.615354), abs=5e-7)
    low, high = figures["MRR_ci"]
    assert (low + high) / 2 == pytest.approx(0.76, abs=0.01)
    assert (high - low) / 2 == pytest.approx(1.96 * 0.025, abs=0.006)


def test_where_no_response_is_positive_it_is_said():
    figures = evaluate_run([rated(3, 1), rated(2, 2)], [[1, 2], [1, 1]], seed=0)
    five = figures["cuts"]["5"]
    assert (figures["tied"], five["prompts"], five["without_positive"]) == (1, 0, 2)
    assert [(five[name], five[f"{name}_ci"], five[f"{name}_why"]) for name in ("P@1", "MAP", "MRR")] == [
        (None, None, "no_positives")
    ] * 3


def test_a_cut_is_met_by_the_mean_of_any_number_of_raters():
    assert evaluate_run([rated(11 / 3, 10 / 3)], [[2, 1]], seed=0)["cuts"]["4"]["prompts"] == 0
    assert evaluate_run([rated(4, 10 / 3)], [[2, 1]], seed=0)["cuts"]["4"]["prompts"] == 1
