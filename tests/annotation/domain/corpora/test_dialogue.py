"""Dialogues: labels before the first colon, and when two dialogues are one conversation."""

import pytest

from annotation.domain.corpora.dialogue import conversation, next_speaker, parse_turn


@pytest.mark.parametrize(
    ("utterance", "speaker", "text"),
    [
        ("M: Hello.", "M", "Hello."),
        ("Mrs. Brown :Come in: now", "Mrs. Brown", "Come in: now"),
        ("W：是吗？", "W", "是吗？"),
        ("  Man 2\t: 10:30?", "Man 2", "10:30?"),
        ("M:", "M", ""),
    ],
)
def test_any_label_before_the_first_colon_is_a_speaker(utterance, speaker, text):
    assert parse_turn(utterance) == {"speaker": speaker, "text": text}


@pytest.mark.parametrize("utterance", ["", "Hello there.", ": Hello.", "  ：好"])
def test_without_a_label_there_is_no_turn(utterance):
    assert parse_turn(utterance) is None


def turns(*utterances: str) -> list:
    return [parse_turn(utterance) for utterance in utterances]


def test_case_space_punctuation_and_speakers_do_not_make_another_conversation():
    first = turns("M: Is it open?", "W: It's closed, sir.")
    assert conversation(first) == conversation(turns("Tom: is  it OPEN", "Ann: its closed sir!"))
    assert conversation(first) != conversation(turns("M: Is it open?", "W: It is closed, sir."))
    assert conversation(first) != conversation(first[:1])


def test_who_speaks_next_is_who_comes_after_the_cut():
    said = turns("M: a", "W: b", "M: c")
    assert [next_speaker(said, cut) for cut in (0, 1, 2, 3, -1)] == ["M", "W", "M", "", ""]
