"""The column of grades in a file of pairs: asked about, then stored as grades of people, as gold, or not at all."""

import io
import json

import pytest
from openpyxl import Workbook

from annotation.actions.cleaning import cleaning
from annotation.actions.imports import import_jobs, imports
from annotation.actions.imports.file_grades import MOST_RATERS
from annotation.actions.projects import bots
from annotation.actions.qualification.gold import store_gold_pairs
from annotation.actions.queue.voiding import void_grades
from annotation.importers.rows import GoldRow
from annotation.models import GradesAre, Import, Purpose, Rating, Slot
from core.actions.refusals import Refused
from core.models import User
from tests import factories
from tests.factories import checked, no_progress, stored

GRADED = "提问,回复,评分,标注员\n在吗,在的,5,mk\n在吗,在的,4,jp\n走吗,走,2,mk\n吃了吗,吃了,,\n"


def decided(file: Import, grades_are: GradesAre, rater: str = "") -> Import:
    """Read the file again with what its grades are."""
    job = import_jobs.decide_grades(received=file, grades_are=grades_are, rater=rater, by=file.created_by)
    job.delete()  # its work is done here
    file.refresh_from_db()
    return imports.check(received=file, report=no_progress, by=file.created_by)


def store(file: Import, *, partial: bool = False) -> Import:
    return imports.store(received=file, partial=partial, report=no_progress, by=file.created_by)


def given(project) -> set[tuple[str, str, int]]:
    """Return the grades that count: response, person, grade."""
    ratings = Rating.objects.counting().filter(assignment__slot__item__project=project)
    rows = ratings.values_list("assignment__slot__item__content__response", "assignment__person__username", "grade")
    return set(rows)


def refused(file: Import) -> list[tuple[int, str]]:
    return list(file.refused_rows.values_list("line", "code"))


def test_grades_are_counted_by_value_and_by_person_and_must_be_decided(project):
    file = checked(project, GRADED, "grades.csv")
    assert file.grades_found["values"] == {"5": 1, "4": 1, "2": 1, "": 1}
    assert (file.grades_found["raters"], file.grades_found["nameless"]) == ({"mk": 2, "jp": 1}, 0)
    with pytest.raises(Refused) as why:
        store(file)
    assert why.value.code == "grades_undecided"
    assert not project.items.exists()


def test_many_raters_are_no_grades_without_a_name(project):
    rows = "".join(f"在吗{number},在的,5,rater{number}\n" for number in range(MOST_RATERS + 1))
    file = checked(project, f"提问,回复,评分,标注员\n{rows}", "grades.csv")
    assert (len(file.grades_found["raters"]), file.grades_found["nameless"]) == (MOST_RATERS, 0)


def test_a_file_without_grades_is_stored_without_a_question(project):
    assert stored(project, "提问,回复,评分\n在吗,在的,\n", "pairs.csv").good == 1


def test_grades_count_for_their_people_and_the_pairs_wait_for_those_that_are_missing(project):
    file = store(decided(checked(project, GRADED, "grades.csv"), GradesAre.GRADES))
    assert given(project) == {("在的", "weibo/mk", 5), ("在的", "weibo/jp", 4), ("走", "weibo/mk", 2)}
    assert (file.good, file.grades) == (3, 3)
    free = dict(Slot.objects.filter(item__project=project).values_list("item__content__response", "free"))
    assert free == {"在的": 0, "走": 1, "吃了": 2}


def test_a_member_who_signs_in_by_the_name_is_the_person(project):
    mk = factories.person("MK", project=project)
    store(decided(checked(project, GRADED, "grades.csv"), GradesAre.GRADES))
    assert ("走", mk.username, 2) in given(project)
    assert not User.objects.filter(username="weibo/mk").exists()


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (f"提问,回复,评分,标注员\na,b,3,{'x' * 100}\n", "标注员"),
        (f"prompt,response,grade,rater\na,b,3,{'x' * 100}\n", "rater"),
        (json.dumps([{"提问": "a", "回复": "b", "评分": 3, "标注员": "x" * 100}]), "标注员"),
    ],
)
def test_the_whole_of_a_name_that_is_too_long_is_counted(project, content, column):
    [row] = checked(project, content, "grades.csv").refused_rows.all()
    assert (row.code, row.params) == ("cell_too_long", {"column": column, "length": 100, "limit": 80})


