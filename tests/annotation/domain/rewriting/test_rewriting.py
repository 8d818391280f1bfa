"""Flaws that prevent a submission, the outcome of an item by its verdicts, and draws."""

import pytest

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.rewriting.rewriting import (
    LONGEST_CANDIDATE,
    InspectionVerdict,
    RewritingSettings,
    combined_verdict,
    flaws,
    is_to_be_inspected,
    may_be_returned,
    shown_order,
    three_choices,
    verdict,
)

TURNS = [Turn(speaker=who, text=text) for who, text in [("W", "Free?"), ("M", "No."), ("W", "Why?"), ("M", "Choir.")]]
GOOD = ["Then later.", "So it is free.", "I like choirs.", "Sing louder."]


def found(cut: int = 2, **changed: str) -> list[tuple[str, str]]:
    candidates = [changed.get(f"c{number}", text) for number, text in enumerate(GOOD)]
    return [(flaw.field, flaw.code) for flaw in flaws(TURNS, cut, candidates)]


def test_four_different_texts_after_a_cut_between_two_turns_may_be_submitted():
    assert [found(cut) for cut in (1, 2, 3)] == [[], [], []]


@pytest.mark.parametrize("cut", [0, 4, 5, -1])
def test_the_cut_lies_neither_before_the_first_turn_nor_after_the_last(cut):
    assert found(cut) == [("cut", "cut_outside")]


@pytest.mark.parametrize("empty", ["", "   ", "\n"])
def test_no_candidate_is_empty(empty):
    assert found(c1=empty, c3=empty) == [("1", "empty"), ("3", "empty")]


@pytest.mark.parametrize("same", ["Then later.", "THEN, later!", "thenlater", "Ｔｈｅｎ later"])
def test_no_two_candidates_are_equal_but_for_case_space_width_and_punctuation(same):
    assert found(c2=same) == [("2", "equal")]


def test_four_equal_candidates_are_three_errors():
    assert found(**{f"c{number}": "Same." for number in range(4)}) == [(str(n), "equal") for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("W: Then later.", "speaker_in_front"),
        ("w： Then later.", "speaker_in_front"),
        ("M: Then later.", "wrong_speaker"),
        ("Ｍ：Then later.", "wrong_speaker"),
        ("F: Then later.", "wrong_speaker"),
        ("Woman: Then later.", "wrong_speaker"),
    ],
)
def test_the_speaker_is_put_in_front_by_the_page_and_never_another_one(text, code):
    assert found(c0=text) == [("0", code)]


@pytest.mark.parametrize("text", ["Remember: later.", "It opens at 10:30.", "W or M?"])
def test_a_colon_alone_makes_no_speaker(text):
    assert found(c0=text) == []


@pytest.mark.parametrize(("cut", "next_turn"), [(1, "No."), (2, " why"), (3, "CHOIR!")])
def test_no_candidate_copies_the_turn_that_follows_the_cut(cut, next_turn):
    assert found(cut, c0=next_turn) == [("0", "copies_next")]
    assert found(cut, c3=next_turn) == [("3", "copies_next")]
    assert found(1 + cut % 3, c0=next_turn) == []  # the turn is in the context, or still further on


def test_a_candidate_has_a_longest_length():
    assert found(c0="a" * LONGEST_CANDIDATE) == []
    assert found(c0="a" * (LONGEST_CANDIDATE + 1)) == [("0", "too_long")]


def test_all_that_is_wrong_is_said_at_once_in_the_order_of_the_page():
    assert found(0, c0="", c2="M: x", c3=GOOD[1]) == [
        ("cut", "cut_outside"),
        ("0", "empty"),
        ("2", "wrong_speaker"),
        ("3", "equal"),
    ]
    assert found(c2=GOOD[1], c3="") == [("2", "equal"), ("3", "empty")]


# ---- verdicts -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("is_correct", "is_unique", "is_revisable", "expected"),
    [
        (True, True, None, InspectionVerdict.ACCEPT),
        (True, True, False, InspectionVerdict.ACCEPT),  # not asked where nothing is doubted
        (True, False, True, InspectionVerdict.RETURN),
        (False, True, True, InspectionVerdict.RETURN),
        (False, False, True, InspectionVerdict.RETURN),
        (True, False, False, InspectionVerdict.DISCARD),
        (False, True, False, InspectionVerdict.DISCARD),
        (False, False, False, InspectionVerdict.DISCARD),
    ],
)
def test_doubt_about_either_discards_unless_it_can_be_revised(is_correct, is_unique, is_revisable, expected):
    assert verdict(is_correct=is_correct, is_unique=is_unique, is_revisable=is_revisable) == expected


