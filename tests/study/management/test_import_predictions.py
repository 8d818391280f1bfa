"""import_predictions as a shell runs it."""

import json

import pytest

from study.models import Run
from tests.study.instances import kitchen

GOOD = ["d0\tA\tB\tC\tD", "d1\tA\tB\tC\tD", "d2\tC\tA\tB\tD"]


@pytest.fixture
def material(administrator):
    return kitchen(administrator, dev=4)


@pytest.fixture
def file(tmp_path):
    def written(*lines: str) -> str:
        path = tmp_path / "said.txt"
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    return written


def command(shell, file: str, *options: str, on: str = "kitchen:dev", label: str = "ours"):
    return shell("import_predictions", on, file, "--model", label, *options)


def test_it_prints_one_object_with_figures_and_what_is_missing(shell, material, file):
    printed = command(shell, file(*GOOD), "--json")
    found = printed.json
    assert printed.code == 0
    assert (found["model"], found["on"], found["n"], found["candidates"]) == ("ours", "kitchen:dev", 3, 4)
    assert (found["R@1"], found["predicted"], found["missing"], found["missing_ids"]) == (2 / 3, 3, 1, ["d3"])
    assert (found["refused"], found["refused_by"], found["created"]) == (0, {}, True)
    assert found["run"] == Run.objects.get().pk


def test_in_words_it_names_what_is_missing_and_what_was_refused(shell, material, file):
    printed = command(shell, file(*GOOD, "d9\tA\tB\tC\tD", json.dumps({"id": "d3", "scores": [1, 2]})), "--partial")
    assert printed.code == 0
    assert "2 rows refused and not stored: instance_unknown 1, scores_count 1" in printed.out
    assert "1 instance without a prediction, left out of all figures: d3" in printed.out
    assert "line 4" in printed.err and "line 5" in printed.err


def test_refused_rows_are_listed_with_line_and_code(shell, material, file):
    printed = command(shell, file(GOOD[0], '{"id": "d1", "scores": [0, 0, NaN, -Infinity]}', GOOD[0]), "--json")
    assert (printed.code, printed.json["code"], printed.json["stored"]) == (1, "rows_refused", 0)
    assert [(row["line"], row["code"]) for row in printed.json["rows_refused"]] == [
        (2, "score_not_finite"),
        (3, "predicted_twice"),
    ]
    assert not Run.objects.exists()


def test_again_it_says_that_all_is_stored(shell, material, file):
    first, again = (command(shell, file(*GOOD), "--json").json for _time in range(2))
    assert (again["created"], again["run"]) == (False, first["run"])
    assert f"stored already, as run {first['run']}" in command(shell, file(*GOOD)).out


def test_a_name_that_is_unknown_and_a_label_that_is_taken_are_refused(shell, material, file):
    assert command(shell, file(*GOOD), "--json", on="pantry").json["code"] == "no_such_source"
    command(shell, file(*GOOD))
    assert command(shell, file(*GOOD[:2]), "--json").json["code"] == "label_taken"
    assert command(shell, file(*GOOD[:2]), "--seed", "1").code == 0


def test_without_a_label_it_is_wrong_usage(shell, material, file):
    assert shell("import_predictions", "kitchen:dev", file(*GOOD)).code == 2
