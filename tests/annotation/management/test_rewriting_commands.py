"""Rewriting from the shell: make, import, simulate, freeze, statistics, export."""

import json
from hashlib import sha256

import pytest

from annotation.models import Item, Project
from tests.rewriting import file_of, question


@pytest.fixture
def items_file(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text(file_of([question(number) for number in range(12)]), encoding="utf-8")
    return path


def test_the_whole_way_from_a_file_to_mutual_s_folders(shell, items_file, tmp_path):
    made = shell("create_project", "listening", "--kind", "rewriting", "--set", "inspectors=2", "--json").json
    assert made["settings"] == {"inspectors": 2, "rounds": 3, "lease_minutes": 240, "per_day": 30}
    assert shell("import_items", "listening", items_file, "--format", "jsonl", "--json").json == {
        "rows": 12, "stored": 12, "double": 0, "refused": 0, "rows_refused": [], "rows_double": [],
    }  # fmt: skip
    done = shell("simulate_annotators", "listening", "--people", "5", "--seed", "1", "--json").json
    assert (done["people"], done["written"] >= 11) == (5, True)
    frozen = shell("freeze_release", "listening", "--json").json
    kept = Item.objects.filter(state="kept").count()
    assert (frozen["release"], frozen["instances"], sum(frozen["splits"].values())) == ("listening@1", kept, kept)

    table = shell("release_statistics", "listening", "--json").json
    assert (table["release"], table["pairs"], table["questions"], table["dialogues"]) == ("listening@1", kept, 12, 12)
    assert set(table["vocabulary"]) == {"context", "response", "both"}
    assert set(table["splits"]) == {"train", "dev", "test"}
    assert f"pairs: {kept}" in shell("release_statistics", "listening@1").out.splitlines()

    shell("export_release", "listening", "--format", "jsonl", "--out", tmp_path / "jsonl")
    content = b"".join((tmp_path / "jsonl" / f"{split}.jsonl").read_bytes() for split in ("train", "dev", "test"))
    assert sha256(content).hexdigest() == frozen["checksum"]
    written = shell("export_release", "listening", "--format", "mutual", "--out", tmp_path / "mutual", "--json").json
    assert written["left_out"] == {}
    assert len(list((tmp_path / "mutual").rglob("*.txt"))) == kept
    first = json.loads((tmp_path / "mutual/train/train_1.txt").read_text())
    assert list(first) == ["answers", "options", "article", "id"]


def test_a_refused_row_stops_the_file_unless_the_rest_is_wanted(shell, tmp_path):
    shell("create_project", "listening", "--kind", "rewriting")
    path = tmp_path / "dream.json"
    asked = {"question": "When?", "choice": ["a", "b", "c"], "answer": "a"}
    path.write_text(json.dumps([[["M: x", "W: y"], [asked, asked | {"answer": "d"}], "1"]]))
    stopped = shell("import_items", "listening", path, "--format", "dream", "--json")
    assert (stopped.code, stopped.json["stored"]) == (1, 0)
    assert stopped.json["rows_refused"] == [
        {
            "file": "dream.json", "line": 1, "record": 1, "dialogue": "1", "code": "answer_no_choice",
            "reason": 'the answer "d" is none of the choices',
        }
    ]  # fmt: skip
    in_words = shell("import_items", "listening", path, "--format", "dream").err
    assert in_words.splitlines()[0] == 'dream.json, line 1, record 1 (1): the answer "d" is none of the choices'
    partial = shell("import_items", "listening", path, "--format", "dream", "--partial", "--json")
    assert (partial.code, partial.json["stored"], partial.json["refused"]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("rewriting", ["import_pairs", "other", "FILE"]),
        ("rewriting", ["import_ratings", "other", "FILE"]),
        ("rating", ["import_items", "other", "FILE", "--format", "jsonl"]),
    ],
)
def test_a_file_for_another_kind_of_project_is_refused(shell, items_file, kind, command):
    shell("create_project", "other", "--kind", kind)
    answer = shell(*[items_file if word == "FILE" else word for word in command], "--json")
    assert (answer.code, answer.json["code"]) == (1, "kind_wrong")
    assert not Item.objects.exists()


def test_a_format_of_another_kind_of_release_is_refused(shell, tmp_path):
    shell("create_project", "forum", "--kind", "rating")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("prompt\tresponse\n" + "".join(f"第{n}问\t第{n}答\n" for n in range(20)), encoding="utf-8")
    shell("import_pairs", "forum", pairs)
    shell("simulate_annotators", "forum")
    frozen = shell("freeze_release", "forum", "--json").json
    assert shell("release_statistics", "forum", "--json").json["pairs"] == frozen["instances"]
    answer = shell("export_release", "forum", "--format", "mutual", "--out", tmp_path / "out", "--json")
    assert (answer.code, answer.json["code"]) == (1, "format_wrong")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("chosen", ["inspectors=3", "rounds=0", "raters=2", "lease_minutes=often"])
def test_a_setting_that_a_rewriting_project_cannot_have_is_refused(shell, chosen):
    assert shell("create_project", "listening", "--kind", "rewriting", "--set", chosen).code == 1
    assert not Project.objects.exists()
