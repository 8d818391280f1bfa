"""Figures of rankings with several positive candidates: against all orders of ties, and against trec_eval."""

from itertools import pairwise, permutations
from math import fsum

import pytest
import pytrec_eval
from hypothesis import assume, given
from hypothesis import strategies as st

from study.domain.results.graded import GRADED_METRICS, tied_blocks

SCORES = st.sampled_from([0.0, 0.25, 0.5])
CANDIDATES = st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=7)


def figures(scores, positive) -> dict[str, float]:
    blocks = list(tied_blocks(scores, positive))
    return {name: metric(blocks) for name, metric in GRADED_METRICS.items()}


def of_one_order(positive) -> dict[str, float]:
    """Return the figures of candidates in an order without ties, as textbooks define them."""
    ranks = [rank for rank, is_positive in enumerate(positive, start=1) if is_positive]
    return {
        "P@1": float(positive[0]),
        "MAP": fsum(number / rank for number, rank in enumerate(ranks, start=1)) / max(1, len(ranks)),
        "MRR": 1 / ranks[0] if ranks else 0.0,
    }


@given(CANDIDATES)
def test_a_tie_is_worth_the_mean_over_all_orders_of_the_tied(candidates):
    """The second implementation: every order of the candidates that agrees with the scores, counted out."""
    agreeing = [
        of_one_order([positive for _score, positive in order])
        for order in permutations(candidates)
        if all(first[0] >= second[0] for first, second in pairwise(order))
    ]
    found = figures(*zip(*candidates, strict=True))
    for name, value in found.items():
        assert value == pytest.approx(fsum(each[name] for each in agreeing) / len(agreeing), abs=1e-12)


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_without_ties_the_figures_are_those_of_trec_eval(positive, random):
    assume(any(positive))
    scores = list(range(len(positive)))
    random.shuffle(scores)
    relevance = {"q": {f"d{number}": int(each) for number, each in enumerate(positive)}}
    run = {"q": {f"d{number}": float(score) for number, score in enumerate(scores)}}
    by_trec = pytrec_eval.RelevanceEvaluator(relevance, {"P_1", "map", "recip_rank"}).evaluate(run)["q"]
    assert figures(scores, positive) == pytest.approx(
        {"P@1": by_trec["P_1"], "MAP": by_trec["map"], "MRR": by_trec["recip_rank"]}
    )


@given(CANDIDATES, st.randoms(use_true_random=False))
def test_the_order_of_candidates_changes_nothing(candidates, random):
    shuffled = list(candidates)
    random.shuffle(shuffled)
    assert figures(*zip(*candidates, strict=True)) == figures(*zip(*shuffled, strict=True))


def test_two_level_candidates_of_which_one_is_positive():
    """By hand: first with chance 1/2, else second, so MAP and MRR are (1 + 1/2) / 2."""
    assert figures([0.5, 0.5], [True, False]) == {"P@1": 0.5, "MAP": 0.75, "MRR": 0.75}


def test_a_score_that_is_no_number_has_no_rank():
    with pytest.raises(ValueError, match="not a number"):
        figures([0.5, float("nan")], [True, False])