def test_grades_without_a_name_are_those_of_the_person_who_is_named(project):
    content = "prompt,response,score\na,b,3\nc,d,1\n"
    file = checked(project, content, "grades.csv")
    assert refused(decided(file, GradesAre.GRADES)) == [(2, "no_value"), (3, "no_value")]
    store(decided(file, GradesAre.GRADES, rater="mk"))
    assert given(project) == {("b", "weibo/mk", 3), ("d", "weibo/mk", 1)}


def test_grades_of_pairs_that_are_stored_already_come_in_and_the_same_file_again_adds_none(project):
    stored(project, "在吗\t在的\n")
    content = "prompt,response,grade,rater\n在吗,在的,4,mk\n"
    file = store(decided(checked(project, content, "grades.csv"), GradesAre.GRADES))
    assert (file.good, file.grades, file.duplicate) == (0, 1, 0)
    again = decided(checked(project, content, "grades.csv"), GradesAre.GRADES)
    with pytest.raises(Refused) as why:
        store(again)
    assert (why.value.code, again.duplicate) == ("nothing_new", 1)
    assert given(project) == {("在的", "weibo/mk", 4)}


def test_a_grade_that_cannot_be_taken_refuses_its_row_before_and_after_it_is_decided(project):
    content = "prompt,response,grade,rater\na,b,6,mk\nc,d,good,mk\ne,f,3,mk\ne,f,2,mk\n"
    file = checked(project, content, "grades.csv")
    bad = [(2, "grade_outside"), (3, "grade_no_number"), (5, "rated_twice")]
    assert (refused(file), file.grades_found["values"]) == (bad, {"other": 2, "3": 1, "2": 1})
    before = file.rows, file.good, file.only_grades, file.duplicate, file.refused
    file = decided(file, GradesAre.GRADES)
    assert (refused(file), before) == (bad, (4, 1, 0, 0, 3))
    assert before == (file.rows, file.good, file.only_grades, file.duplicate, file.refused)
    store(file, partial=True)
    assert given(project) == {("f", "weibo/mk", 3)}


def test_full_width_digits_are_read_and_a_unit_is_not(project):
    file = decided(
        checked(project, "提问,回复,评分,评分员\na,b,３,mk\nc,d,４．０,mk\ne,f,3分,mk\n", "grades.csv"),
        GradesAre.GRADES,
    )
    assert refused(file) == [(4, "grade_no_number")]
    store(file, partial=True)
    assert given(project) == {("b", "weibo/mk", 3), ("d", "weibo/mk", 4)}


MIXED = "prompt,response,grade,rater\n走吗,走,5,mk\n走吗,走,1,jp\n去哪,家,4,mk\n去哪,家,9,jp\n"


def test_another_grade_by_the_same_person_before_is_a_refused_row_and_the_others_are_stored(project):
    store(decided(checked(project, GRADED, "grades.csv"), GradesAre.GRADES))
    file = decided(checked(project, MIXED, "more.csv"), GradesAre.GRADES)
    assert refused(file) == [(2, "graded_before"), (5, "grade_outside")]
    assert (file.rows, file.good, file.refused, file.new_grades) == (4, 1, 2, 2)
    file = store(file, partial=True)
    assert (file.good, file.grades) == (1, 2)
    assert given(project) >= {("走", "weibo/mk", 2), ("走", "weibo/jp", 1), ("家", "weibo/mk", 4)}


def test_a_grade_that_came_in_since_the_check_refuses_once_and_then_its_row_alone(project):
    file = decided(checked(project, MIXED, "more.csv"), GradesAre.GRADES)
    assert (refused(file), file.good) == ([(5, "grade_outside")], 2)
    store(decided(checked(project, GRADED, "grades.csv"), GradesAre.GRADES))
    with pytest.raises(Refused) as why:
        store(file, partial=True)
    file.refresh_from_db()
    assert (why.value.code, refused(file)) == ("refused_since", [(2, "graded_before"), (5, "grade_outside")])
    assert (file.good, file.refused, ("家", "weibo/mk", 4) in given(project)) == (1, 2, False)
    file = store(file, partial=True)
    assert (file.good, file.grades) == (1, 2)


