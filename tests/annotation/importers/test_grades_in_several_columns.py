"""Tables with a column of grades for each rater."""

import io
import json
from collections.abc import Mapping

import pytest

from annotation.domain.rating.rating import Scale
from annotation.importers import pairs
from annotation.importers.layout import GUESS, LayoutChoice
from annotation.importers.preview import preview
from annotation.importers.rows import BadRow, GradeCell

FIVE = Scale(1, 5)
CELLS = "在吗,在,5,4,\n走吗,走,,,\n"


def read(content: str, choice: LayoutChoice = GUESS) -> list[tuple[int, str, str, str]]:
    """Return line, response, grade and rater of each grade, and of a row without one."""
    rows = pairs.read(io.BytesIO(content.encode()), choice=choice)
    return [(row.line, row.response, *cell) for row in rows for cell in row.graded or [("", "")]]


@pytest.mark.parametrize(
    ("header", "first", "second"),
    [
        ("提问,回复,评分1,评分2,评分3", "1", "2"),
        ("prompt,response,grade 1,grade 2,grade 3", "1", "2"),
        ("prompt,response,grade_Ann,grade_bo,grade_c", "Ann", "bo"),
        ("提问,回复,评分 张三,评分 李四,评分 王五", "张三", "李四"),
        ("提问,回复,评分（张三）,评分（李四）,评分（王五）", "张三", "李四"),
        ("prompt,response,Score: ann,score: bo,comment", "ann", "bo"),
        ("提问,回复,评分 张三（1-5）,评分 李四（1-5）,评分 王五（1-5）", "张三", "李四"),
        ("提问,回复,评分（张三）（1-5）,评分（李四）(1-5),评分（王五）", "张三", "李四"),
        ("提问,回复,评分1（1–5）,评分2（1–5）,评分3", "1", "2"),
        ("提问,回复,评分１,评分２,评分３", "1", "2"),
        ("提问,回复,评分 Ａｎｎ,评分 Bo,评分 c", "Ann", "Bo"),
        ("提问,回复,评分A,评分b,评分Ｃ", "A", "b"),
        ("提问,回复,评分一,评分二,评分三", "一", "二"),
        ("提问,回复,评分①,评分②,评分③", "1", "2"),
    ],
)
def test_each_column_is_a_rater(header, first, second):
    assert read(f"{header}\n{CELLS}") == [(2, "在", "5", first), (2, "在", "4", second), (3, "走", "", "")]


def test_keys_of_objects_are_such_columns_too():
    line = json.dumps({"prompt": "a", "response": "b", "grade_ann": 3, "grade_bo": None, "grade_cy": 5})
    assert read(line) == [(1, "b", "3", "ann"), (1, "b", "5", "cy")]


@pytest.mark.parametrize(
    "header",
    [
        "prompt,response,grade,grade_1,grade_2",  # it has a grade
        "提问,回复,评分（1–5）,评分 备注,x",  # so has this
        "提问,回复,评分,评分员,评分2",
        "提问,回复,grade,评分1,评分2",
    ],
)
def test_where_a_column_is_the_grade_the_others_are_left_out(header):
    assert [grade for _line, _response, grade, _rater in read(f"{header}\n{CELLS}")] == ["5", ""]


@pytest.mark.parametrize("columns", ["评分1,备注,x", "评分员1,评分员2,x", "评分理由,评分时间,x"])
def test_other_columns_are_no_grades(columns):
    assert [grade for _line, _response, grade, _rater in read(f"提问,回复,{columns}\n{CELLS}")] == ["", ""]


def test_one_of_them_can_be_chosen_as_the_grade():
    choice = LayoutChoice(columns={"grade": "评分2", "rater": ""})
    assert read(f"提问,回复,评分1,评分2,评分3\n{CELLS}", choice) == [(2, "在", "4", ""), (3, "走", "", "")]


