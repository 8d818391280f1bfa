"""Items for rewriting: DREAM and jsonl, what is taken and what is refused, with line and reason."""

import io
import json
from pathlib import Path

import pytest

from annotation.importers import items, json_array
from annotation.importers.registry import PROJECT_IMPORTERS
from annotation.importers.rows import BadRow, ItemRow
from annotation.models import Kind
from tests.rewriting import question

TURNS = ["M: Is it open?", "W: It closes at four: come soon."]
ASKED = {"question": "When?", "choice": ["At two.", "At four.", "Never."], "answer": "At four."}


def read(content: str | bytes, format: str = "auto") -> list:
    data = content.encode() if isinstance(content, str) else content
    return list(items.read(io.BytesIO(data), file_name="items", format=format))


def dreamt(*records: object) -> list:
    return read(json.dumps(list(records)), "dream")


def reasons(rows: list) -> list[tuple[int | None, str]]:
    return [(row.line, row.reason.code) for row in rows if isinstance(row, BadRow)]


def digest_of(row: ItemRow) -> str:
    return PROJECT_IMPORTERS[Kind.REWRITING].digest(row)


# ---- DREAM ----------------------------------------------------------------------------------------------------------
def test_every_question_of_a_dialogue_is_a_row_named_by_dialogue_and_number():
    first, second = dreamt([TURNS, [ASKED, ASKED | {"question": "Who?"}], "14-349"])
    assert first == ItemRow(
        line=1,
        turns=({"speaker": "M", "text": "Is it open?"}, {"speaker": "W", "text": "It closes at four: come soon."}),
        question="When?",
        choices=("At two.", "At four.", "Never."),
        answer=1,
        external_id="14-349-1",
        source="DREAM",
    )
    assert (second.question, second.external_id) == ("Who?", "14-349-2")


def test_a_refused_question_costs_only_itself_and_names_the_line_of_its_dialogue():
    broken = ASKED | {"answer": "At six."}
    text = json.dumps([[TURNS, [ASKED], "a"], [TURNS, [broken, ASKED], "b"], [TURNS, [ASKED], "c"]], indent=1)
    rows = read(text, "dream")
    line = text[: text.index('"b"')].count("\n") + 1
    [bad] = [row for row in rows if isinstance(row, BadRow)]
    assert (bad.reason.code, bad.excerpt, str(bad.reason)) == (
        "answer_no_choice",
        "When?",
        'the answer "At six." is not one of the choices',
    )
    assert text.splitlines()[bad.line - 1].strip() == "["
    assert bad.line < line
    assert [row.external_id for row in rows if isinstance(row, ItemRow)] == ["a-1", "b-2", "c-1"]


def test_a_refusal_names_record_and_dialogue_where_the_whole_file_is_one_line():
    broken = ASKED | {"answer": "At six."}
    rows = dreamt([TURNS, [ASKED], "4-1"], [TURNS, [ASKED, broken], "4-2"], ["nobody", [ASKED], 43], [TURNS, [ASKED]])
    assert [(row.line, row.record, row.dialogue) for row in rows if isinstance(row, BadRow)] == [
        (1, 2, "4-2"),
        (1, 3, "43"),
        (1, 4, ""),
    ]


