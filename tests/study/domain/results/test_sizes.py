"""How often each test finds a difference where there is none: at .05 between .03 and .065."""

import numpy as np
import pytest

from benchmarks.sizes import EXACT, LEAST, MOST, NOT_TESTED, SIZES, size_of
from study.domain.results.paired import sign_flip_p

QUICK = (
    "two-way t, 30 people against 30, 40 questions",
    "sign-flip, 16 exchangeable questions, 80 % right",
    "McNemar mid-p, 300 instances",
    "similar (Tango), 300 instances",
)


@pytest.mark.parametrize("name", QUICK)
def test_a_test_finds_what_is_not_there_about_as_often_as_it_says(name):
    assert size_of(SIZES[name], studies=800) == pytest.approx((LEAST + MOST) / 2, abs=0.0175 + 0.01)  # error .008


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_no_test_errs_more_often_than_promised(name):
    assert LEAST <= size_of(SIZES[name], studies=2_000) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT)
def test_an_exact_test_errs_no_more_often_in_any_design(name):
    assert size_of(EXACT[name], studies=1_000) <= MOST


@pytest.mark.slow
def test_answers_taken_for_independent_find_differences_that_are_not_there():
    assert size_of(NOT_TESTED["Newcombe, 30 people against 30: answers independent"], studies=500) > 0.2


def test_a_model_that_is_right_at_each_of_few_questions_is_ahead_of_people_at_every_one():
    """Hand calculation: 2 of 2^16 ways to flip are as far. Of equally good models 0.8^16 = 2.8 % are such."""
    assert sign_flip_p([0.8 - 1] * 16, np.random.default_rng(0)) == 2 / 2**16


@pytest.mark.slow
def test_equally_good_on_average_is_less_than_exchangeable():
    assert size_of(NOT_TESTED["sign-flip, a model on 16 questions, 80 % right"], studies=2_000) > MOST