def test_a_rater_who_is_a_model_is_a_refused_row(project):
    project.grading_models.create(name="GPT", guideline=project.guidelines.get())
    content = "prompt,response,grade,rater\na,b,3,gpt\nc,d,4,mk\n"
    file = decided(checked(project, content, "grades.csv"), GradesAre.GRADES)
    assert refused(file) == [(2, "rater_is_model")]
    assert (store(file, partial=True).good, given(project)) == (1, {("d", "weibo/mk", 4)})


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("grades_are", [GradesAre.GRADES, GradesAre.GOLD])
def test_a_grade_that_a_new_scale_leaves_out_is_refused_before_anything_is_stored(project, grades_are, partial):
    file = decided(checked(project, "prompt,response,grade,rater\nq1,a1,3,tom\nq2,a2,1,tom\n", "a.csv"), grades_are)
    assert (refused(file), file.good) == ([], 2)
    project.settings = {**project.settings, "grades": "1..2"}
    project.save()
    with pytest.raises(Refused) as why:
        store(file, partial=partial)
    file.refresh_from_db()
    assert (why.value.code, refused(file)) == ("refused_since", [(2, "grade_outside")])
    assert (file.good, file.refused, project.items.count()) == (1, 1, 0)
    file = store(file, partial=True)
    assert [item.content["response"] for item in project.items.all()] == ["a2"]


REPEATED = "prompt,response,grade,rater\na,b,3,ann\na,b,3,ann\na,b,2,ann\na,b,4,bo\nc,d,9,bo\ne,f,,\n"


@pytest.mark.parametrize("grades_are", ["", *GradesAre])
def test_the_grades_that_would_be_stored_are_counted_alike_whatever_is_decided(project, grades_are):
    file = checked(project, REPEATED, "grades.csv")
    if grades_are:
        file = decided(file, grades_are)
    assert (file.new_grades, file.grades_found["raters"]) == (2, {"ann": 1, "bo": 1})
    assert file.grades_found["values"] == {"3": 2, "2": 1, "4": 1, "other": 1, "": 1}


def test_as_many_grades_are_stored_as_were_counted(project):
    file = decided(checked(project, REPEATED, "grades.csv"), GradesAre.GRADES)
    assert refused(file) == [(4, "rated_twice"), (6, "grade_outside")]
    assert (file.rows, file.good, file.only_grades, file.duplicate) == (6, 2, 1, 1)
    file = store(file, partial=True)
    assert (file.grades, given(project)) == (2, {("b", "weibo/ann", 3), ("b", "weibo/bo", 4)})


def test_another_persons_grade_of_a_pair_is_no_duplicate(project):
    tasks = [
        {
            "id": number,
            "data": {"prompt": f"q{number}", "response": "a"},
            "annotations": [
                {"completed_by": person, "result": [{"from_name": "grade", "type": "number", "value": {"number": 3}}]}
                for person in people
            ],
        }
        for number, people in enumerate([(1, 2), (1, 2), (1, 2), (1, 2), (1,)])
    ]
    file = decided(checked(project, json.dumps(tasks), "tasks.json"), GradesAre.GRADES)
    assert (file.rows, file.good, file.new_grades, file.duplicate) == (9, 5, 9, 0)
    file = store(file)
    assert (file.good, file.grades, file.duplicate, file.duplicate_rows.count()) == (5, 9, 0, 0)
    again = decided(checked(project, json.dumps(tasks), "tasks.json"), GradesAre.GRADES)
    assert (again.good, again.new_grades, again.duplicate, again.takes_grades) == (0, 0, 9, False)