@pytest.mark.parametrize(("name", "limit"), [("id", 200), ("source", 100), ("topic", 100)])
def test_a_name_is_kept_in_full_or_its_row_is_refused(name, limit):
    grows = "\u0958"  # one character as it is written, two as it is stored
    for fits in ("x" * limit, grows * (limit // 2), int("9" * limit)):
        [kept] = read(json.dumps(question() | {name: fits}) + "\n")
        assert len(kept.external_id if name == "id" else getattr(kept, name)) == limit
    for long in ("x" * (limit + 1), grows * limit, int("9" * (limit + 1))):
        [refused] = read(json.dumps(question() | {name: long}) + "\n")
        assert str(refused.reason).endswith(f'characters in the column "{name}"; the limit is {limit}')


def test_an_id_of_dream_is_kept_in_full_or_its_questions_are_refused():
    [kept] = dreamt([TURNS, [ASKED], "x" * 198])
    assert kept.external_id == "x" * 198 + "-1"
    assert reasons(dreamt([TURNS, [ASKED], "x" * 199])) == [(1, "cell_too_long")]


def test_a_dialogue_without_a_label_costs_all_its_questions():
    assert reasons(dreamt([["M: Hello.", "Who is there?"], [ASKED, ASKED], "a"])) == [(1, "no_label"), (1, "no_label")]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"choice": ["At two.", "At four.", "At four."]}, "few_choices"),
        ({"choice": ["At two.", "At four.", " At four. "]}, "few_choices"),
        ({"choice": ["At four.", "At two.", ""]}, "few_choices"),
        ({"choice": []}, "few_choices"),
        ({"choice": "At four."}, "not_list"),
        ({"choice": ["At four."] * 21}, "too_many"),
        ({"choice": ["At four.", "At two.", 3]}, "not_text"),
        ({"answer": ""}, "no_answer"),
        ({"answer": None}, "no_answer"),
        ({"answer": "Later."}, "answer_no_choice"),
        ({"answer": ["At four."]}, "not_text"),
        ({"question": " "}, "no_question"),
        ({"question": "a" * 10_001}, "cell_too_long"),
        ({"question": "When\0?"}, "nul"),
        ({"question": "When\ud800?"}, "lone_surrogate"),
    ],
)
def test_a_question_that_cannot_be_taken_has_a_reason(changed, code):
    assert reasons(dreamt([TURNS, [ASKED | changed], "a"])) == [(1, code)]


@pytest.mark.parametrize(
    ("turns", "code"),
    [
        ([], "no_dialogue"),
        ("", "no_dialogue"),
        (["M:", "W: "], "no_dialogue"),
        (["M: Good evening."], "one_turn"),
        (["M: Hello", 3], "not_text"),
        ({"M": "Hello"}, "not_list"),
        (["M: a"] * 1_001, "too_many"),
        (["M: " + "a" * 9_990] * 11, "cell_too_long"),
    ],
)
def test_a_dialogue_that_cannot_be_taken_has_a_reason(turns, code):
    assert reasons(dreamt([turns, [ASKED], "a"])) == [(1, code)]


@pytest.mark.parametrize("record", [3, {"turns": []}, [TURNS, [ASKED]], [TURNS, [ASKED], None], [TURNS, [3], "a"]])
def test_a_record_of_another_shape_is_refused_and_the_others_are_read(record):
    rows = dreamt(record, [TURNS, [ASKED], "b"])
    assert reasons(rows) == [(1, "dream_record")]
    assert rows[1].external_id == "b-1"


def test_an_utterance_that_says_nothing_is_kept_as_the_source_has_it():
    [row] = dreamt([["M: Hello.", "W:", "M: Bye."], [ASKED], "a"])
    assert row.turns[1] == {"speaker": "W", "text": ""}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "empty"),
        ("[]", "json_no_records"),
        (" [ \n ] ", "json_no_records"),
        ("{}", "json_no_array"),
        ("[1, 2", "json_broken_file"),
        ("[1 2]", "json_broken_file"),
        ("[1,]", "json_broken_file"),
        ('[["M: a"], x]', "json_broken_file"),
        ("[" * 100_000, "json_deep_file"),
        (f"[{'9' * 5_000}]", "json_number_file"),
        (b"PK\x03\x04", "archive"),
        (b'["\xff\xfe\x81"]', "encoding"),
    ],
)
def test_a_file_that_is_no_whole_array_is_refused_whole(content, code):
    assert reasons(read(content, "dream")) == [(None, code)]


def test_the_slot_of_broken_json_is_named():
    [bad] = read('[\n [["M: a"], [], "x"],\n oops\n]', "dream")
    assert bad.reason.params == {"line": 3, "position": 2}


def test_a_file_larger_than_one_document_may_be_is_refused(monkeypatch):
    monkeypatch.setattr(json_array, "MOST_BYTES", 100)
    assert reasons(dreamt([TURNS, [ASKED], "a"])) == [(None, "file_too_large")]


# ---- jsonl ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("named", ["It is taken.", "B", 1])
@pytest.mark.parametrize(
    "dialogue",
    [
        {"turns": TURNS},
        {"turns": None, "dialogue": "\n".join(TURNS) + "\n"},
        {"turns": [{"speaker": "M", "text": "Is it open?"}, {"speaker": "W", "text": TURNS[1][3:]}]},
    ],
)
def test_our_own_lines_take_a_dialogue_and_an_answer_in_several_spellings(dialogue, named):
    [row] = read(json.dumps(question(answer=named, source="book", topic=7) | dialogue) + "\n")
    assert [turn["speaker"] for turn in row.turns] == ["M", "W"]
    assert (row.choices[row.answer], row.external_id, row.source, row.topic) == ("It is taken.", "q1", "book", "7")


