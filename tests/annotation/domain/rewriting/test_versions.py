"""Drafts kept as versions, and the difference of two texts."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.rewriting.versions import Change, DraftState, difference, is_worth_keeping

NOON = datetime(2026, 11, 22, 12, 0, 10, tzinfo=UTC)
RIGHT = "Opening the courtyard would help, or twelve people will stand."
BEFORE = DraftState(4, [RIGHT, "The choir has it.", "Good.", ""], revision=7, saved_at=NOON)


def after(seconds: float = 2, **changed) -> DraftState:
    return BEFORE._replace(revision=8, saved_at=NOON + timedelta(seconds=seconds), **changed)


def written(number: int, text: str) -> dict[str, list[str]]:
    candidates = list(BEFORE.candidates)
    candidates[number] = text
    return {"candidates": candidates}


@pytest.mark.parametrize(
    "changed",
    [
        written(0, RIGHT + " Or will they?"),
        written(0, "Open the courtyard, or twelve people will stand."),
        written(0, RIGHT.upper()),
        written(1, "The choir has this."),
        written(2, "Fine."),  # a single word is soon written again
        written(3, "A first word"),
    ],
)
def test_while_somebody_writes_on_nothing_is_kept(changed):
    assert not is_worth_keeping(BEFORE, after(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"cut": 3},
        written(0, "Good, thirty chairs are plenty."),  # ten words, of which none is left
        written(0, "Opening the courtyard would"),  # four of ten are left
        written(1, ""),
        written(2, ""),
        {"candidates": ["", "", "", ""]},
        {"candidates": [BEFORE.candidates[1], RIGHT, "Good.", ""]},
    ],
)
def test_what_a_save_takes_much_away_of_is_kept(changed):
    assert is_worth_keeping(BEFORE, after(**changed))


def test_half_of_the_words_is_not_yet_much():
    assert not is_worth_keeping(BEFORE, after(**written(1, "The choir")))
    assert is_worth_keeping(BEFORE, after(**written(1, "The")))


def test_a_chinese_text_is_measured_by_its_characters():
    before = BEFORE._replace(candidates=["他们四点才走。", "", "", ""])
    assert not is_worth_keeping(before, after(candidates=["他们四点离开。", "", "", ""]))
    assert is_worth_keeping(before, after(candidates=["门票卖完了。", "", "", ""]))


@pytest.mark.parametrize(("seconds", "is_kept"), [(59, False), (60, True), (7200, True)])
def test_what_has_stood_for_a_minute_is_kept(seconds, is_kept):
    assert is_worth_keeping(BEFORE, after(seconds, **written(3, "More."))) == is_kept


def test_of_an_hour_of_writing_without_a_rest_something_is_kept_every_five_minutes():
    drafts = [BEFORE._replace(saved_at=NOON + timedelta(seconds=3 * number)) for number in range(1200)]
    kept = [was for was, becomes in pairwise(drafts) if is_worth_keeping(was, becomes)]
    assert len(kept) == 12
    assert all(late.saved_at - soon.saved_at <= timedelta(minutes=5) for soon, late in pairwise(kept))


def test_what_came_back_from_an_inspector_is_always_kept():
    assert is_worth_keeping(BEFORE._replace(revision=0), after(**written(3, "More.")))


def test_a_page_on_which_nothing_is_written_is_never_kept():
    blank = BEFORE._replace(candidates=[""] * 4, revision=0)
    assert not is_worth_keeping(blank, after(7200, cut=2))


# ---- differences ----------------------------------------------------------------------------------------------------
WORDS = st.lists(st.sampled_from(["the", "hall", "The", " ", "  ", ",", "好", "的", "\n", "don't"]), max_size=30)


@given(WORDS.map("".join), WORDS.map("".join))
def test_applied_to_one_text_a_difference_gives_the_other(before, after):
    pieces = difference(before, after)
    assert "".join(piece.text for piece in pieces if piece.change != Change.ADDED) == before
    assert "".join(piece.text for piece in pieces if piece.change != Change.REMOVED) == after
    assert all(piece.text for piece in pieces)


@given(st.text(), st.text())
def test_that_holds_for_any_two_texts(before, after):
    pieces = difference(before, after)
    assert "".join(piece.text for piece in pieces if piece.change != Change.ADDED) == before
    assert "".join(piece.text for piece in pieces if piece.change != Change.REMOVED) == after


@given(st.text())
def test_a_text_does_not_differ_from_itself(text):
    assert {piece.change for piece in difference(text, text)} <= {Change.SAME}


def test_a_difference_is_told_in_whole_words():
    assert difference("The choir has it until four.", "The choirs have it until four, I think.") == [
        (Change.SAME, "The "),
        (Change.REMOVED, "choir has"),
        (Change.ADDED, "choirs have"),
        (Change.SAME, " it until four"),
        (Change.ADDED, ", I think"),
        (Change.SAME, "."),
    ]


def test_two_long_texts_that_share_nothing_are_told_whole_and_one_changed_word_in_them_alone():
    long = " ".join(f"w{number}" for number in range(2000))
    assert difference(long, long.upper()) == [(Change.REMOVED, long), (Change.ADDED, long.upper())]
    assert difference(long, long.replace("w1000 ", "x "))[1:3] == [(Change.REMOVED, "w1000"), (Change.ADDED, "x")]
