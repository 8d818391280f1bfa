"""Contexts in more than one split."""

import pytest

from annotation.domain.corpora.dialogue import conversation
from annotation.domain.releases.leaks import Context, Leak, Likeness, leaks

WORDS = [
    "the",
    "ferry",
    "leaves",
    "at",
    "nine",
    "and",
    "my",
    "cousin",
    "waits",
    "near",
    "harbour",
    "with",
    "two",
    "heavy",
    "bags",
    "while",
    "rain",
    "falls",
    "over",
    "old",
    "bridge",
    "because",
    "nobody",
    "brought",
    "an",
    "umbrella",
]


def said(text: str, speaker: str = "M") -> dict[str, str]:
    return {"speaker": speaker, "text": text}


def context(split: str, *texts: str) -> Context:
    return Context(split, [said(text, "MW"[number % 2]) for number, text in enumerate(texts)])


def talk(number: int) -> str:
    """Sixteen words in an order that no other number has."""
    return " ".join(WORDS[(number * 7 + index * (number % 5 + 2)) % len(WORDS)] + str(number) for index in range(16))


def test_a_context_in_two_splits_is_found_letter_by_letter():
    material = [context("train", talk(1)), context("dev", talk(2)), context("test", talk(1))]
    assert leaks(material).found == [Leak(Likeness.EXACT, (0, 2))]


@pytest.mark.parametrize(
    "changed",
    [
        "Hello, Rick! I've come to say goodbye .",
        "hello rick i've come to say goodbye",
        "HELLO RICK — I’ve come to say “goodbye”",
        "Hello Rick, I've come to say good bye.",
    ],
)
def test_case_punctuation_and_space_make_no_other_context(changed):
    material = [context("train", "Hello Rick, I've come to say goodbye."), context("test", changed)]
    assert leaks(material).found == [Leak(Likeness.NEAR, (0, 1))]
    assert len({conversation(each.turns) for each in material}) == 1, "a release puts them into one split"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is 7 + 2?", "What is 7 - 2?"),
        ("Do you know C++?", "Do you know C#?"),
        ("😀 👍", "😡 👎"),
    ],
)
def test_symbols_make_other_contexts(one, other):
    material = [context("train", one), context("test", other)]
    assert leaks(material).found == []
    assert len({conversation(each.turns) for each in material}) == 2


def test_what_very_many_contexts_share_is_a_phrase_and_said_to_be_one():
    """201 letters of one form: an opening of twenty words, then a line of their own."""
    opening = " ".join(WORDS[:20])
    splits = ("train", "test")
    few = [context(splits[number % 2], opening, f"x{number} y{number} z{number}") for number in range(40)]
    many = [context(splits[number % 2], opening, f"x{number} y{number} z{number}") for number in range(201)]
    assert (len(leaks(few).found), leaks(few).phrases) == (20 * 20, 0)
    assert leaks(many) == ([], 17)  # twenty words are seventeen sequences of four


def test_all_instances_of_one_context_are_one_leak():
    text = talk(3)
    material = [context("train", text), context("train", text.upper()), context("dev", text), context("dev", talk(4))]
    assert leaks(material).found == [Leak(Likeness.EXACT, (0, 1, 2))]


def test_an_equal_pair_within_one_split_is_no_exact_leak():
    text = talk(3)
    material = [context("train", text), context("train", text), context("dev", text.upper())]
    assert leaks(material).found == [Leak(Likeness.NEAR, (0, 1, 2))]


def test_a_dialogue_cut_at_another_slot_or_with_a_word_changed_is_similar():
    first, second = talk(5), talk(6)
    material = [
        context("train", first, second),
        context("dev", first),
        context("test", second.replace("6", "6", 1).replace(second.split()[0], "yesterday", 1)),
        context("test", talk(7)),
    ]
    assert leaks(material).found == [Leak(Likeness.SIMILAR, (0, 1)), Leak(Likeness.SIMILAR, (0, 2))]


def test_other_speakers_make_no_other_dialogue():
    text = talk(8)
    material = [Context("train", [said(text, "Man")]), Context("dev", [said(text, "Mr. Smith")])]
    assert leaks(material).found == [Leak(Likeness.SIMILAR, (0, 1))]


def test_small_talk_that_anybody_repeats_is_no_leak():
    material = [
        context("train", "Good morning. How are you today?", talk(1)),
        context("dev", "Good morning. How are you today?", talk(2)),
        context("test", "Good morning. How are you?"),
    ]
    assert leaks(material).found == []


@pytest.mark.parametrize("splits", [("train", "train"), ("", "train"), ("", "")])
def test_one_split_and_none_leak_nowhere(splits):
    assert leaks([context(split, talk(1)) for split in splits]).found == []


def test_what_is_found_does_not_depend_on_the_order_of_the_material():
    material = [context("train", talk(1)), context("dev", talk(2)), context("test", talk(1)), context("test", talk(2))]
    there = {frozenset(id(material[index]) for index in leak.indices) for leak in leaks(material).found}
    turned = material[::-1]
    back = {frozenset(id(turned[index]) for index in leak.indices) for leak in leaks(turned).found}
    assert there == back
    assert len(there) == 2


def test_a_clean_corpus_and_an_empty_one_have_none():
    assert leaks([context(("train", "dev", "test")[number % 3], talk(number)) for number in range(60)]).found == []
    assert leaks([]).found == []