@pytest.mark.parametrize("doubt", [(True, False), (False, True), (False, False)])
def test_a_doubt_without_a_word_on_revising_is_no_verdict(doubt):
    with pytest.raises(ValueError, match="revised"):
        verdict(is_correct=doubt[0], is_unique=doubt[1], is_revisable=None)


ACCEPT, RETURN, DISCARD = InspectionVerdict.ACCEPT, InspectionVerdict.RETURN, InspectionVerdict.DISCARD


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        ([ACCEPT], ACCEPT),
        ([ACCEPT, ACCEPT], ACCEPT),
        ([ACCEPT, RETURN], RETURN),
        ([RETURN, RETURN], RETURN),
        ([RETURN, DISCARD], DISCARD),
        ([ACCEPT, DISCARD], DISCARD),
    ],
)
def test_of_two_inspectors_the_severer_decides(verdicts, outcome):
    assert combined_verdict(verdicts) == combined_verdict(verdicts[::-1]) == outcome


def test_an_instance_is_revised_as_often_as_the_project_allows():
    settings = RewritingSettings(rounds=2)
    assert [may_be_returned(round, settings) for round in (1, 2, 3)] == [True, True, False]


# ---- draws ----------------------------------------------------------------------------------------------------------
def test_of_more_than_three_choices_wrong_ones_are_dropped_by_lot_and_the_right_one_stays():
    choices = ["a", "b", "c", "d", "e"]
    drawn = [three_choices(choices, 3, seed, "item") for seed in range(60)]
    for kept, answer in drawn:
        assert len(kept) == 3
        assert kept == sorted(kept)
        assert kept[answer] == "d"
    assert {choice for kept, _answer in drawn for choice in kept} == set(choices)
    assert three_choices(choices, 3, 7, "item") == three_choices(choices, 3, 7, "item")


def test_three_choices_stay_as_they_are():
    assert three_choices(["x", "y", "z"], 2, 0, "item") == (["x", "y", "z"], 2)


def test_the_shown_order_is_a_permutation_that_its_names_decide():
    orders = [tuple(shown_order(0, "inspect", str(item))) for item in range(400)]
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    assert len(set(orders)) == 24
    firsts = [order[0] for order in orders]
    assert all(60 < firsts.count(number) < 140 for number in range(4))
    assert shown_order(0, "inspect", "1") == shown_order(0, "inspect", "1")


# ---- inspection by sample -------------------------------------------------------------------------------------------
def drawn(
    percent: int, *, seed: int = 3, secret: str = "7e", author: str = "an", earlier: int = 20, round: int = 1
) -> set[int]:
    """Return which of 2,000 items are inspected."""
    settings = RewritingSettings(inspected_percent=percent)
    return {
        number
        for number in range(2_000)
        if is_to_be_inspected(settings, seed, secret, f"item {number}", author, earlier=earlier, round=round)
    }


def test_everything_is_inspected_unless_it_is_chosen_otherwise():
    assert RewritingSettings().inspected_percent == 100
    assert len(drawn(100)) == 2_000


@pytest.mark.parametrize("percent", [1, 10, 50, 90])
def test_about_as_many_are_drawn_as_was_chosen(percent):
    expected = 20 * percent
    assert abs(len(drawn(percent)) - expected) < 5 * (expected * (1 - percent / 100)) ** 0.5


def test_with_a_larger_share_nothing_drops_out():
    assert drawn(10) < drawn(30) < drawn(100)


def test_the_lot_depends_on_seed_secret_and_author_and_not_on_how_much_came_before():
    assert drawn(30) == drawn(30, earlier=999)
    others = [drawn(30, seed=4), drawn(30, secret="8e"), drawn(30, author="bo")]
    assert len({frozenset(each) for each in (drawn(30), *others)}) == 4


def test_the_first_ones_of_an_author_and_what_was_sent_back_are_always_inspected():
    assert len(drawn(1, earlier=19)) == 2_000
    assert len(drawn(1, round=2)) == 2_000
    assert len(drawn(1, earlier=20)) < 100


@pytest.mark.parametrize("wrong", [{"inspected_percent": 0}, {"inspected_percent": 101}, {"first_in_full": -1}])
def test_shares_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="whole number"):
        RewritingSettings(**wrong)