def test_with_neither_chosen_they_stay_columns_of_raters():
    """The page sends an empty choice for each column that is not matched."""
    choice = LayoutChoice(columns={"grade": "", "rater": ""})
    assert len(read(f"提问,回复,评分1,评分2,评分3\n{CELLS}", choice)) == 3


def test_what_is_computed_or_said_is_no_rater_unless_one_says_so():
    content = "prompt,response,score_ann,score_bo,score_mean,score_Date\na,b,3,4,3,1\n"
    assert [rater for *_row, rater in read(content)] == ["ann", "bo"]
    assert [rater for *_row, rater in read(content, LayoutChoice(raters=["score_bo", "score_mean"]))] == ["bo", "mean"]
    assert read(content, LayoutChoice(raters=[])) == [(2, "b", "", "")]


def test_a_column_with_hardly_a_grade_of_the_scale_is_no_rater():
    header = "提问,回复,评分 张三,评分 李四,评分 王五,评分 加权,评分 编码\n"
    rows = "".join(
        f"q{number},a,{number % 5 + 1},,{'好' if number < 3 else 4},3.5,{number + 90}\n" for number in range(9)
    )
    choice = LayoutChoice(scale=Scale(1, 5))
    assert {rater for *_row, rater in read(header + rows, choice)} == {"张三", "王五"}
    first = next(pairs.read(io.BytesIO((header + rows).encode()), choice=choice))
    assert [cell.rater for cell in first.grades] == ["张三", "李四", "王五"]  # one has not begun


@pytest.mark.parametrize(
    ("header", "response"),
    [
        ("prompt,response,评分1,评分2", '"First line\nwell, yes, of course, maybe"'),
        ("prompt,response,评分_张三,评分_李四", '"第一行,\n第二行,有,逗号"'),
        ("prompt\tresponse\t评分1\t评分2", '"First\twell\tyes\tof course"'),
    ],
)
def test_a_cell_of_several_lines_does_not_hide_the_grades_beside_it(header, response):
    between = "\t" if "\t" in header else ","
    rows = "".join(between.join((f"Hello {number}", response, "3", "4")) + "\n" for number in range(6))
    found = read(f"{header}\n{rows}", LayoutChoice(scale=Scale(1, 5)))
    assert [grade for _line, _response, grade, _rater in found] == ["3", "4"] * 6


@pytest.mark.parametrize("mark", ["", "-", "NA", "N/A", "null", "无", "—", "－", "#N/A", "未评分"])
def test_a_mark_of_a_missing_grade_is_no_grade(mark):
    rows = "".join(f"q{number},a,4,{mark if number % 3 else 5}\n" for number in range(9))
    found = read(f"prompt,response,grade_ann,grade_bo\n{rows}", LayoutChoice(scale=Scale(1, 5)))
    assert [grade for *_row, grade, rater in found if rater == "bo"] == ["5"] * 3
    assert [grade for *_row, grade, _rater in read(f"prompt,response,grade\na,b,{mark}\n")] == [""]


@pytest.mark.parametrize("as_array", [True, False])
def test_null_is_no_grade(as_array):
    rows = [
        json.dumps({"prompt": f"q{number}", "response": "a", "grade_ann": 4, "grade_bo": None if number % 3 else 5})
        for number in range(9)
    ]
    content = f"[{','.join(rows)}]" if as_array else "\n".join(rows)
    found = read(content, LayoutChoice(scale=Scale(1, 5)))
    assert [grade for *_row, grade, rater in found if rater == "bo"] == ["5"] * 3


def offered(content: str, columns: Mapping[str, str] = {}, scale: Scale = FIVE) -> tuple[list[str], list[str]]:
    """Return the columns that are offered as those of raters, and those that are taken for such."""
    choice = LayoutChoice(scale=scale, columns=columns)
    layout = preview(io.BytesIO(content.encode()), choice=choice).layout
    return [*layout.rater_columns], [*layout.raters]


