"""Picks of false responses: what holds for each of them, and what each is for."""

from itertools import pairwise
from random import Random
from statistics import fmean

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.text import fold
from study.baselines.words import words
from study.domain.questions.likeness import is_near, likeness
from study.domain.questions.picks import PICKS
from study.domain.questions.sampling import SamplingSettings
from study.domain.questions.text_index import FIRST, TextIndex
from tests.study.domain.questions.test_sampling import as_many_as_there_are, corpora, questions, talk

WORDS = [f"{first}{vowel}{last}" for first in "bdfgklm" for vowel in "aeiou" for last in "nrst"]


def settings(pick: str, distractors: int = 2) -> SamplingSettings:
    return SamplingSettings(count=1, distractors=distractors, max_turns=6, pick=pick)


def chatter(count: int, seed: int = 0):
    """Dialogues of six turns of one to twelve words."""
    lots = Random(seed)
    return [
        talk(f"d{n}", [" ".join(lots.choices(WORDS, k=lots.randint(1, 12))) for _ in range(6)]) for n in range(count)
    ]


@pytest.mark.parametrize("pick", PICKS)
@given(dialogues=corpora(), seed=st.integers(0, 50), order=st.integers())
def test_what_holds_for_every_pick(pick, dialogues, seed, order):
    """Other conversations of the split, no two equal after folding, and the same whatever the order of the rows."""
    by_id = {dialogue.id: dialogue for dialogue in dialogues}
    made = as_many_as_there_are(dialogues, settings=settings(pick), seed=seed)
    assert made == as_many_as_there_are(dialogues, settings=settings(pick), seed=seed, order=order)
    for question in made:
        own = by_id[question.id]
        assert len({fold(text) for text in question.candidates}) == len(question.candidates) == 3
        for place, (text, (name, turn)) in enumerate(zip(question.candidates, question.origins, strict=True)):
            other = by_id[name]
            assert other.turns[turn]["text"] == text
            assert (name == own.id) if place == question.answer else (other.group != own.group)
            assert other.split == own.split


def false_responses(question):
    return [text for place, text in enumerate(question.candidates) if place != question.answer]


def distance(question) -> float:
    """Mean difference of the lengths of false responses and the true one, in words."""
    own = len(words(question.candidates[question.answer]))
    return fmean(abs(len(words(text)) - own) for text in false_responses(question))


@given(st.integers(0, 1_000))
def test_length_is_nearer_in_length_than_uniform(seed):
    dialogues = chatter(20, seed)
    uniform, length = (
        questions(dialogues, 20, settings=settings(pick, 4), seed=seed) for pick in ("uniform", "length")
    )
    assert [question.id for question in uniform] == [question.id for question in length]
    assert fmean(map(distance, length)) < fmean(map(distance, uniform))
    assert all(distance(near) <= distance(any_) for near, any_ in zip(length, uniform, strict=True))


def test_length_is_drawn_among_equally_near_ones():
    """Thirty dialogues of the same length: other seeds, other false responses."""
    dialogues = [talk(f"d{n}", [f"{n} {turn} so" for turn in range(4)]) for n in range(30)]
    drawn = {tuple(questions(dialogues, settings=settings("length"), seed=seed)[0].candidates) for seed in range(5)}
    assert len(drawn) == 5


@given(st.integers(0, 1_000))
def test_similar_is_higher_in_bm25_than_uniform(seed):
    """Scored by another library: its BM25 as in Lucene, with the context as the query."""
    dialogues = chatter(20, seed)
    pool = [turn["text"] for dialogue in sorted(dialogues, key=lambda each: each.id) for turn in dialogue.turns]
    library = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    library.index([words(text) for text in pool], show_progress=False)
    uniform = {made.id: made for made in questions(dialogues, 20, settings=settings("uniform", 3), seed=seed)}
    similar = as_many_as_there_are(dialogues, settings=settings("similar", 3), seed=seed)
    assert len(similar) > 10, "the others share too few words with any turn"
    for near in similar:
        any_ = uniform[near.id]
        scores = dict(
            zip(pool, library.get_scores(words(" ".join(turn["text"] for turn in near.context))), strict=True)
        )
        truth = near.candidates[near.answer]
        low = min(scores[text] for text in false_responses(near))
        others = [text for text in false_responses(any_) if text not in near.candidates and not is_near(truth, text)]
        assert all(scores[text] <= low + 1e-4 for text in others)


def test_similar_leaves_out_what_is_nearly_the_true_response():
    truth = "the blue bus to the old harbour leaves at nine"
    near = "the blue bus to the old harbour leaves at ten"
    asked = talk("a", ["when does the blue bus leave", "which blue bus", truth])
    others = [talk("b", [near, "ha"]), *(talk(f"c{n}", [f"the bus is blue {n}", "no"]) for n in range(4))]
    assert is_near(truth, near)
    made = {question.id: question for question in as_many_as_there_are([asked, *others], settings=settings("similar"))}
    assert near not in made["a"].candidates
    assert all("bus" in text for text in made["a"].candidates)


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("Yes, it is.", "yes it IS", 1),
        ("one two three four", "one two three five", 3 / 5),
        ("one one two", "one two two", 1),
        ("so", "no", 0),
        ("…", "!", 0),
        ("明天下雨", "明天下雪", 3 / 5),
    ],
)
def test_likeness_is_the_share_of_words_that_both_have(one, other, share):
    assert likeness(one, other) == pytest.approx(share)
    assert likeness(other, one) == pytest.approx(share)


TEXTS = st.lists(st.lists(st.sampled_from(WORDS[:12]), max_size=8).map(" ".join), min_size=1, max_size=30)


@given(TEXTS, st.lists(st.sampled_from(WORDS[:14]), max_size=9))
def test_the_index_puts_texts_in_the_order_of_another_library(texts, query):
    found = list(TextIndex(texts).best(" ".join(query)))
    known = {word for text in texts for word in words(text)}
    expected = np.zeros(len(texts))
    if asked := [word for word in query if word in known]:
        library = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        library.index([words(text) for text in texts], show_progress=False)
        expected = library.get_scores(asked)
    assert sorted(found) == np.flatnonzero(expected > 0).tolist()
    scores = expected[found]
    assert all(one >= other - 1e-4 for one, other in pairwise(scores))


def test_the_index_is_asked_again_and_again():
    index = TextIndex(["a b", "b c", "c d", "b b"])
    assert list(index.best("b")) == list(index.best("b"))
    assert list(index.best("d")) == [2]
    assert list(index.best("x")) == []


def test_more_texts_than_are_put_in_order_at_first_come_in_order_too():
    lots = Random(3)
    texts = [" ".join(["so", *lots.choices(WORDS[:20], k=lots.randint(1, 9))]) for _ in range(2 * FIRST)]
    index = TextIndex(texts)
    found = list(index.best("so"))
    assert sorted(found) == list(range(2 * FIRST))
    lengths = [len(words(texts[number])) for number in found]
    times = [words(texts[number]).count("so") for number in found]
    assert set(times) == {1}
    assert lengths == sorted(lengths), "one word of the query in each: the shorter, the higher"


def test_an_index_of_nothing_finds_nothing():
    assert list(TextIndex([]).best("so")) == []
    assert list(TextIndex(["…", ""]).best("so")) == []
