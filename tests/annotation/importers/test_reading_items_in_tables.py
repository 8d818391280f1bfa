"""Items in tables: columns of any names, turns and choices in cells, answers by letter, number or text."""

import io
import json

import pytest

from annotation.importers import items
from annotation.importers.layout import LayoutChoice
from annotation.importers.rows import BadRow, ItemRow
from annotation.selectors.imports import shown

SAID = ({"speaker": "甲", "text": "几点开门？"}, {"speaker": "乙", "text": "四点。"})


def read(content: str, **choice):
    return list(items.read(io.BytesIO(content.encode()), file_name="items", choice=LayoutChoice(**choice)))


def only(content: str, **choice) -> ItemRow:
    [row] = read(content, **choice)
    assert isinstance(row, ItemRow), row.reason
    return row


def refused(content: str, **choice) -> list[tuple[int | None, str]]:
    return [(row.line, row.reason.code) for row in read(content, **choice) if isinstance(row, BadRow)]


@pytest.mark.parametrize(
    "said", ['"甲：几点开门？\n乙：四点。"', "甲：几点开门？|乙：四点。", "甲：几点开门？__eou__乙：四点。"]
)
@pytest.mark.parametrize(
    ("header", "choices"),
    [
        ("选项A,选项B,选项C", "两点,四点,从不"),
        ("A,B,C", "两点,四点,从不"),
        ("选项", "A. 两点；B. 四点；C. 从不"),
        ("choices", "两点|四点|从不"),
        ("options", '"[""两点"", ""四点"", ""从不""]"'),
    ],
)
def test_turns_and_choices_are_found_in_their_cells(said, header, choices):
    row = only(f"对话,问题,{header},答案\n{said},何时,{choices},B\n")
    assert (row.turns, row.choices, row.answer) == (SAID, ("两点", "四点", "从不"), 1)


def test_columns_of_other_names_are_matched_by_a_person():
    content = "文,问,键,甲项,乙项,丙项\n甲：几点开门？|乙：四点。,何时,四点,两点,四点,从不\n"
    assert refused(content) == [(None, "missing_columns")]
    columns = {
        "turns": "文",
        "question": "问",
        "answer": "键",
        "choice_1": "甲项",
        "choice_2": "乙项",
        "choice_3": "丙项",
    }
    assert only(content, columns=columns).answer == 1


def test_a_separator_can_be_chosen():
    row = only("对话,问题,选项,答案\n甲：几点|几分？//乙：四点。,何时,两点|四点|从不,B\n", separator="//")
    assert [turn["text"] for turn in row.turns] == ["几点|几分？", "四点。"]


@pytest.mark.parametrize(("answers", "expected"), [(("0", "2"), [0, 2]), (("1", "3"), [0, 2]), (("3", "1"), [2, 0])])
def test_the_rows_tell_whether_answers_are_counted_from_0_or_1(answers, expected):
    rows = "".join(f"甲：a{n}|乙：b,q,两点|四点|从不,{answer}\n" for n, answer in enumerate(answers))
    assert [row.answer for row in read(f"对话,问题,选项,答案\n{rows}")] == expected


def test_where_no_row_tells_a_person_is_asked():
    content = "对话,问题,选项,答案\n甲：a|乙：b,q,两点|四点|从不,2\n甲：a|乙：b,r,两点|四点|从不,1\n"
    assert refused(content) == [(None, "first_number")]
    assert [row.answer for row in read(content, first_number=1)] == [1, 0]
    assert [row.answer for row in read(content, first_number=0)] == [2, 1]


def test_an_answer_that_is_the_text_of_a_choice_is_no_number():
    assert only("对话,问题,选项,答案\n甲：a|乙：b,q,3|2|1,1\n").answer == 2


