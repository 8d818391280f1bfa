"""Lengths of dialogues, by hand: turns, utterances, words and minutes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.corpora.lengths import DialogueLengths, bins, median, word_count
from annotation.domain.corpora.published import PUBLISHED


def lengths_of(*dialogues):
    lengths = DialogueLengths()
    for turns in dialogues:
        lengths.add(turns)
    return lengths.as_mapping()


def said(*texts, minutes=None):
    turns = [{"speaker": "A", "text": text} for text in texts]
    if minutes is not None:
        turns[0]["at"], turns[-1]["at"] = "2008-07-14T23:58:30Z", f"2008-07-15T00:{minutes - 2:02}:30Z"
    return turns


def test_lines_of_a_turn_are_utterances():
    figures = lengths_of(said("one two\nthree", "four"), said("a b c", "d", "e\nf\ng"))
    assert (figures["dialogues"], figures["turns"], figures["utterances"], figures["words"]) == (2, 5, 8, 11)
    assert (figures["turns_fewest"], figures["turns_median"], figures["turns_most"]) == (2, 2.5, 3)
    assert figures["words_median"] == 5.5
    assert figures["by_turns"] == {"2": 1, "3": 1}


def test_minutes_go_from_the_first_turn_to_the_last_where_both_have_a_time():
    assert lengths_of(said("a", "b"))["minutes_median"] is None
    timed = [said("a", "b", minutes=minutes) for minutes in (4, 9, 7)]
    figures = lengths_of(*timed, said("a"))
    assert figures["minutes_median"] == 7


def test_a_clock_that_ran_back_makes_no_negative_length():
    back = [{"text": "a", "at": "2008-07-14T10:05:00Z"}, {"text": "b", "at": "2008-07-14T10:01:00Z"}]
    assert lengths_of(back)["minutes_median"] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [("", 0), ("don't stop", 2), ("m : yes .", 4), ("我用 iPhone 拍的", 5), ("déjà vu", 2), ("a\nb\tc", 3)],
)
def test_a_word_is_between_spaces_and_a_chinese_character_is_one(text, words):
    assert word_count(text) == words


@given(st.lists(st.integers(0, 50), min_size=1))
def test_the_median_of_counts_is_that_of_the_values(values):
    counts = {value: values.count(value) for value in values}
    ordered = sorted(values)
    half = len(values) // 2
    assert median(counts) == (ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2)


def test_only_a_figure_that_contradicts_the_others_is_doubtful():
    for published in PUBLISHED.values():
        figures = published.figures
        if {"words", "utterances", "words_mean"} <= figures.keys():
            agrees = abs(figures["words"] / figures["utterances"] - figures["words_mean"]) < 0.5
            assert agrees == ("words_mean" not in published.doubtful)


def test_many_turns_share_a_bin():
    assert bins({"3": 4, "5": 1}) == [(3, 3, 4), (4, 4, 0), (5, 5, 1)]
    assert bins({"9": 1, "11": 2, "15": 3, "16": 4, "21": 5, "200": 6})[1:] == [
        (10, 10, 0),
        (11, 15, 5),
        (16, 20, 4),
        (21, None, 11),
    ]
    assert bins({"12": 2}) == [(11, 15, 2)]
