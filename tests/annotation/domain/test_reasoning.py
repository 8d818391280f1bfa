"""Reasoning types: the study's figures, and shares of what two people named."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.reasoning import ANSWERS, PUBLISHED, UNSURE, Reasoning, type_shares
from core.domain.statistics import wilson

ATTITUDE, INTENTION, OTHER = Reasoning.ATTITUDE, Reasoning.INTENTION, Reasoning.OTHER
answers = st.lists(st.tuples(st.sampled_from(ANSWERS), st.sampled_from(ANSWERS)), max_size=30)


def test_the_published_shares_stand_in_the_studys_order_and_make_a_whole():
    assert [round(100 * share) for share in PUBLISHED.values()] == [13, 7, 31, 16, 24, 9]
    assert list(PUBLISHED) == list(Reasoning)
    assert sum(PUBLISHED.values()) == pytest.approx(1)


def test_two_people_who_differ_count_half_each():
    shares = type_shares([(ATTITUDE, ATTITUDE), (ATTITUDE, INTENTION)])
    assert shares[ATTITUDE].value == 0.75
    assert shares[INTENTION].value == 0.25
    assert shares[OTHER].value == 0


def test_unsure_is_no_type_and_the_other_person_s_type_still_counts():
    shares = type_shares([(ATTITUDE, UNSURE), (UNSURE, UNSURE), (INTENTION, INTENTION)])
    assert shares[ATTITUDE].value == pytest.approx(1 / 3)
    assert shares[INTENTION].value == pytest.approx(2 / 3)


def test_the_interval_takes_instances_as_the_sample_not_answers():
    """By hand: p 3/4 of 8 answers on 4 instances; residuals 1/2, 1/2, 1/2 and -3/2."""
    share = type_shares([(ATTITUDE, ATTITUDE)] * 3 + [(OTHER, OTHER)])[ATTITUDE]
    variance = (3 * 0.5**2 + 1.5**2) / 8**2 * 4 / 3
    effective = 0.75 * 0.25 / variance
    assert share.interval == pytest.approx(wilson(0.75 * effective, effective))
    assert effective == pytest.approx(3)


def test_people_who_always_differ_make_no_share_more_certain_than_independent_answers():
    share = type_shares([(ATTITUDE, OTHER)] * 10)[ATTITUDE]
    assert share.interval == pytest.approx(wilson(10, 20))


def test_what_is_always_or_never_named_is_as_certain_as_there_are_instances():
    shares = type_shares([(ATTITUDE, ATTITUDE)] * 10)
    assert shares[ATTITUDE].interval == pytest.approx(wilson(10, 10))
    assert shares[OTHER].interval == pytest.approx(wilson(0, 10))


@pytest.mark.parametrize("named", [[], [(UNSURE, UNSURE)]])
def test_without_a_type_there_is_no_share(named):
    assert {(share.value, share.interval) for share in type_shares(named).values()} == {(None, None)}


def test_one_instance_has_shares_and_no_interval():
    assert type_shares([(ATTITUDE, OTHER)])[OTHER] == (0.5, None)


@given(answers)
def test_shares_add_up_to_one_and_lie_in_their_intervals(named):
    shares = type_shares(named).values()
    if any(answer != UNSURE for both in named for answer in both):
        assert sum(share.value for share in shares) == pytest.approx(1)
    for share in shares:
        if share.interval:
            low, high = share.interval
            assert 0 <= low <= share.value + 1e-12 and share.value - 1e-12 <= high <= 1


@given(answers, st.randoms(use_true_random=False))
def test_neither_the_order_of_instances_nor_that_of_people_changes_a_share(named, random):
    other = [tuple(random.sample(both, 2)) for both in random.sample(named, len(named))]
    for kind, share in type_shares(named).items():
        again = type_shares(other)[kind]
        assert again.value == pytest.approx(share.value)
        assert again.interval == (share.interval and pytest.approx(share.interval))


@given(answers)
def test_a_share_is_that_of_the_answers_that_name_a_type(named):
    said = Counter(answer for both in named for answer in both)
    sure = said.total() - said[UNSURE]
    for kind, share in type_shares(named).items():
        assert share.value == (said[kind] / sure if sure else None)


@given(answers, st.integers(2, 5))
def test_more_of_the_same_instances_never_widen_an_interval(named, times):
    for kind, share in type_shares(named).items():
        wider = type_shares(list(named) * times)[kind]
        if share.interval and wider.interval:
            assert _width(wider.interval) <= _width(share.interval) + 1e-9


def _width(interval):
    return interval[1] - interval[0]