def test_grades_of_gold_pairs_are_not_promised_and_make_no_person(project):
    content = "prompt,response,grade,rater\na,b,3,zoe\nc,d,4,zoe\n"
    store(decided(checked(project, content, "gold.csv"), GradesAre.GOLD))
    file = decided(checked(project, content, "gold.csv"), GradesAre.GRADES)
    assert (file.new_grades, file.grades_found["of_gold"], file.takes_grades) == (0, 2, False)
    with pytest.raises(Refused) as why:
        store(file)
    assert why.value.code == "nothing_new"
    file = store(decided(checked(project, f"{content}e,f,5,mk\n", "more.csv"), GradesAre.GRADES))
    assert (file.grades, given(project)) == (1, {("f", "weibo/mk", 5)})
    assert not User.objects.filter(username="weibo/zoe").exists()


IN_COLUMNS = "提问,回复,评分1,评分 张三\n在吗,在,5,4\n走吗,走,,2\n吃了吗,吃了,,\n"


def test_grades_in_a_column_for_each_rater_are_asked_about_and_stored(project):
    file = checked(project, IN_COLUMNS, "sheet.csv")
    assert (file.must_decide, file.grades_found["raters"]) == (True, {"张三": 2, "1": 1})
    assert (file.rows, file.good, file.only_grades, file.duplicate) == (3, 3, 0, 0)
    assert file.grades_found["values"] == {"5": 1, "4": 1, "2": 1, "": 3}
    file = store(decided(file, GradesAre.GRADES))
    assert given(project) == {("在", "weibo/1", 5), ("在", "weibo/张三", 4), ("走", "weibo/张三", 2)}
    assert (file.rows, file.good, file.only_grades, file.grades) == (3, 3, 0, 3)


def test_a_row_is_taken_with_all_its_grades_or_not_at_all(project):
    content = "提问,回复,评分1,评分2\n在吗,在,5,不知道\n走吗,走,3,\n在吗,在,4,4\n"
    file = checked(project, content, "sheet.csv")
    assert (refused(file), file.rows, file.good, file.new_grades) == ([(2, "grade_no_number")], 3, 2, 3)
    store(decided(file, GradesAre.GRADES), partial=True)
    assert given(project) == {("走", "weibo/1", 3), ("在", "weibo/1", 4), ("在", "weibo/2", 4)}


@pytest.mark.parametrize("names", ["评分 张三,评分 张三（第二次）", "评分1,评分１"])
def test_two_columns_of_the_same_rater_are_called_so(project, names):
    file = checked(project, f"提问,回复,{names}\n在吗,在,5,4\n走吗,走,3,3\n", "sheet.csv")
    assert refused(file) == [(2, "columns_of_one_rater")]
    assert file.grades_found["repeated"] == 1


def test_a_file_whose_grades_are_all_stored_leaves_nothing_to_decide(project):
    store(decided(checked(project, IN_COLUMNS, "sheet.csv"), GradesAre.GRADES))
    again = checked(project, IN_COLUMNS, "again.csv")
    assert (again.duplicate, again.must_decide, again.awaits_decision) == (3, False, False)
    with pytest.raises(Refused) as why:
        store(again)
    assert why.value.code == "nothing_new"
    assert checked(project, f"{IN_COLUMNS}去哪,家,1,9\n", "more.csv").must_decide  # its refused row may be a pair


def test_the_same_columns_of_raters_again_are_duplicates_of_the_earlier_file(project):
    store(decided(checked(project, IN_COLUMNS, "sheet.csv"), GradesAre.GRADES))
    again = decided(checked(project, IN_COLUMNS, "again.csv"), GradesAre.GRADES)
    assert (again.rows, again.good, again.only_grades, again.duplicate) == (3, 0, 0, 3)
    first = again.duplicate_rows.values_list("line", "first_line", "first_file")
    assert list(first) == [(2, 2, "sheet.csv"), (3, 3, "sheet.csv"), (4, 4, "sheet.csv")]


def test_digits_of_another_width_name_the_same_people(project):
    store(decided(checked(project, "提问,回复,评分1,评分2\na,b,5,4\n", "half.csv"), GradesAre.GRADES))
    store(decided(checked(project, "提问,回复,评分１,评分２\nc,d,3,2\n", "full.csv"), GradesAre.GRADES))
    content = "提问,回复,评分,评分员\ne,f,1,１\n"
    store(decided(checked(project, content, "long.csv"), GradesAre.GRADES))
    store(decided(checked(project, "提问,回复,评分\ng,h,1\n", "one.csv"), GradesAre.GRADES, rater="１"))
    assert {rater for _response, rater, _grade in given(project)} == {"weibo/1", "weibo/2"}


