"""MuTual's articles: the two casings, labels that are none, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.corpora.articles import article_of, record_of, turns_of


def pairs(article: str) -> list[tuple[str, str]]:
    return [(turn["speaker"], turn["text"]) for turn in turns_of(article)]


@pytest.mark.parametrize(
    ("article", "turns"),
    [
        ("m : good morning . f : hello .", [("m", "good morning ."), ("f", "hello .")]),
        ("M: Good morning. F: Hello.", [("M", "Good morning."), ("F", "Hello.")]),
        ("f : just one turn", [("f", "just one turn")]),
        ("m ; f : both of us . m : me alone .", [("m ; f", "both of us ."), ("m", "me alone .")]),
        ("M;F: Both. F: Me.", [("M;F", "Both."), ("F", "Me.")]),
        ("m;f : both . f : me .", [("m;f", "both ."), ("f", "me .")]),
        ("m : a . m : b .", [("m", "a ."), ("m", "b .")]),
        ("m : see you at 8 : 30 . f : fine : then .", [("m", "see you at 8 : 30 ."), ("f", "fine : then .")]),
        ("m : plan F: is the best . f : no .", [("m", "plan F: is the best ."), ("f", "no .")]),
        ("m : something.f : what ?", [("m", "something."), ("f", "what ?")]),
        ("nobody speaks here", [("", "nobody speaks here")]),
        ("noise . m : hello .", [("", "noise ."), ("m", "hello .")]),
        ("m : f : hello .", [("f", "hello .")]),
        ("   ", []),
        ("m :", []),
        ("m : film : the end . from f :  to f", [("m", "film : the end . from"), ("f", "to f")]),
    ],
)
def test_an_article_is_read_turn_by_turn(article, turns):
    assert pairs(article) == turns


@pytest.mark.parametrize(
    "article",
    ["m : good morning . f : hello .", "M: Good morning. F: Hello.", "m ; f : both . f : me .", "M;F: Both. F: Me."],
)
def test_an_article_that_is_evenly_spaced_comes_back(article):
    assert article_of(turns_of(article)) == article


WORDS = st.lists(st.sampled_from(["yes", "no", "tea", "rain", ":", "mf", "at", "."]), min_size=1).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["m", "f", "m ; f"]), WORDS), min_size=1))
def test_turns_come_back_from_their_article(said):
    turns = [{"speaker": speaker, "text": text} for speaker, text in said]
    assert turns_of(article_of(turns)) == turns


def test_an_answer_that_is_not_known_is_a_single_space():
    turns = turns_of("m : hello .")
    assert record_of("test_1", turns, ["f : a", "f : b"], None) == {
        "answers": " ",
        "options": ["f : a", "f : b"],
        "article": "m : hello .",
        "id": "test_1",
    }
    assert record_of("test_1", turns, ["f : a", "f : b"], 1)["answers"] == "B"
