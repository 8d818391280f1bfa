"""MuTual's folder format, read back as others read it."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from annotation.exporters import mutual
from annotation.exporters.canonical import REWRITTEN_FIELDS, line
from annotation.exporters.csv import write as write_csv


def instance(number: int = 1, split: str = "train", speakers: str = "WMW", **changed: Any) -> dict[str, Any]:
    *context, speaker = speakers
    return {
        "id": f"q{number}",
        "split": split,
        "context": [{"text": f"Turn {position}.", "speaker": who} for position, who in enumerate(context)],
        "speaker": speaker,
        "candidates": ["A one.", "B two.", "C three.", "D four."],
        "answer": 2,
        "parts": [1, 2, 0, 3],
        "question": "Why?",
        "conversation": "c0ffee",
        "author": "r1",
        "source": "",
        "topic": "",
        **changed,
    }


def written(tmp_path: Path, *instances: dict[str, Any]) -> Path:
    mutual.write(instances, tmp_path, {})
    return tmp_path


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def test_each_instance_is_a_file_with_answers_options_article_and_id(tmp_path):
    folder = written(tmp_path, instance(1), instance(2), instance(3, "dev"), instance(4, "test"))
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.txt")) == [
        "dev/dev_1.txt",
        "test/test_1.txt",
        "train/train_1.txt",
        "train/train_2.txt",
    ]
    assert read(folder / "train/train_1.txt") == {
        "answers": "C",
        "options": ["f : A one.", "f : B two.", "f : C three.", "f : D four."],
        "article": "f : Turn 0. m : Turn 1.",
        "id": "train_1",
    }
    assert list(read(folder / "train/train_1.txt")) == ["answers", "options", "article", "id"]


def test_ids_say_which_of_ours_each_file_is_and_whether_inspectors_saw_it(tmp_path):
    folder = written(tmp_path, instance(7, "dev"), {**instance(9, "dev"), "inspected": False})
    with (folder / "ids.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["file", "id", "inspected"],
            ["dev_1", "q7", "true"],
            ["dev_2", "q9", "false"],
        ]


@pytest.mark.parametrize(
    ("speakers", "letters"),
    [
        (["M", "W", "M"], "mfm"),
        (["Woman", "Man", "Woman"], "fmf"),
        (["Tom", "Ann", "Tom"], "mfm"),  # not known: by order of appearance
        (["Tom", "W", "Tom"], "mfm"),
        (["Tom", "M", "Tom"], "fmf"),
        (["W1", "W2", "W1"], "mfm"),  # the same of both: by order of appearance
        (["W", "Tom", "Tom"], "fmm"),
        (["W", "W", "M"], "ffm"),
        (["F", "F", "F"], "fff"),
        (["M", "w", "m"], "mfm"),  # one label, spelt in two ways
        (["Tom", "Ann", "TOM."], "mfm"),
        (["M", "W", "\N{FULLWIDTH LATIN CAPITAL LETTER M}"], "mfm"),
    ],
)
def test_two_speakers_are_m_and_f_by_what_is_known_of_them_or_by_order(tmp_path, speakers, letters):
    changed = {"context": [{"speaker": who, "text": "x"} for who in speakers[:-1]], "speaker": speakers[-1]}
    found = read(written(tmp_path, instance(**changed)) / "train/train_1.txt")
    assert re.findall(r"[mf](?= :)", found["article"]) == list(letters[:-1])
    assert {option[0] for option in found["options"]} == {letters[-1]}


def test_more_than_two_speakers_are_left_out_counted_and_named(tmp_path):
    folder = written(tmp_path, instance(1, speakers="WMX"), instance(2, speakers="WMXW"), instance(3))
    assert [path.name for path in folder.rglob("*.txt")] == ["train_1.txt"]
    with (folder / "left_out.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["id", "reason"],
            ["q1", "more than two speakers"],
            ["q2", "more than two speakers"],
        ]
    assert mutual.left_out(instance(speakers="WMX")) == "more than two speakers"
    assert mutual.left_out(instance()) == ""


def test_what_would_read_as_a_turn_within_a_text_does_not(tmp_path):
    text = "At 3 p.m : fine, or m : say\nso."
    found = read(written(tmp_path, instance(context=[{"speaker": "W", "text": text}])) / "train/train_1.txt")
    assert found["article"] == "f : At 3 p.m : fine, or m: say so."
    assert len(re.findall(r"(?:^|\s)[mf] :", found["article"])) == 1


def test_the_same_release_gives_the_same_bytes(tmp_path):
    instances = [instance(number, split) for split in ("train", "dev", "test") for number in range(3)]
    first, second = (written(tmp_path / name, *instances) for name in "ab")
    names = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert [(first / name).read_bytes() for name in names] == [(second / name).read_bytes() for name in names]


def test_an_instance_has_one_canonical_line_whatever_order_a_database_gives_its_keys_in():
    turned = dict(reversed(instance().items()))
    turned["context"] = [dict(sorted(turn.items())) for turn in turned["context"]]
    assert line(turned) == line(instance())
    assert list(json.loads(line(turned))) == list(REWRITTEN_FIELDS)
    assert list(json.loads(line(turned))["context"][0]) == ["speaker", "text"]


def test_csv_has_the_same_columns_in_every_split(tmp_path):
    paths = write_csv([instance()], tmp_path, {})
    for path in paths:
        with path.open(newline="") as file:
            assert next(csv.reader(file)) == list(REWRITTEN_FIELDS)
