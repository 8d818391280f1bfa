"""How often each test finds a difference where there is none: at .05 between .03 and .065."""

import pytest

from benchmarks.sizes import LEAST, MOST, SIZES, TOO_LARGE, size_of

QUICK = (
    "two-way t, 30 people against 30, 40 questions",
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
def test_answers_taken_for_independent_find_differences_that_are_not_there():
    assert size_of(TOO_LARGE["Newcombe, 30 people against 30: answers independent"], studies=500) > 0.2
