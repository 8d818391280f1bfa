"""Grades from elsewhere, bots, releases and their files from the shell."""

import json
from hashlib import sha256
from inspect import GEN_CLOSED, getgeneratorstate
from pathlib import Path

import pandas
import pytest

from annotation.actions.projects import projects
from annotation.actions.queue import voiding
from annotation.exporters import FORMATS
from annotation.models import Item, Project, Rating
from annotation.selectors.releases import releases
from core.models import User
from tests import factories


@pytest.fixture
def grades(tmp_path):
    def write(*rows: str):
        path = tmp_path / "grades.csv"
        path.write_text("\n".join(["item,rater,grade", *rows]) + "\n", encoding="utf-8")
        return path

    return write


def test_a_project_is_made_with_its_settings(shell, db):
    printed = shell(
        "create_project", "quality", "--kind", "rating", "--set", "grades=-2..2", "--set", "raters=19", "--json"
    )
    assert printed.code == 0
    assert printed.json["settings"] | {"grades": "-2..2", "raters": 19} == printed.json["settings"]
    assert Project.objects.get().rating.raters == 19


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--kind", "rating"), 1),  # the slug is taken
        (("--kind", "rating", "--set", "grades"), 2),
        (("--kind", "poems"), 2),
        (("--kind", "rating", "--seed", "x"), 2),
        (("--kind", "rating", "--seed", "9" * 19), 2),
    ],
)
def test_a_project_that_cannot_be_made(shell, project, arguments, code):
    assert shell("create_project", "weibo", *arguments).code == code
    assert Project.objects.count() == 1


@pytest.mark.parametrize("wrong", ["mood=good", "raters=0", "grades=", "grades=5", "grades=1..", "grades=5..1"])
def test_a_setting_that_is_none_is_refused(shell, db, wrong):
    assert shell("create_project", "quality", "--kind", "rating", "--set", wrong).code == 1
    assert not Project.objects.exists()


def test_grades_of_another_scale_are_refused_with_the_scale_named(shell, project, grades):
    printed = shell("import_ratings", "weibo", grades("q1,ann,0", "q1,bob,3", "q2,ann,0"), "--json")
    assert (printed.code, [row["line"] for row in printed.json["rows_refused"]]) == (1, [2, 4])
    assert all("1..5" in row["reason"] for row in printed.json["rows_refused"])
    assert not Rating.objects.exists()


def test_grades_from_elsewhere_are_stored(shell, project, grades):
    path = grades("q1,ann,4", "q1,bob,5", "q2,ann,1")
    assert shell("import_ratings", "weibo", path, "--json").json == {
        "ratings": 3,
        "items": 2,
        "raters": 2,
        "duplicate": 0,
        "uncounted": 0,
        "refused": 0,
        "rows_refused": [],
    }
    printed = shell("import_ratings", "weibo", path)
    assert printed.code == 0
    assert printed.out == "0 grades by 2 raters stored; 0 items made, 3 grades were stored before.\n"


def test_gaps_are_left_out_and_counted(shell, project, grades):
    path = grades("q1,ann,4", "q1,bob,N/A (skipped)", "q2,ann,1", "q2,bob,9")
    printed = shell("import_ratings", "weibo", path, "--partial", "--json")
    assert (printed.code, printed.json["ratings"], printed.json["refused"]) == (0, 2, 2)
    assert [(row["line"], row["code"]) for row in printed.json["rows_refused"]] == [
        (3, "grade_no_number"),
        (5, "grade_outside"),
    ]
    assert shell("import_ratings", "weibo", grades("q3,ann,N/A"), "--partial").code == 1


def test_one_bad_grade_keeps_all_out(shell, project, grades):
    printed = shell("import_ratings", "weibo", grades("q1,ann,4", "q1,bob,9"), "--json")
    assert printed.code == 1
    assert printed.json["rows_refused"] == [
        {"file": "grades.csv", "line": 3, "code": "grade_outside", "reason": "the grade 9 is outside the scale 1..5"}
    ]
    assert printed.err.splitlines() == [
        "grades.csv, line 3: the grade 9 is outside the scale 1..5",
        "Nothing was stored: 1 row was refused.",
    ]
    assert not Rating.objects.exists()


def test_a_contradiction_is_refused_and_said(shell, project, grades):
    shell("import_ratings", "weibo", grades("q1,ann,4"))
    printed = shell("import_ratings", "weibo", grades("q1,ann,5"))
    assert printed.code == 1
    assert "ann" in printed.err
    assert list(Rating.objects.values_list("grade", flat=True)) == [4]


def test_all_grades_come_back_without_those_that_did_not_count(shell, project, researcher, tmp_path):
    factories.pairs(project, 3)
    shell("simulate_annotators", "weibo", "--people", "2")
    person = User.objects.get(username="weibo/bot-2")
    voiding.void_work(project=project, person=person, since=project.created_at, why="a trial", by=researcher)
    path = tmp_path / "all.csv"
    shell("export_ratings", "weibo", "--out", path)
    projects.create(slug="copy", kind="rating", by=researcher)
    done = shell("import_ratings", "copy", path, "--json").json
    assert (done["ratings"], done["uncounted"]) == (3, 3)
    assert "3 did not count where they come from" in shell("import_ratings", "copy", path).out