def test_speakers_are_numbered_only_if_a_person_wants_that():
    content = "对话,问题,选项,答案\n几点开门？|四点。,何时,两点|四点|从不,B\n"
    assert refused(content) == [(2, "no_label")]
    assert [turn["speaker"] for turn in only(content, numbers_speakers=True).turns] == ["A", "B"]
    record = [
        ["几点开门？", "四点。"],
        [{"question": "何时", "choice": ["两点", "四点", "从不"], "answer": "四点"}],
        "1",
    ]
    assert refused(json.dumps([record])) == [(1, "no_label")]
    assert [turn["speaker"] for turn in only(json.dumps([record]), numbers_speakers=True).turns] == ["A", "B"]


def test_turns_may_be_messages_of_a_chat():
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    row = only(json.dumps([{"messages": 1, "turns": said, "question": "q", "choices": ["a", "b", "c"], "answer": 0}]))
    assert row.turns == ({"speaker": "user", "text": "hi"}, {"speaker": "assistant", "text": "ho"})


@pytest.mark.parametrize(
    ("answer", "right"),
    [("A", "两点"), ("C", "四点"), ("D", "从不"), ("4", "从不"), ("四点", "四点"), ("Ｃ", "四点"), ("４", "从不")],
)
def test_an_empty_choice_leaves_the_answer_where_it_is(answer, right):
    row = only(f"对话,问题,A,B,C,D,答案\n甲：a|乙：b,何时,两点,,四点,从不,{answer}\n")
    assert row.choices == ("两点", "四点", "从不")
    assert row.choices[row.answer] == right


@pytest.mark.parametrize("answer", ["B", "E", "2"])
def test_an_answer_that_names_an_empty_choice_is_refused(answer):
    content = f"对话,问题,A,B,C,D,E,答案\n甲：a|乙：b,何时,两点,,四点,从不,,{answer}\n"
    assert refused(content, first_number=1) == [(2, "answer_no_choice")]


@pytest.mark.parametrize(("first_number", "answer"), [(1, "5"), (1, "６"), (1, "0"), (0, "4"), (1, "Ｆ"), (1, "2")])
def test_a_refused_answer_is_named_as_the_file_has_it(first_number, answer):
    content = f"对话,问题,A,B,C,D,答案\n甲：a|乙：b,何时,两点,,四点,从不,{answer}\n"
    [row] = read(content, first_number=first_number)
    assert (row.reason.code, row.reason.params["answer"]) == ("answer_no_choice", answer)


def test_empty_choices_at_the_end_do_not_hide_that_numbers_begin_at_1():
    assert only("对话,问题,A,B,C,D,E,答案\n甲：a|乙：b,何时,两点,四点,从不, ,,3\n").answer == 2


def test_an_answer_in_full_width_may_also_be_the_text_of_a_choice():
    assert only("对话,问题,选项,答案\n甲：a|乙：b,q,３|２|１,１\n").answer == 2


@pytest.mark.parametrize("answer", ["Ｂ", "２", "2"])
def test_a_letter_or_number_of_any_width_is_the_answer_in_objects(answer):
    row = {"turns": ["甲：a", "乙：b"], "question": "q", "choices": ["两点", "四点", "从不"], "answer": answer}
    assert only(json.dumps([row]), first_number=1).answer == 1


@pytest.mark.parametrize("name", ["Correct answer", "correct_answer", "标准答案", "right answer"])
def test_the_right_answer_is_found_by_a_usual_name(name):
    content = f"dialogue,question,A,B,C,{name}\nM: Hi|W: Yo,R?,hi,yo,no,B\n"
    assert only(content).answer == 1
    assert not shown(items.preview(io.BytesIO(content.encode())), items.SCHEMA).lacks_answers


@pytest.mark.parametrize(("name", "lacks"), [("solution", True), ("answer_image", False)])
def test_it_is_told_where_no_column_is_read_as_the_right_answer(name, lacks):
    content = f"dialogue,question,A,B,C,{name}\nM: Hi|W: Yo,R?,hi,yo,no,B\n"
    assert shown(items.preview(io.BytesIO(content.encode())), items.SCHEMA).lacks_answers is lacks