NONE = {"grade": "", "rater": ""}


@pytest.mark.parametrize(
    ("columns", "raters"),
    [
        (["评分员1", "评分员2"], ["评分员1", "评分员2"]),
        (["annotator_1", "annotator_2"], ["annotator_1", "annotator_2"]),
        (["张三评分", "李四评分"], ["张三", "李四"]),
        (["ann_score", "bo_score"], ["ann", "bo"]),
        (["评分1"], ["1"]),
    ],
)
def test_a_column_of_grades_by_another_name_is_offered_and_read_once_it_is_chosen(columns, raters):
    content = f"提问,回复,id,{','.join(columns)}\na,b,1,{','.join('54x'[: len(columns)])}\n"
    graded = columns[: len(raters)]
    assert offered(content, NONE) == (graded, [])
    choice = LayoutChoice(scale=Scale(1, 5), columns=NONE, raters=graded)
    assert [rater for *_row, rater in read(content, choice)] == raters
    assert [rater for *_row, rater in read(content, LayoutChoice(scale=Scale(1, 5), columns=NONE))] == [""]


def test_a_column_that_is_matched_or_has_no_grades_is_not_offered():
    content = "提问,回复,序号,来源,评分1,评分2,长度,空列\na,b,1,2,3,4,55,\n"
    assert offered(content) == (["评分1", "评分2"], ["评分1", "评分2"])


@pytest.mark.parametrize("column", ["评分", "label", "评分人"])
def test_columns_of_raters_can_be_chosen_once_no_other_is_the_grade_or_the_rater(column):
    content = f"prompt,response,评分1,评分2,{column}\na,b,3,4,{'王' if column == '评分人' else 5}\n"
    assert offered(content) == ([], [])
    also = [] if column == "评分人" else [column]
    assert offered(content, NONE) == (["评分1", "评分2", *also], ["评分1", "评分2"])


@pytest.mark.parametrize(
    "names",
    ["评分（1-5分）,评分（理由）", "评分（理由）,评分（1-5分）", "score (1-5),score (notes)", "评分(1-5),评分(为什么)"],
)
def test_the_only_likely_column_in_brackets_is_the_grade_with_a_remark(names):
    cells = "通顺,4" if names.startswith("评分（理由") else "4,通顺"
    content = f"提问,回复,{names}\na,b,{cells}\nc,d,{cells}\n"
    assert read(content, LayoutChoice(scale=Scale(1, 5))) == [(2, "b", "4", ""), (3, "d", "4", "")]
    assert len(offered(content, NONE)[0]) == 1


def refused(content: str, **choice) -> list[tuple[int | None, str]]:
    rows = pairs.read(io.BytesIO(content.encode()), choice=LayoutChoice(scale=Scale(0, 5), **choice))
    return [(row.line, row.reason.code) for row in rows if isinstance(row, BadRow)]


@pytest.mark.parametrize("names", ["score (Ann),score (Ann) ,score (Bo)", "grade_Ann,Grade_Ann,grade_Bo"])
def test_two_columns_of_one_rater_are_both_read_and_chosen_apart(names):
    content = f"prompt,response,{names}\np,r,1,,2\nq,s,,3,\n"
    assert read(content) == [(2, "r", "1", "Ann"), (2, "r", "2", "Bo"), (3, "s", "3", "Ann")]
    first, second, bo = offered(content)[0]
    assert len({first, second, bo}) == 3
    assert read(content, LayoutChoice(raters=[second])) == [(2, "r", "", ""), (3, "s", "3", "Ann")]


@pytest.mark.parametrize(
    "names", ["grade,Grade", "评分,评分", "评分（1-5）,评分（1-5）", "score,rater,score", "id,grade,ID"]
)
def test_a_name_that_the_header_has_twice_refuses_the_file_where_it_would_be_read(names):
    content = f"prompt,response,{names}\na,b,{','.join('345'[: names.count(',') + 1])}\n"
    assert refused(content) == [(None, "duplicate_column")]
    assert refused(content, columns={"grade": "", "rater": "", "id": ""}) == []


