import io
import json

import pytest

from annotation.domain.rating.rating import Scale, default_guideline
from annotation.importers import ratings
from annotation.importers.rows import BadRow, RatingRow

FIVE = Scale(1, 5)
HEADER = "item,rater,grade\n"


def read(content, scale=FIVE, **details):
    source, guideline = io.BytesIO(content.encode()), default_guideline(scale)
    return list(ratings.read(source, scale=scale, guideline=guideline, file_name="grades.csv", **details))


def test_ratings_are_read_with_and_without_texts():
    assert read("rater,item,grade\nr1,q7,4\nr2,q7,5\n") == [RatingRow(2, "q7", "r1", 4), RatingRow(3, "q7", "r2", 5)]
    (row,) = read("item,rater,grade,prompt,response,type\nq7,r1,1,在 不 在 吗,在,irrelevant\n")
    assert row == RatingRow(2, "q7", "r1", 1, "在不在吗", "在", "irrelevant")


def test_the_file_of_a_model_needs_no_rater_and_has_no_types():
    rows = [RatingRow(2, "q7", "qwen", 4), RatingRow(3, "q8", "qwen", 5)]
    assert read("item,grade\nq7,4\nq8,5\n", model="qwen") == rows
    assert read("item,grade,rater,type\nq7,4,qwen,\nq8,5,,no such type\n", model="qwen") == rows
    taken, refused = read("item,grade,rater\nq7,4,qwen\nq7,4,ann\n", model="qwen")
    assert (taken, refused.line, refused.reason.code) == (rows[0], 3, "rater_is_another")
    [again] = [row for row in read("item,grade\nq7,4\nq7,4\n", model="qwen") if isinstance(row, BadRow)]
    assert (again.line, again.reason.code) == (3, "rated_twice")


def test_names_that_differ_in_case_or_width_are_one_rater_under_the_first_spelling():
    rows = read(f"{HEADER}q7,Ann,4\nq8,ａｎｎ,5\nq7,ANN,3\n")
    assert rows[:2] == [RatingRow(2, "q7", "Ann", 4), RatingRow(3, "q8", "Ann", 5)]
    assert (rows[2].line, rows[2].reason.code, rows[2].reason.params["first"]) == (4, "rated_twice", 2)


@pytest.mark.parametrize(("written", "grade"), [("-2", -2), ("+1", 1), ("0", 0), ("2.0", 2), (" 1 ", 1)])
def test_grades_are_whole_numbers(written, grade):
    assert read(f"{HEADER}q7,r1,{written}\n", Scale(-2, 2))[0].grade == grade


def test_a_grade_in_json_may_be_a_number():
    assert read('{"item": 7, "rater": "r1", "grade": 3}\n') == [RatingRow(1, "7", "r1", 3)]


@pytest.mark.parametrize(("column", "limit"), [("item", 200), ("rater", 80)])
def test_a_number_too_long_for_a_name_is_refused(column, limit):
    for digits, kept in ((limit, True), (limit + 1, False)):
        line = {"item": "7", "rater": "r1", "grade": 3, column: int("9" * digits)}
        [row] = read(json.dumps(line) + "\n")
        assert isinstance(row, RatingRow) == kept
    assert str(row.reason) == f'{limit + 1} characters in the column "{column}"; the limit is {limit}'


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("q7,r1,6", "the grade 6 is outside the scale 1..5"),
        ("q7,r1,0", "the grade 0 is outside the scale 1..5"),
        ("q7,r1,good", 'the grade "good" is not a whole number'),
        ("q7,r1,4.5", 'the grade "4.5" is not a whole number'),
        ("q7,r1,4分", 'the grade "4分" is not a whole number'),
        ("q7,r1,", 'nothing in the column "grade"'),
        (",r1,4", 'nothing in the column "item"'),
        ("q7, ,4", 'nothing in the column "rater"'),
        ("q7,r1", "columns: 2 instead of 3"),
        (f"q7,{'r' * 81},4", '81 characters in the column "rater"; the limit is 80'),
    ],
)
def test_a_bad_rating_is_named_and_the_next_one_is_read(row, reason):
    refused, taken = read(f"{HEADER}{row}\nq8,r1,4\n")
    assert (refused.file, refused.line, str(refused.reason)) == ("grades.csv", 2, reason)
    assert taken.item == "q8"


def test_a_rater_grades_an_item_once():
    rows = read(HEADER + "q7,r1,4\nq7,r2,4\nq7, r1 ,5\nq8,r1,4\nq7,r1,4\n")
    assert [(row.line, str(row.reason)) for row in rows if isinstance(row, BadRow)] == [
        (4, '"r1" already graded "q7", at number 2 of this file'),
        (6, '"r1" already graded "q7", at number 2 of this file'),
    ]


def test_a_refused_grade_does_not_stand_in_the_way_of_a_good_one():
    rows = read(HEADER + "q7,r1,9\nq7,r1,4\n")
    assert [isinstance(row, RatingRow) for row in rows] == [False, True]


def test_ratings_need_a_header():
    (row,) = read("q7\tr1\t4\n")
    assert (row.line, str(row.reason)) == (None, "The columns item, rater, grade are missing; found: q7, r1, 4")