@pytest.mark.parametrize("answer", [3, -1, "D", "b", True, 1.0])
def test_an_answer_that_names_no_choice_is_refused(answer):
    [(line, code)] = reasons(read(json.dumps(question(answer=answer)) + "\n"))
    assert (line, code) in {(1, "answer_no_choice"), (1, "not_text")}


def test_a_letter_or_number_counts_among_the_choices_as_written():
    choices = ["Same.", "Same.", "Right.", "Other."]
    for answer in ("C", 2):
        [row] = read(json.dumps(question(choices=choices, answer=answer)) + "\n")
        assert (row.choices, row.answer) == (("Same.", "Right.", "Other."), 1)


def test_lines_are_refused_one_by_one():
    lines = [question(1), question(2, turns=[]), question(3, turns=["Hello."]), question(4, choices=["a", "b"])]
    text = "\n".join([*map(json.dumps, lines), "{broken", ""])
    assert reasons(read(text)) == [(2, "no_dialogue"), (3, "no_label"), (4, "few_choices"), (5, "json_broken")]


def test_a_file_without_the_columns_is_refused_whole():
    assert reasons(read('{"prompt": "a", "response": "b"}\n')) == [(None, "missing_columns")]


@pytest.mark.parametrize("start", ["[", " \n[", "\ufeff["])
def test_the_format_is_guessed_by_the_first_character(start):
    text = start + json.dumps([TURNS, [ASKED], "a"]) + "]"
    assert [type(row) for row in read(text)] == [ItemRow]


def test_a_preview_shows_the_first_rows_and_how_they_were_read(tmp_path: Path):
    path = tmp_path / "dream.json"
    path.write_text(json.dumps([[TURNS, [ASKED], str(number)] for number in range(9)]))
    seen = items.preview(path)
    assert (seen.layout.format, seen.layout.encoding.codec, len(seen.rows)) == ("dream", "utf-8", 5)
    assert items.preview(io.BytesIO(b"[oops")).refusal.code == "json_broken_file"


# ---- what makes two items the same ----------------------------------------------------------------------------------
BASE = ItemRow(1, ({"speaker": "M", "text": "a"},), "When?", ("One.", "Two.", "Three."), 0)


@pytest.mark.parametrize(
    ("changed", "is_same"),
    [
        ({"choices": ("Three.", "One.", "Two.")}, True),  # the set counts, not its order
        ({"answer": 2}, True),  # nor which of them is right
        ({"turns": ({"speaker": "W", "text": "b"},)}, True),  # nor what it is asked about
        ({"external_id": "other"}, True),
        ({"question": "When"}, False),  # punctuation counts
        ({"choices": ("One.", "Two.", "Three")}, False),
        ({"choices": ("One.", "Two.", "Three.", "Four.")}, False),
        ({"question": "When?One.", "choices": ("Two.", "Three.")}, False),
    ],
)
def test_the_same_question_with_the_same_set_of_choices_is_one_item(changed, is_same):
    assert (digest_of(BASE) == digest_of(BASE._replace(**changed))) == is_same


def test_an_item_keeps_the_right_choice_and_two_wrong_ones():
    row = BASE._replace(choices=("a", "b", "c", "d", "e"), answer=4)
    contents = [PROJECT_IMPORTERS[Kind.REWRITING].make(row, seed).content for seed in range(20)]
    assert all(content["choices"][content["answer"]] == "e" for content in contents)
    assert {len(content["choices"]) for content in contents} == {3}
    assert {choice for content in contents for choice in content["choices"]} == set("abcde")


def test_a_json_array_of_items_is_read_as_jsonl_is():
    item = {"turns": TURNS, "question": "When?", "choices": ["a", "b", "c"], "answer": "b", "id": "q1"}
    [row] = read(json.dumps([item], indent=1))
    assert (row.line, row.question, row.choices, row.answer, row.external_id) == (1, "When?", ("a", "b", "c"), 1, "q1")