def test_grades_of_a_model_are_imported_as_such_and_printed_beside_people(shell, project, tmp_path):
    people, model = tmp_path / "people.csv", tmp_path / "model.csv"
    grades = [(n, grade) for n, grade in enumerate((1, 2, 3, 4, 5))]
    people.write_text("item,rater,grade\n" + "".join(f"q{n},ann,{g}\nq{n},bob,{min(g + 1, 5)}\n" for n, g in grades))
    model.write_text("item,grade\n" + "".join(f"q{n},{g}\n" for n, g in grades))
    shell("import_ratings", "weibo", people)
    done = shell("import_ratings", "weibo", model, "--model", "Qwen2.5", "--json").json
    assert (done["model"], done["grades"], done["duplicate"]) == ("Qwen2.5", 5, 0)
    assert shell("import_ratings", "weibo", model, "--model", "Qwen2.5").out == (
        "0 grades by the model Qwen2.5 stored, 5 grades were stored before.\n"
    )
    printed = shell("agreement", "weibo", "--bootstrap", "100").out
    assert "model Qwen2.5: 5 pairs that people graded" in printed
    assert "ann: n = 5, the person " in printed
    refused = shell("import_ratings", "weibo", people, "--model", "Qwen2.5")
    assert (refused.code, 'line 2: the rater "ann" is not the model Qwen2.5' in refused.err) == (1, True)
    assert shell("import_ratings", "weibo", model, "--model", "ann").code == 1
    assert shell("import_ratings", "weibo", model, "--model", "").code == 1


def test_a_type_of_another_grade_is_refused(shell, project, tmp_path):
    path = tmp_path / "typed.csv"
    path.write_text("item,rater,grade,type\nq1,ann,5,versatile\nq2,ann,5,interesting\n")
    printed = shell("import_ratings", "weibo", path)
    assert printed.code == 1
    assert 'line 2: the type "versatile" does not belong to grade 5; choose one of: ' in printed.err
    assert not Rating.objects.exists()


@pytest.mark.parametrize("people", ["0", "1001", "many", "-4"])
def test_so_many_bots_are_not_made(shell, project, people):
    before = User.objects.count()
    assert "a whole number from 1 to 1,000" in shell("simulate_annotators", "weibo", "--people", people).err
    assert User.objects.count() == before


def test_the_table_for_paying_is_a_csv_file(shell, project):
    days = ("--since", "2026-03-01", "--until", "2026-03-31")
    printed = shell("payable", "weibo", *days, "--out", "-")
    assert (printed.code, printed.err) == (2, "Let the name of the file end in .csv.")


def test_bots_rate_all_that_is_open(shell, project):
    factories.pairs(project, 10)
    done = shell("simulate_annotators", "weibo", "--json").json
    assert done == {"decisions": 0, "grades": 20, "people": 4, "open": 0}
    assert shell("simulate_annotators", "weibo", "--people", "1").code == 1
    assert shell("simulate_annotators", "weibo", "--kappa", "2").code == 1
    assert shell("simulate_annotators", "weibo", "--people", "many").code == 2


def test_a_release_is_frozen_and_written(shell, project, tmp_path):
    factories.pairs(project, 40)
    shell("simulate_annotators", "weibo")
    frozen = shell("freeze_release", "weibo", "--seed", "5", "--json").json
    assert frozen.keys() == {
        "release",
        "number",
        "checksum",
        "equal_to",
        "instances",
        "splits",
        "left_out",
        "guidelines",
        "variants",
    }
    assert (frozen["release"], sum(frozen["splits"].values())) == ("weibo@1", frozen["instances"])
    printed = shell("export_release", "weibo@1", "--format", "jsonl", "--out", tmp_path / "out", "--json")
    assert [path.rpartition("/")[2] for path in printed.json["files"]] == [
        "train.jsonl",
        "dev.jsonl",
        "test.jsonl",
        "release.json",
        "README.md",
    ]
    lines = b"".join((tmp_path / "out" / f"{split}.jsonl").read_bytes() for split in ("train", "dev", "test"))
    assert sha256(lines).hexdigest() == frozen["checksum"]
    assert json.loads((tmp_path / "out" / "release.json").read_text())["checksum"] == frozen["checksum"]


@pytest.mark.parametrize("format", FORMATS["rating"])
def test_every_format_says_what_it_is_and_gives_the_same_bytes_again(shell, project, tmp_path, format):
    factories.pairs(project, 40)
    shell("simulate_annotators", "weibo")
    shell("freeze_release", "weibo")
    first, again = (
        shell("export_release", "weibo", "--format", format, "--out", tmp_path / name, "--json").json["files"]
        for name in "ab"
    )
    assert [Path(path).read_bytes() for path in first] == [Path(path).read_bytes() for path in again]
    assert {"release.json", "README.md"} <= {Path(path).name for path in first}
    assert "The filter inflates the figures after it" in (tmp_path / "a/README.md").read_text()


