"""Dialogues as jsonl: what a line must have, and the splits of several files."""

import pytest

from annotation.importers import dialogues_jsonl
from annotation.importers.archive import Member
from annotation.importers.rows import BadRow
from tests.corpora import dialogue, jsonl_of


@pytest.fixture
def read(tmp_path):
    def rows(*lines, name="talk.jsonl"):
        return list(dialogues_jsonl.read([Member(name, jsonl_of(tmp_path / "file", lines))]))

    return rows


def test_a_dialogue_is_a_list_of_turns(read):
    [row] = read({"turns": [{"speaker": "A", "text": " Hello\u200e there. "}, {"text": "Hi."}, "So."]})
    assert row.turns == [
        {"speaker": "A", "text": "Hello\u200e there."},
        {"speaker": "", "text": "Hi."},
        {"speaker": "", "text": "So."},
    ]
    assert (row.id, row.split, row.candidates, row.answer) == ("1", "", None, None)


def test_what_else_a_line_says_is_read(read):
    [row] = read({**dialogue(1), "candidates": ["yes", "no"], "answer": 1, "mood": "good"})
    assert (row.id, row.split, row.candidates, row.answer) == ("d1", "dev", ["yes", "no"], 1)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"turns": []}, "no_turns"),
        ({"text": "hello"}, "no_turns"),
        ({"turns": "hello"}, "no_turns"),
        ({"turns": ["hello", " "]}, "turn_empty"),
        ({"turns": [7]}, "no_turns"),
        ({"turns": [{"text": 7}]}, "not_text"),
        ({"turns": ["x"] * 2_001}, "turns_count"),
        ({"turns": ["hello"], "split": "validation"}, "split_unknown"),
        ({"turns": ["hello"], "candidates": ["one"]}, "candidates_count"),
        ({"turns": ["hello"], "candidates": ["one", "two"], "answer": 2}, "answer_no_option"),
        ({"turns": ["hello"], "candidates": ["one", "two"], "answer": True}, "answer_no_option"),
        ({"turns": ["hello"], "answer": 0}, "answer_no_candidates"),
        ({"turns": ["hello"], "conversation": "c" * 65}, "cell_too_long"),
        ({"turns": ["hello"], "facts": ["x"]}, "facts"),
        ({"turns": ["hello"], "facts": {"x": 1.5}}, "not_text"),
        ({"turns": ["hello"], "facts": {f"f{n}": n for n in range(21)}}, "facts"),
        ({"turns": [{"text": "hello", "at": "yesterday"}]}, "turn_time"),
        ({"turns": [{"text": "hello", "at": "2008-07-14T10:02:00"}]}, "turn_time"),
        (["hello"], "json_no_object"),
    ],
)
def test_a_bad_line_has_its_number_and_a_reason(read, line, code):
    good, bad = read(dialogue(1), line)
    assert isinstance(bad, BadRow)
    assert (good.id, bad.file, bad.line, bad.reason.code) == ("d1", "talk.jsonl", 2, code)


def test_the_time_of_a_turn_is_brought_to_utc(read):
    [row] = read({"turns": [{"text": "hello", "at": "2008-07-14T10:02:00+02:00", "to": "bo"}]})
    assert row.turns == [{"speaker": "", "text": "hello", "at": "2008-07-14T08:02:00Z", "to": "bo"}]


@pytest.mark.parametrize("id", ["x" * 101, int("9" * 101), "\u0958" * 51], ids=["text", "number", "grows when stored"])
def test_an_id_is_kept_in_full_or_its_dialogue_is_refused(read, id):
    good, bad = read({**dialogue(1), "id": int("9" * 100)}, {**dialogue(2), "id": id})
    assert good.id == "9" * 100
    assert (bad.line, str(bad.reason)) == (2, "an id of more than 100 characters")


def test_long_names_of_files_that_differ_at_the_end_give_different_ids(tmp_path):
    names = ["x" * 80 + letter for letter in "ab"]
    members = [Member(f"{name}.jsonl", jsonl_of(tmp_path / name, [{"turns": ["Hello."]}])) for name in names]
    assert [row.id for row in dialogues_jsonl.read(members)] == [f"{name}-1" for name in names]


def test_an_id_twice_is_refused_the_second_time(read):
    first, second = read(dialogue(1), dialogue(1))
    assert (first.id, second.line, second.reason.code) == ("d1", 2, "id_twice")


def test_files_called_by_a_split_are_of_it_and_come_in_its_order(tmp_path):
    members = [
        Member(f"set/{name}", jsonl_of(tmp_path / name, [{"turns": [f"in {name}"]}]))
        for name in ("test.jsonl", "more.jsonl", "train.jsonl", "notes.txt", ".hidden.jsonl")
    ]
    rows = list(dialogues_jsonl.read(members))
    assert [(row.split, row.id) for row in rows] == [("train", "train-1"), ("test", "test-1"), ("", "more-1")]
    assert dialogues_jsonl.total(members) == 3
