"""Word overlap, counted by hand; and the cases to which the script of the writing page is held as well."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.rewriting.overlap import overlap, tokens_of
from core.domain.words import words_of

SHARED_CASES = Path(__file__).resolve().parents[3] / "js" / "rewriting" / "overlap.json"  # with overlap.test.js
CONTEXT = ["Did you book the community hall?", "The choir has it until four. I took the library room."]


@pytest.mark.parametrize(
    ("candidate", "shared", "words"),
    [
        (
            "So the choir will be singing in the library room until four?",
            7,
            12,
        ),
        ("THE CHOIR!", 2, 2),
        ("hall, hall; hall", 3, 3),  # every token counts
        ("Nothing else", 0, 2),
        ("", 0, 0),
        ("?!…", 0, 0),
        ("M", 0, 1),  # the speaker's label is no word of the context
    ],
)
def test_the_share_of_a_candidate_s_words_that_stand_in_the_context(candidate, shared, words):
    found = overlap(candidate, CONTEXT)
    assert (found.shared, found.words) == (shared, words)
    assert found.share == (shared / words if words else None)


def test_words_are_case_folded_and_keep_their_apostrophes():
    assert words_of("We’ve SOLD 42 tickets, 'haven't' we? Straße") == [
        "we've",
        "sold",
        "42",
        "tickets",
        "haven't",
        "we",
        "strasse",
    ]


def test_each_chinese_character_is_a_word():
    assert words_of("图书馆 iPhone 好。") == ["图", "书", "馆", "iphone", "好"]


@given(st.text(), st.text())
def test_a_text_shares_all_its_words_with_itself_and_at_most_all_with_another(candidate, other):
    own = overlap(candidate, [candidate])
    assert own.shared == own.words
    found = overlap(candidate, [other])
    assert 0 <= found.shared <= found.words == own.words


@given(st.text())
def test_the_tokens_of_a_text_are_all_of_it(text):
    assert "".join(tokens_of(text)) == text


def test_tokens_are_words_as_they_are_written_and_what_stands_between():
    assert tokens_of("We’ve 4  seats, 好吗?") == ["We’ve", " ", "4", "  ", "seats", ",", " ", "好", "吗", "?"]


def test_the_cases_of_the_script_hold_here_too():
    cases = json.loads(SHARED_CASES.read_text(encoding="utf-8"))
    for case in cases["texts"]:
        found = [overlap(case["text"], context) for context in cases["contexts"]]
        assert found == [(shared, case["words"]) for shared in case["shared"]], case["text"]
    for pair in cases["same"]:
        assert overlap(pair["one"], [pair["other"]]).shared == pair["shared"], pair["one"]
