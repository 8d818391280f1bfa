"""Gold: how often it comes, which pair comes, and when a person is paused."""

from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.qualification.gold import GoldSettings, Stream, gold_rate, is_miss, is_too_many
from core.domain.wording import ChoiceError

PERCENT = st.integers(0, 50)
FALLING = GoldSettings(gold_first=10, gold_lowest=2, gold_half=100)


def stream(settings: GoldSettings = FALLING, **changed: Any) -> Stream:
    return Stream(settings, **{"seed": 7, "secret": "7e", "project": "weibo", "person": "an", **changed})


@pytest.mark.parametrize(
    ("index", "percent"), [(0, 10), (100, 6), (200, 4), (300, 3), (100_000, 2)]
)  # of the 8 above the lowest, half is left every hundred pairs
def test_the_rate_falls_to_the_lowest_by_halves(index, percent):
    assert gold_rate(index, FALLING) == pytest.approx(percent / 100)


@given(first=PERCENT, lowest=PERCENT, half=st.integers(1, 1000), index=st.integers(0, 10_000))
def test_the_rate_never_rises_and_stays_between_its_ends(first, lowest, half, index):
    settings = GoldSettings(gold_first=first, gold_lowest=lowest, gold_half=half)
    now, later = gold_rate(index, settings), gold_rate(index + 1, settings)
    assert min(first, lowest) / 100 <= later <= now <= first / 100


def test_without_a_first_rate_nothing_is_gold():
    off = stream(GoldSettings(gold_lowest=50))
    assert not any(off.is_gold(index) for index in range(2_000))


def test_gold_comes_about_as_often_as_its_rate_says():
    settings = GoldSettings(gold_first=20, gold_lowest=20)
    found = sum(stream(settings).is_gold(index) for index in range(10_000))
    assert found == pytest.approx(2_000, abs=200)  # five standard errors of a share of 0.2


def test_people_projects_seeds_and_secrets_meet_gold_at_different_pairs():
    settings = GoldSettings(gold_first=50)
    streams = [
        stream(settings),
        stream(settings, person="bo"),
        stream(settings, project="zhidao"),
        stream(settings, seed=8),
        stream(settings, secret="8e"),
    ]
    drawn = {tuple(each.is_gold(index) for index in range(64)) for each in streams}
    assert len(drawn) == 5
    assert {tuple(stream(settings).is_gold(index) for index in range(64))} < drawn


@given(start=st.integers(0, 500), works=st.integers(0, 60), first=PERCENT)
def test_what_is_to_come_ends_with_the_last_pair_that_is_no_gold(start, works, first):
    kinds = list(stream(GoldSettings(gold_first=first)).kinds(start, works))
    assert kinds.count(False) == works
    assert not kinds or kinds[-1] is False


@given(start=st.integers(0, 500), works=st.integers(1, 60))
def test_what_is_to_come_is_one_fewer_after_every_pair(start, works):
    of_one = stream(GoldSettings(gold_first=30))
    ahead = list(of_one.kinds(start, works))
    assert list(of_one.kinds(start + 1, works - (not ahead[0]))) == ahead[1:]


def turns(met: dict[str, list[int]], count: int) -> list[str]:
    """Meet that many gold pairs more, and return them in order."""
    came = []
    for _turn in range(count):
        key, *_later = stream().next_gold(met)
        met[key].append(sum(map(len, met.values())) + 1)
        came.append(key)
    return came


@given(pairs=st.integers(1, 12), passes=st.integers(1, 3))
def test_no_gold_pair_comes_again_before_all_the_others_came_as_often(pairs, passes):
    came = turns({f"pair {number}": [] for number in range(pairs)}, pairs * passes)
    assert len(set(came[:pairs])) == pairs
    assert came == came[:pairs] * passes


def test_a_gold_pair_that_is_added_later_comes_first_and_once_a_turn():
    met: dict[str, list[int]] = {"old": [], "older": [], "oldest": []}
    before = turns(met, 12)
    met["new"] = []
    assert turns(met, 8) == ["new", *before[:3]] * 2


def test_an_attempt_takes_pairs_that_were_not_met_first():
    met = {f"pair {number}": [number] * (number % 2) for number in range(20)}
    drawn = stream(GoldSettings(practice=10)).practice(met, 1)
    assert sorted(drawn) == sorted(key for key in met if not met[key])


def test_the_order_of_gold_does_not_depend_on_the_order_in_which_it_is_known():
    met: dict[str, list[int]] = {f"pair {number}": [] for number in range(20)}
    backwards = dict(reversed(met.items()))
    assert stream().next_gold(met) == stream().next_gold(backwards)
    few = stream(GoldSettings(practice=5))
    assert few.practice(met, 2) == few.practice(backwards, 2)


@pytest.mark.parametrize(
    ("known", "grade", "gap", "missed"),
    [(3, 3, 1, False), (3, 4, 1, False), (3, 5, 1, True), (5, 3, 1, True), (3, 4, 0, True), (-2, 2, 3, True)],
)
def test_a_miss_lies_further_off_than_the_gap_that_is_kept(known, grade, gap, missed):
    assert is_miss(known, grade, gap) is missed


@pytest.mark.parametrize(
    ("misses", "paused"),
    [
        ([], False),
        ([True, True], False),
        ([True, True, True], True),
        ([False, True, False, True, True], True),
        ([False, True, True, False, False, True], False),  # the third miss is no longer among the last five
    ],
)
def test_enough_misses_among_the_last_pause(misses, paused):
    assert is_too_many(misses, GoldSettings(gold_window=5, gold_misses=3)) is paused


def test_more_misses_than_are_looked_at_cannot_be_chosen():
    with pytest.raises(ChoiceError):
        GoldSettings(gold_window=3, gold_misses=4)


def test_kinds_go_on_for_as_long_as_they_are_asked_for():
    assert len(list(islice(stream().kinds(0, 10_000), 25))) == 25