def test_people_who_were_stored_under_a_name_of_another_width_stay_the_same(project, researcher):
    bots.without_sign_in(project=project, login="１", name="１", by=researcher)
    store(decided(checked(project, "提问,回复,评分１,评分２\nc,d,3,2\n", "full.csv"), GradesAre.GRADES))
    assert ("d", "weibo/１", 3) in given(project)


def test_where_grades_are_left_out_a_second_one_makes_no_duplicate(project):
    file = decided(checked(project, IN_COLUMNS, "sheet.csv"), GradesAre.OUT)
    assert (file.rows, file.good, file.only_grades, file.duplicate) == (3, 3, 0, 0)
    store(file)
    again = decided(checked(project, IN_COLUMNS, "sheet.csv"), GradesAre.OUT)
    assert (again.good, again.duplicate, given(project)) == (0, 3, set())


def test_where_all_grades_are_refused_the_choice_stays_open(project):
    file = decided(checked(project, "prompt,response,grade\na,b,3\n", "grades.csv"), GradesAre.GRADES)
    assert (file.grades_found["nameless"], file.takes_grades) == (1, False)
    with pytest.raises(Refused) as why:
        store(file, partial=True)
    assert why.value.code == "nothing_new"


def test_gold_enters_as_gold_and_rows_without_a_grade_are_refused(project):
    file = decided(checked(project, "prompt,response,grade\na,b,5\nc,d,\na,b,4\n", "gold.csv"), GradesAre.GOLD)
    assert refused(file) == [(3, "no_value"), (4, "gold_twice")]
    store(file, partial=True)
    assert [(item.purpose, item.gold.grade) for item in project.items.all()] == [(Purpose.GOLD, 5)]


def test_left_out_the_pairs_alone_are_stored(project):
    store(decided(checked(project, GRADED, "grades.csv"), GradesAre.OUT))
    assert (project.items.count(), given(project)) == (3, set())


def test_where_no_grades_are_taken_another_row_of_a_pair_is_a_duplicate(project):
    file = store(decided(checked(project, GRADED, "grades.csv"), GradesAre.OUT))
    assert (file.rows, file.good, file.only_grades, file.duplicate) == (4, 3, 0, 1)


def test_gold_has_one_grade_in_all_its_columns(project):
    content = "提问,回复,评分1,评分2\n在吗,在,5,4\n走吗,走,3,3\n好吗,好,2,\n"
    file = decided(checked(project, content, "gold.csv"), GradesAre.GOLD)
    assert refused(file) == [(2, "gold_grades_differ")]
    store(file, partial=True)
    assert {(item.content["response"], item.gold.grade) for item in project.items.all()} == {("走", 3), ("好", 2)}


def test_a_duplicate_of_gold_names_the_file_that_it_came_from(project):
    content = "prompt,response,grade\na,b,5\n"
    store(decided(checked(project, content, "gold.csv"), GradesAre.GOLD))
    file = checked(project, "prompt,response\nx,y\na,b\n", "pairs.csv")
    assert list(file.duplicate_rows.values_list("line", "first_line", "first_file")) == [(3, 2, "gold.csv")]


def test_a_duplicate_of_gold_without_an_import_names_no_line(project, researcher):
    rows = [GoldRow(7, "a", "b", 5)]
    store_gold_pairs(project=project, rows=rows, file_name="gold.csv", by=researcher)
    file = checked(project, "prompt,response\na,b\n", "pairs.csv")
    assert list(file.duplicate_rows.values_list("line", "first_line", "first_file")) == [(2, None, "")]


def test_a_column_of_a_rater_that_a_new_scale_leaves_out_stores_nothing_unseen(project):
    content = "提问,回复,评分1,评分2\na,b,3,1\nc,d,4,2\n"
    file = decided(checked(project, content, "sheet.csv"), GradesAre.GRADES)
    project.settings = {**project.settings, "grades": "1..2"}
    project.save()
    with pytest.raises(Refused) as why:
        store(file)
    file.refresh_from_db()
    assert (why.value.code, file.new_grades, project.items.count()) == ("refused_since", 2, 0)