def test_a_slug_alone_is_the_newest_release(shell, project, tmp_path):
    factories.pairs(project, 40)
    shell("simulate_annotators", "weibo")
    shell("freeze_release", "weibo")
    shell("freeze_release", "weibo", "--seed", "1")
    printed = shell("export_release", "weibo", "--format", "csv", "--out", tmp_path, "--json")
    assert printed.json["release"] == "weibo@2"


def test_a_release_with_the_content_of_an_earlier_one_is_said_to_be_equal_to_it(shell, project):
    factories.pairs(project, 40)
    shell("simulate_annotators", "weibo")
    shell("freeze_release", "weibo")
    assert "Equal to" not in shell("freeze_release", "weibo", "--seed", "1").out
    again = shell("freeze_release", "weibo").out.splitlines()
    assert again[-1] == "Equal to release 1: the same content and the same split."
    assert shell("freeze_release", "weibo", "--json").json["equal_to"] == 1
    assert shell("freeze_release", "weibo", "--seed", "2", "--json").json["equal_to"] is None


def test_pairs_without_a_source_are_told_from_the_others_in_the_statistics(shell, project, researcher):
    factories.pairs(project, 20)
    Item.objects.filter(position__gt=5).update(source="")
    shell("simulate_annotators", "weibo")
    shell("freeze_release", "weibo")
    sources = shell("release_statistics", "weibo", "--json").json["sources"]
    assert sources[""] > 0
    printed = shell("release_statistics", "weibo").out.splitlines()
    assert f"sources.(none): {sources['']}" in printed
    assert f"sources.tieba: {sources['tieba']}" in printed


def test_what_cannot_be_frozen_or_written(shell, project, tmp_path):
    assert shell("freeze_release", "weibo").code == 1
    assert shell("freeze_release", "nobody").code == 2
    assert shell("freeze_release", "weibo", "--seed", "1.5").code == 2
    assert shell("export_release", "weibo", "--format", "jsonl", "--out", tmp_path).code == 2
    factories.pairs(project, 20)
    shell("simulate_annotators", "weibo")
    assert shell("freeze_release", "weibo").code == 0
    assert shell("export_release", "weibo@2", "--format", "jsonl", "--out", tmp_path).code == 2
    assert shell("export_release", "weibo@x", "--format", "jsonl", "--out", tmp_path).code == 2
    assert shell("export_release", "weibo", "--format", "xlsx", "--out", tmp_path).code == 2
    (tmp_path / "file").touch()
    assert shell("export_release", "weibo", "--format", "jsonl", "--out", tmp_path / "file").code == 2


@pytest.mark.parametrize("format", FORMATS["rating"])
def test_nothing_is_left_being_read_where_the_folder_cannot_be_written(project, shell, tmp_path, format, monkeypatch):
    """An open reading makes Python print a warning when the connection to the database is closed."""
    factories.pairs(project, 20)
    shell("simulate_annotators", "weibo")
    shell("freeze_release", "weibo")
    (tmp_path / "file").touch()
    read, begun = releases.instances_of, []
    monkeypatch.setattr(releases, "instances_of", lambda *of: begun.append(read(*of)) or begun[-1])
    with pytest.raises(OSError):
        releases.write(releases.named("weibo", by=project.created_by), format=format, folder=tmp_path / "file")
    assert [getgeneratorstate(each) for each in begun] == [GEN_CLOSED]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_all_grades_are_written_to_a_file_whose_ending_says_the_format(shell, project, tmp_path, ending):
    factories.pairs(project, 20)
    shell("simulate_annotators", "weibo")
    out = tmp_path / f"grades.{ending}"
    printed = shell("export_ratings", "weibo", "--out", out, "--json").json
    assert printed == {"project": "weibo", "ratings": Rating.objects.count(), "file": str(out)}
    table = pandas.read_csv(out) if ending == "csv" else pandas.read_json(out, lines=True)
    assert len(table) == printed["ratings"]
    assert table["counted"].sum() == Rating.objects.counting().count()


def test_a_file_of_grades_that_cannot_be_written(shell, project, tmp_path):
    assert shell("export_ratings", "weibo", "--out", tmp_path / "grades.xlsx").code == 2
    assert ".csv or .jsonl" in shell("export_ratings", "weibo", "--out", tmp_path / "grades").err
    assert shell("export_ratings", "weibo", "--out", tmp_path / "no/where/grades.csv").code == 2
    assert shell("export_ratings", "weibo", "--out", tmp_path / "grades.txt", "--format", "csv").code == 0
    shell("create_project", "listening", "--kind", "rewriting")
    assert shell("export_ratings", "listening", "--out", tmp_path / "grades.csv").code == 1
