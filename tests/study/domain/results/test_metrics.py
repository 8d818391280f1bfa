"""R@k and reciprocal ranks against worked values, the definition of an expectation, and what must not matter."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from study.domain.results.metrics import (
    METRICS,
    OF_PEOPLE,
    Ranked,
    chance,
    chance_between,
    ranked_by_scores,
    recall_at,
    reciprocal_rank,
    reciprocal_rank_at_2,
)

SCORES = st.lists(st.integers(0, 3), min_size=2, max_size=6)


def full(rank, candidates=5):
    return Ranked(rank - 1, 0, candidates, candidates)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def test_ten_full_rankings():
    ranks = [full(rank) for rank in (1, 1, 2, 1, 3, 5, 1, 2, 4, 1)]
    assert mean(recall_at(ranked, 1) for ranked in ranks) == pytest.approx(0.5)
    assert mean(recall_at(ranked, 2) for ranked in ranks) == pytest.approx(0.7)
    assert mean(map(reciprocal_rank, ranks)) == pytest.approx(0.678333, abs=5e-7)
    assert mean(map(reciprocal_rank_at_2, ranks)) == pytest.approx(0.6)


def test_ties_are_scored_by_expectation():
    ranked = ranked_by_scores([0.7, 0.9, 0.7, 0.7, 0.1], 0)
    assert (ranked.better, ranked.tied) == (1, 2)
    assert [recall_at(ranked, k) for k in (1, 2, 3, 4, 5)] == pytest.approx([0, 1 / 3, 2 / 3, 1, 1])
    assert reciprocal_rank(ranked) == pytest.approx(0.361111, abs=5e-7)


@given(SCORES)
def test_the_expectation_is_the_mean_over_all_orders_of_the_tied(scores):
    """Ranks by drawing lots among equal scores, each order once: the definition, slowly."""
    orders = [
        sorted(range(len(scores)), key=lambda position: (-scores[position], lots[position])).index(0) + 1
        for lots in permutations(range(len(scores)))
    ]
    ranked = ranked_by_scores(scores, 0)
    for k in range(1, len(scores) + 1):
        assert recall_at(ranked, k) == pytest.approx(mean(rank <= k for rank in orders))
    assert reciprocal_rank(ranked) == pytest.approx(mean(1 / rank for rank in orders))
    assert reciprocal_rank_at_2(ranked) == pytest.approx(mean(1 / rank if rank <= 2 else 0 for rank in orders))


@given(SCORES, st.randoms())
def test_shuffling_candidates_never_changes_a_figure(scores, random):
    positions = random.sample(range(len(scores)), len(scores))
    shuffled = ranked_by_scores([scores[position] for position in positions], positions.index(0))
    assert shuffled == ranked_by_scores(scores, 0)


@given(SCORES)
def test_more_ranks_never_lower_recall_and_the_last_one_is_certain(scores):
    ranked = ranked_by_scores(scores, 0)
    recalls = [recall_at(ranked, k) for k in range(1, len(scores) + 3)]
    assert recalls == sorted(recalls)
    assert recalls[len(scores) - 1 :] == [1, 1, 1]


@pytest.mark.parametrize(
    ("ranked", "expected"),
    [
        (Ranked(0, 0, 1, 5), {"R@1": 1, "R@2": None, "MRR@2": None, "MRR": None}),
        (Ranked(None, 0, 1, 5), {"R@1": 0, "R@2": None, "MRR@2": None, "MRR": None}),
        (Ranked(1, 0, 2, 5), {"R@1": 0, "R@2": 1, "MRR@2": 0.5, "MRR": None}),
        (Ranked(None, 0, 2, 5), {"R@1": 0, "R@2": 0, "MRR@2": 0, "MRR": None}),
        (Ranked(3, 0, 5, 5), {"R@1": 0, "R@2": 0, "MRR@2": 0, "MRR": 0.25}),
        (Ranked(1, 0, 2, 2), {"R@1": 0, "R@2": 1, "MRR@2": 0.5, "MRR": 0.5}),
        (Ranked(None, 0, 2, 0), {"R@1": 0, "R@2": 0, "MRR@2": 0, "MRR": None}),
    ],
)
def test_what_the_ranks_given_identify(ranked, expected):
    assert {name: METRICS[name](ranked) for name in OF_PEOPLE} == expected


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [(5, (0.2, 0.4, 0.456667)), (4, (0.25, 0.5, 0.520833)), (10, (0.1, 0.2, 0.292897))],
)
def test_chance(candidates, expected):
    """METHODS 2."""
    assert [chance(metric, candidates) for metric in ("R@1", "R@2", "MRR")] == pytest.approx(expected, abs=5e-7)
    assert chance("MRR@2", candidates) == pytest.approx(1.5 / candidates)
    assert chance("R@5", candidates) == (0.5 if candidates == 10 else None)


@pytest.mark.parametrize(
    "values",
    [
        (0, 0, 1, 1),
        (0, 0, 0, 5),
        (0, 0, 6, 5),
        (-1, 0, 5, 5),
        (5, 0, 5, 5),
        (3, 2, 5, 5),
        (None, 0, 5, 5),
        (None, 1, 2, 5),
        (0, -1, 5, 5),
    ],
)
def test_rankings_that_cannot_be_are_refused(values):
    with pytest.raises(ValueError, match="Ranked"):
        Ranked(*values)


def test_a_score_that_is_no_number_has_no_slot():
    with pytest.raises(ValueError, match="not a number"):
        ranked_by_scores([1, float("nan")], 0)


def test_there_is_no_recall_at_nothing():
    with pytest.raises(ValueError, match="R@0"):
        recall_at(full(1), 0)


@pytest.mark.parametrize(
    ("metric", "ends"),
    [("R@1", (1 / 10, 1 / 2)), ("R@2", (2 / 10, 1.0)), ("MRR", (0.292897, 0.75))],
)
def test_chance_is_a_range_where_questions_have_two_to_ten_candidates(metric, ends):
    assert chance_between(metric, 2, 10) == pytest.approx(ends, abs=1e-6)
    assert chance_between(metric, 0, 10) is None, "a number is unknown"