def test_different_grades_in_two_columns_of_one_name_refuse_their_row(project):
    content = "prompt,response,score (Ann),score (Ann) ,score (Bo)\np1,r1,1,1,2\np2,r2,1,,2\np3,r3,1,2,2\n"
    file = decided(checked(project, content, "twice.csv"), GradesAre.GRADES)
    assert refused(file) == [(4, "columns_of_one_rater")]
    store(file, partial=True)
    ann, bo = f"{project.slug}/Ann", f"{project.slug}/Bo"
    assert given(project) == {("r1", ann, 1), ("r1", bo, 2), ("r2", ann, 1), ("r2", bo, 2)}


ONE_PERSON = "prompt,response,grade,rater\na,b,1,Ann\na,b,3,ａｎｎ\nc,d,2,ann \ne,f,1,ANN\ne,f,1,ann\n"


def test_names_that_differ_in_case_or_width_are_one_person_under_the_first_spelling(project):
    file = decided(checked(project, ONE_PERSON, "grades.csv"), GradesAre.GRADES)
    assert (refused(file), file.grades_found["raters"]) == ([(3, "rated_twice")], {"Ann": 3})
    file = store(file, partial=True)
    assert (file.grades, given(project)) == (3, {(text, "weibo/Ann", 2 if text == "d" else 1) for text in "bdf"})
    again = decided(checked(project, ONE_PERSON, "grades.csv"), GradesAre.GRADES)
    assert (refused(again), again.new_grades, again.takes_grades) == ([(3, "rated_twice")], 0, False)


def test_a_member_whose_name_is_spelt_in_two_ways_contradicts_themselves_before_anything_is_stored(project):
    factories.person("ines", project=project)
    content = "prompt,response,grade,rater\na,b,1,ines\na,b,2,ＩＮＥＳ\nc,d,2,Ines\n"
    file = decided(checked(project, content, "grades.csv"), GradesAre.GRADES)
    assert (refused(file), file.new_grades) == ([(3, "rated_twice")], 2)
    assert store(file, partial=True).grades == 2


def test_two_columns_whose_names_differ_in_case_are_of_one_rater(project):
    file = checked(project, "prompt,response,grade Ann,grade_ann\na,b,1,2\nc,d,2,2\n", "sheet.csv")
    assert (refused(file), file.new_grades) == ([(2, "columns_of_one_rater")], 1)


def workbook(*rows: tuple[object, ...]) -> bytes:
    """Return a workbook of one sheet; its formulas have no stored value."""
    book, content = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(content)
    return content.getvalue()


def test_a_formula_without_a_value_in_a_column_of_grades_refuses_its_row(project):
    header = ("prompt", "response", "score (Ann)", "score (Bo)")
    rows = [("a", "b", "=1+1", 2), ("c", "d", 1, "#DIV/0!"), ("e", "f", 3, "#N/A"), ("g", "h", 3, 4)]
    file = checked(project, workbook(header, *rows), "sheet.xlsx")
    told = list(file.refused_rows.values_list("line", "code", "params__column"))
    assert told == [(2, "formula_without_value", "score (Ann)"), (3, "cell_error", "score (Bo)")]
    assert (file.new_grades, file.grades_found["values"]["other"]) == (3, 2)
    assert refused(decided(file, GradesAre.GOLD)) == [
        (2, "formula_without_value"),
        (3, "cell_error"),
        (5, "gold_grades_differ"),
    ]
    assert refused(decided(file, GradesAre.OUT)) == []


def test_a_formula_without_a_value_in_the_column_of_raters_refuses_its_row_where_they_are_taken(project):
    content = workbook(
        ("提问", "回复", "评分", "评分员"), ("a", "b", 2, '="李"&"四"'), ("c", "d", 3, "张三"), ("e", "f", None, "=A1")
    )
    file = decided(checked(project, content, "sheet.xlsx"), GradesAre.GRADES, rater="mk")
    assert list(file.refused_rows.values_list("line", "params__column")) == [(2, "评分员")]
    assert (file.grades_found["nameless"], file.new_grades) == (0, 1)
    assert refused(decided(file, GradesAre.GOLD)) == [(4, "no_value")]


