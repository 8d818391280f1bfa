"""Gold and qualification from the shell."""

import pytest

from annotation.models import Gold
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import choose, grade_all, import_rows, known


@pytest.fixture
def gold_file(tmp_path):
    def write(*rows: str, name: str = "gold.csv"):
        path = tmp_path / name
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("gold.csv", ["prompt,response,grade,type,explanation", "水开了吗,开了,3,versatile,都能答", "你好,你好,4,,"]),
        ("gold.tsv", ["prompt\tresponse\tgrade", "水开了吗\t开了\t3", "你好\t你好\t4"]),
        (
            "gold.jsonl",
            [
                '{"prompt": "水开了吗", "response": "开了", "grade": 3}',
                '{"prompt": "你好", "response": "你好", "grade": 4, "type": "natural"}',
            ],
        ),
    ],
)
def test_gold_is_stored_from_every_format(shell, project, gold_file, name, rows):
    path = gold_file(*rows, name=name)
    assert shell("import_gold", "weibo", path, "--json").json == {"stored": 2, "duplicate": 0, "corrected": 0}
    assert shell("import_gold", "weibo", path).out == "0 gold pairs stored; 2 were stored before.\n"
    assert sorted(Gold.objects.values_list("grade", flat=True)) == [3, 4]


def test_a_wrong_grade_is_corrected_when_that_is_meant(shell, project, gold_file):
    shell("import_gold", "weibo", gold_file("prompt,response,grade", "a,b,3", "c,d,2"))
    better = gold_file("prompt,response,grade,explanation", "a,b,4,it fits", "c,d,2,", "e,f,5,")
    refused = shell("import_gold", "weibo", better)
    assert "this pair is stored with the grade 3; to change it, tick" in refused.err
    done = shell("import_gold", "weibo", better, "--correct")
    assert done.out == "1 gold pair stored; 1 was stored before, 1 is corrected.\n"
    known = Gold.objects.order_by("grade").values_list("grade", "explanation")
    assert list(known) == [(2, ""), (4, "it fits"), (5, "")]


def test_one_bad_row_keeps_all_gold_out(shell, project, gold_file):
    printed = shell("import_gold", "weibo", gold_file("prompt,response,grade", "a,b,3", "c,d,9"), "--json")
    assert printed.code == 1
    assert printed.json["rows_refused"] == [
        {"file": "gold.csv", "line": 3, "code": "grade_outside", "reason": "the grade 9 is outside the scale 1..5"}
    ]
    assert printed.json["error"] == "Nothing was stored: 1 row was refused."
    assert not Gold.objects.exists()


def test_a_file_without_grades_is_refused(shell, project, gold_file):
    printed = shell("import_gold", "weibo", gold_file("prompt,response", "a,b"))
    assert printed.code == 1
    assert 'The column "grade" is missing' in printed.err


def test_qualification_lists_everybody_and_a_paused_person_is_let_go_on(shell, project, annotator):
    factories.pairs(project, 40)
    import_rows(project, known(40))
    choose(project, gold_first=50, gold_lowest=50, gold_window=5, gold_misses=3)
    grade_all(project, annotator, off=2)
    [an] = shell("qualification", "weibo", "--json").json["raters"]
    assert (an["user"], an["status"], an["gold"], an["missed"]) == ("an", "paused", 3, 3)
    assert "paused" in shell("qualification", "weibo").out
    assert shell("resume_rater", "weibo", "--user", "an", "--why", " ").code == 1
    assert shell("resume_rater", "weibo", "--user", "an", "--why", "talked", "--json").json == {"resumed": "an"}
    assert shell("qualification", "weibo", "--json").json["raters"][0]["status"] == "free"
    assert shell("resume_rater", "weibo", "--user", "an", "--why", "again").code == 1


def test_an_annotator_does_not_read_the_qualification_of_others(shell, project, annotator):
    assert shell("qualification", "weibo", "--as", "an").code == 1
    assert shell("resume_rater", "weibo", "--user", "an", "--why", "x", "--as", "an").code == 1
