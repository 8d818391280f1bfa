"""Agreement of first choices, and shares by place."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.statistics import MissingFigure, headline, two_way
from study.domain.results.choices import agreement_of_choices, beyond_chance, same_choice, share_where


@given(st.lists(st.integers(0, 4), min_size=2, max_size=9))
def test_the_same_choice_is_the_share_of_pairs_of_people_who_agree(chosen):
    pairs = list(combinations(chosen, 2))
    counts = [chosen.count(line) for line in range(5)]
    assert same_choice(counts) == pytest.approx(sum(one == other for one, other in pairs) / len(pairs))


def test_fewer_than_two_people_do_not_agree_or_disagree():
    assert same_choice([0, 1, 0]) is None
    assert same_choice([0, 0]) is None


def test_agreement_beyond_chance_is_1_for_all_alike_and_0_for_guessing():
    assert beyond_chance(1, 5) == 1
    assert beyond_chance(1 / 5, 5) == 0
    assert beyond_chance(0, 2) == -1


def test_means_are_over_questions_that_two_people_answered():
    found = agreement_of_choices([[4, 0, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]], np.random.default_rng(1), 200)
    assert (found.questions, found.same) == (2, 0.5)
    assert found.beyond_chance == pytest.approx((1 + (0 - 1 / 3) / (2 / 3)) / 2)
    assert found.same_interval == (0, 1)


def test_questions_that_all_agree_on_have_no_interval_and_none_gives_none():
    assert agreement_of_choices([[4, 0], [3, 0]], np.random.default_rng(1)).same_interval is None
    assert agreement_of_choices([], np.random.default_rng(1)).same is None
    assert agreement_of_choices([[3]], np.random.default_rng(1)).questions == 0


def test_a_share_by_place_has_the_headline_of_every_other_figure():
    chosen = np.array([True, False, True, True, False, False])
    people, questions = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1])
    found = share_where(chosen, people, questions)
    assert (found.k, found.n) == (3, 6)
    assert found.headline == headline(two_way(chosen.astype(float), people, questions))


def test_a_place_that_nobody_saw_has_no_share_and_why():
    none = np.array([], dtype=np.int64)
    assert share_where(none.astype(bool), none, none).headline.why == MissingFigure.NO_ANSWERS