COUNTED = "prompt,response,grade,rater,counted\na,b,1,ann,False\na,b,3,ann,True\nc,d,2,ann,no\ne,f,9,bo,0\ng,h,2,bo,\n"


def test_grades_that_do_not_count_where_they_come_from_are_counted_and_not_stored(project):
    file = decided(checked(project, COUNTED, "ratings.csv"), GradesAre.GRADES)
    assert (refused(file), file.new_grades, file.good, file.grades_found["uncounted"]) == ([], 2, 4, 3)
    assert file.grades_found["values"] == {"3": 1, "2": 1}
    store(file)
    assert given(project) == {("b", "weibo/ann", 3), ("h", "weibo/bo", 2)}


def test_a_file_none_of_whose_grades_count_says_so(project):
    file = checked(project, "prompt,response,grade,rater,counted\na,b,3,ann,no\nc,d,2,ann,0.0\n", "voided.csv")
    assert (file.grades_found["uncounted"], file.new_grades, file.good) == (2, 0, 2)


@pytest.mark.parametrize("counted", ["0", "0.0", "false"])
def test_whether_a_grade_counts_may_be_a_number_of_json(project, counted):
    row = '{"prompt": "a", "response": "b", "grade": 3, "rater": "ann", "counted": %s}'
    file = checked(project, row % counted, "grades.jsonl")
    assert (refused(file), file.good, file.grades_found["uncounted"]) == ([], 1, 1)


def test_two_columns_that_say_whether_a_grade_counts_refuse_the_file(project):
    content = "prompt,response,grade,rater,counted,counted\na,b,3,ann,no,yes\n"
    assert refused(checked(project, content, "grades.csv")) == [(None, "duplicate_column")]


def test_a_gold_pair_has_the_grade_that_counts(project):
    file = decided(checked(project, COUNTED, "ratings.csv"), GradesAre.GOLD)
    assert refused(file) == [(2, "no_value"), (4, "no_value"), (5, "no_value")]
    store(file, partial=True)
    assert {(item.content["response"], item.gold.grade) for item in project.items.all()} == {("b", 3), ("h", 2)}


def test_another_grade_beside_a_voided_one_is_refused_as_such(project, researcher):
    content = "prompt,response,grade,rater\na,b,3,ann\nc,d,4,ann\n"
    store(decided(checked(project, content, "grades.csv"), GradesAre.GRADES))
    void_grades(items=project.items.filter(content__response="b"), project=project, why="by mistake", by=researcher)
    content = "prompt,response,grade,rater\na,b,1,ann\nc,d,1,ann\n"
    file = decided(checked(project, content, "others.csv"), GradesAre.GRADES)
    assert refused(file) == [(2, "graded_and_voided"), (3, "graded_before")]


def test_grades_of_cleaned_pairs_are_not_promised_and_not_stored(project, researcher):
    stored(project, "a\tb\nc\td\n")
    cleaning.remove(list(project.items.filter(content__response="b")), project=project, by=researcher)
    content = "prompt,response,grade,rater\na,b,3,di\nc,d,4,di\n"
    file = decided(checked(project, content, "grades.csv"), GradesAre.GRADES)
    assert (file.new_grades, file.grades_found["of_cleaned"], file.grades_found["raters"]) == (1, 1, {"di": 1})
    assert (store(file).grades, given(project)) == (1, {("d", "weibo/di", 4)})


def test_refusals_name_the_columns_of_raters_that_the_file_has(project):
    rows = [("提问", "回复", "评分（张三）", "评分（李四）"), ("a", "b", 3, 3), ("c", "d", None, None)]
    file = decided(checked(project, workbook(*rows), "sheet.xlsx"), GradesAre.GOLD)
    assert list(file.refused_rows.values_list("code", "params__column")) == [("no_value", "评分（张三）, 评分（李四）")]
    name = "a" * 90
    file = checked(project, f"prompt,response,score (Bo),score ({name})\na,b,3,3\n", "sheet.csv")
    [row] = file.refused_rows.all()
    assert (row.code, row.params["column"][:19]) == ("cell_too_long", "score (Bo), score (")