def test_the_refusal_names_the_column_as_the_file_does():
    [row] = pairs.read(io.BytesIO("提问,回复,评分,评分\na,b,3,4\n".encode()))
    assert row.reason.params["column"] == "评分"


def test_a_person_and_a_grade_side_by_side_several_times_refuse_the_file():
    content = "prompt,response,rater,grade,rater,grade\nw,x,ann,1,bo,2\n"
    assert refused(content) == [(None, "raters_side_by_side")]


def test_columns_that_are_not_read_may_share_a_name():
    assert read("prompt,response,grade,note,note\na,b,3,x,y\n") == [(2, "b", "3", "")]
    assert refused("prompt,response,Ann,Ann,Bo\na,b,3,4,5\n") == []
    assert refused("prompt,response,Ann,Ann,Bo\na,b,3,4,5\n", raters=["Ann"]) == [(None, "duplicate_column")]


def test_a_column_of_the_exact_name_is_read_before_one_with_a_remark():
    content = "问题（英文）,问题,回复（原始）,回复,评分（张三）,评分（李四）,评分\nHi,在吗,hm,在,1,2,3\n"
    [pair] = pairs.read(io.BytesIO(content.encode()), choice=LayoutChoice(scale=Scale(0, 5)))
    assert (pair.prompt, pair.response, pair.grades) == ("在吗", "在", (GradeCell("3", ""),))


@pytest.mark.parametrize("empty", ["annotator", "评分员", "grade"])
def test_an_empty_column_of_raters_or_grades_leaves_the_columns_of_raters_alone(empty):
    content = f"prompt,response,grade_ann,grade_bo,{empty}\na,b,3,4,\nc,d,5,,\n"
    assert [(grade, rater) for *_row, grade, rater in read(content)] == [("3", "ann"), ("4", "bo"), ("5", "ann")]
    assert refused(content) == []


@pytest.mark.parametrize("cells", [["3分", "2分", "1分", "2"], ["?", "skip", "no", "1"]])
def test_a_column_of_a_rater_with_notes_among_its_grades_leaves_the_other_its_name(cells):
    rows = "".join(f"q{number},a,{cell},{number}\n" for number, cell in enumerate(cells))
    content = f"提问,回复,评分（张三）,评分（李四）\n{rows}"
    assert offered(content, scale=Scale(0, 3)) == (["评分（张三）", "评分（李四）"], ["评分（李四）"])
    choice = LayoutChoice(scale=Scale(0, 3))
    assert {rater for *_row, rater in read(content, choice)} == {"李四"}


@pytest.mark.parametrize("third", ["annotator_3", "标注员3", "王五评分", "cy_score"])
def test_a_column_named_like_one_of_raters_is_offered_though_its_first_cells_are_empty(third):
    rows = "".join(f"q{number},a,{number % 5 + 1},3,{'' if number < 250 else 4},,\n" for number in range(300))
    content = f"prompt,response,annotator_1,annotator_2,{third},notes,score_date\n{rows}"
    columns = ["annotator_1", "annotator_2", third]
    assert offered(content, NONE) == (columns, [])
    choice = LayoutChoice(scale=Scale(1, 5), columns=NONE, raters=columns)
    assert sum(1 for *_row, rater in read(content, choice) if rater in (third, "王五", "cy")) == 50


@pytest.mark.parametrize(
    ("rater", "name"),
    [({"username": "cy"}, "cy"), ({"id": 3, "email": "c@d.e"}, "c@d.e"), ({"age": 5}, ""), ("cy", "cy")],
)
def test_a_rater_who_is_an_object_has_the_name_in_it(rater, name):
    assert read(json.dumps({"prompt": "a", "response": "b", "grade": 3, "rater": rater})) == [(1, "b", "3", name)]
