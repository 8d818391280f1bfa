"""MuTual's folders: which files are meant, what an instance must have, and the order of the rows."""

import json
import random

import pytest

from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers import mutual
from annotation.importers.archive import Member
from annotation.importers.dialogues import DialogueRow, Recipe
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow
from tests.corpora import folder_of, instance, mutual_files


@pytest.fixture
def read(tmp_path):
    def rows(files):
        members = []
        for number, (name, content) in enumerate(folder_of(files).items()):
            path = tmp_path / str(number)
            path.write_bytes(content)
            members.append(Member(name, path))
        random.Random(5).shuffle(members)
        return list(mutual.read(members, ImportLedger(), Recipe()))

    return rows


def one(read, **details):
    [row] = read({"mutual/dev/dev_1.txt": instance(1, **details)})
    return row


def test_an_instance_has_turns_candidates_and_the_number_of_the_right_one(read):
    row = one(read)
    assert row == DialogueRow(
        id="dev_1",
        split="dev",
        answer=2,
        turns=[
            {"speaker": "m", "text": "lamp 1 is broken ."},
            {"speaker": "f", "text": "which one , the 1th ?"},
            {"speaker": "m", "text": "yes ."},
        ],
        candidates=[
            "m : buy lamp number 1 .",
            "m : sell lamp number 1 .",
            "m : mend lamp number 1 .",
            "m : paint lamp number 1 .",
        ],
    )


@pytest.mark.parametrize("blank", [" ", "", None])
def test_a_blank_answer_stays_unknown(read, blank):
    assert one(read, answers=blank).answer is None


def test_rows_come_by_variant_split_and_number_whatever_the_archive_order(read):
    files = {
        **mutual_files(2, 10, 1, split="train"),
        **mutual_files(3),
        **mutual_files(1, split="test"),
        **mutual_files(10, 2, split="train", variant="mutual_plus"),
    }
    rows = [(row.is_variant, row.id) for row in read(files)]
    assert rows == [
        (False, "train_1"),
        (False, "train_2"),
        (False, "train_10"),
        (False, "dev_3"),
        (False, "test_1"),
        (True, "train_2"),
        (True, "train_10"),
    ]


def test_the_second_variant_alone_is_a_corpus_by_itself(read):
    assert [row.is_variant for row in read(mutual_files(1, 2, variant="mutual_plus"))] == [False, False]


def test_files_that_are_no_instances_are_passed_over(read):
    strays = {
        "mutual/.DS_Store": b"\0\1",
        "mutual/dev/.DS_Store": b"\0",
        "mutual/dev/._dev_1.txt": b"\0",
        "__MACOSX/mutual/dev/dev_1.txt": b"\0",
        "eval/sample.txt": "test_1\tB A C D",
        "README.md": "words",
        "mutual/dev/README.md": "words",
    }
    assert [row.id for row in read({**strays, **mutual_files(1)})] == ["dev_1"]


def test_without_folders_the_split_stands_in_the_name(read):
    files = {f"{split}_1.txt": instance(1, split) for split in ("dev", "train")} | {"other.txt": instance(2, "x")}
    assert [(row.id, row.split) for row in read(files)] == [("train_1", "train"), ("dev_1", "dev"), ("x_2", "")]


def test_oddities_of_the_published_files_are_taken(read):
    same = ["m : yes .", "m : yes .", "m : no .", "m : maybe ."]
    assert one(read, options=same).candidates == same
    assert len(one(read, article="f : hello .").turns) == 1
    assert one(read, article="m;f : we both do .").turns == [{"speaker": "m;f", "text": "we both do ."}]
    duplicate = "f : he said \u00e2\u0080\u0099 no ."
    assert one(read, article=duplicate).as_written, "what is stored has no control characters, the record keeps them"
    assert json.loads(one(read, article=duplicate).as_written)["article"] == duplicate


@pytest.mark.parametrize(
    "details",
    [{"article": "m :  an even wider gap . "}, {"options": ["a ", "b", "c", "d"]}, {"answers": ""}, {"note": "more"}],
)
def test_what_is_not_given_back_otherwise_is_kept_as_written(read, details):
    row = one(read, **details)
    assert json.loads(row.as_written) == instance(1, **details)
    assert not one(read).as_written


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"answers": "E"}, 'the answer "E" is not in the range A to D'),
        ({"answers": 3}, 'the answer "3" is not in the range A to D'),
        ({"options": ["m : alone"]}, "not a list of 2 to 100 candidates"),
        ({"options": "m : none"}, "not a list of 2 to 100 candidates"),
        ({"options": ["m : a", " ", "m : c", "m : d"]}, "a candidate without text"),
        ({"options": ["m : a", 5, "m : c", "m : d"]}, 'the value of "candidates" is not a text'),
        ({"article": "  "}, "no context"),
        ({"article": None}, 'the value of "article" is not a text'),
        ({"id": "x" * 101}, "an id of more than 100 characters"),
    ],
)
def test_a_bad_instance_has_its_file_and_a_reason(read, content, reason):
    row = one(read, **content)
    assert isinstance(row, BadRow)
    assert (row.file, row.line, str(row.reason)) == ("mutual/dev/dev_1.txt", None, reason)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{broken", "json_broken"),
        ("[1]", "json_no_object"),
        (b"\xff\xfe\xfd", "undecodable"),
        ("[" * 10**5, "json_deep"),
        (" " * (2 << 20), "instance_too_large"),
    ],
)
def test_a_file_that_is_no_record_has_a_reason(read, content, code):
    good, bad = read({"mutual/dev/dev_2.txt": content, **mutual_files(1)})
    assert (good.id, bad.reason.code) == ("dev_1", code)


def test_an_id_twice_is_refused_the_second_time(read):
    files = mutual_files(1) | folder_of({"mutual/train/train_5.txt": instance(5, "train", id="dev_1")})
    first, second = read(files)
    assert (first.split, second.reason.code) == ("train", "id_twice")


def test_an_archive_without_an_instance_is_refused(read):
    with pytest.raises(RowRefused) as refused:
        read({"readme.md": "nothing here"})
    assert refused.value.reason.code == "no_instances"
