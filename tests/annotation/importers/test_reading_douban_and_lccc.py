"""Chinese corpora as they are handed out: labelled responses to a context, and lists of turns."""

import json
from pathlib import Path

import pytest

from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers import formats, labelled_responses, turn_lists
from annotation.importers.archive import Member
from annotation.importers.dialogues import Recipe
from annotation.importers.reasons import RowRefused
from tests.corpora import FilesRead

TRAIN = """\
1\t灯 不 亮 了\t换 个 灯泡\t试 过 了
0\t灯 不 亮 了\t换 个 灯泡\t明天 下雨
1\t几 点 开会\t三 点
0\t几 点 开会\t我 爱 吃 面
"""
TEST = """\
0\t灯 坏 了\t扔 了 吧\t今天 星期三
1\t灯 坏 了\t扔 了 吧\t可惜
0\t灯 坏 了\t扔 了 吧\t去 爬山
1\t下班 了 吗\t还 没
1\t下班 了 吗\t刚 走
0\t下班 了 吗\t两 斤 苹果
0\t有 人 吗\t三
0\t有 人 吗\t四
0\t有 人 吗\t五
"""


def member(folder: Path, text: str) -> Member:
    path = folder / "file"
    path.write_text(text, encoding="utf-8")
    return Member("file", path)


@pytest.fixture
def labelled(tmp_path):
    return lambda **named: FilesRead(
        labelled_responses, tmp_path, {f"{name}.txt": text for name, text in named.items()}
    )


@pytest.fixture
def listed(tmp_path):
    return lambda **named: FilesRead(turn_lists, tmp_path, {f"{name}.json": text for name, text in named.items()})


def test_the_true_response_of_two_ends_a_dialogue(labelled):
    found = labelled(train=TRAIN)
    assert found.texts == [["A 灯 不 亮 了", "B 换 个 灯泡", "A 试 过 了"], ["A 几 点 开会", "B 三 点"]]
    assert [(row.id, row.split, row.candidates) for row in found.rows] == [
        ("train-1", "train", None),
        ("train-2", "train", None),
    ]
    assert (found.ledger.read, found.ledger.kept, found.dropped) == (4, 2, {"false_response": 2})


def test_several_responses_are_candidates_where_one_of_them_is_right(labelled):
    found = labelled(test=TEST)
    [instance] = found.rows
    assert (instance.split, instance.candidates, instance.answer) == ("test", ["今天 星期三", "可惜", "去 爬山"], 1)
    assert found.texts == [["A 灯 坏 了", "B 扔 了 吧"]]
    assert (found.ledger.kept, found.ledger.joined, found.dropped) == (1, 2, {"not_one_right": 6})
    assert found.ledger.adds_up


def test_a_line_that_cannot_be_taken_is_refused_with_its_number(labelled):
    found = labelled(train=TRAIN + "2\t灯\t好\n1\t\t好\n1\t灯\t\n1\t灯\n")
    assert [(row.line, row.reason.code) for row in found.refused] == [
        (5, "label_unknown"),
        (6, "no_context"),
        (7, "no_response"),
        (8, "no_context"),
    ]


def test_of_a_context_with_a_refused_line_nothing_is_made(labelled):
    """Else an instance would lack a candidate, and a test set would become dialogues."""
    lines = TEST.splitlines()
    found = labelled(test="\n".join([lines[0], "0\t灯 坏 了\t扔 了 吧\t", *lines[1:3]]))
    assert [(row.line, row.reason.code) for row in found.refused] == [(2, "no_response")]
    assert found.rows == []
    assert found.dropped["refused_context"] == 3


def test_a_label_that_is_not_known_ends_no_context(labelled):
    lines = TRAIN.splitlines()
    found = labelled(train="\n".join([lines[0], "x\t灯 不 亮 了\t换 个 灯泡\t好", *lines[1:]]))
    assert [row.reason.code for row in found.refused] == ["label_unknown"]
    assert found.texts == [["A 几 点 开会", "B 三 点"]]


def test_a_line_that_is_no_text_ends_no_context(labelled):
    lines = TEST.splitlines()
    found = labelled(test="\n".join([lines[0], "\0", *lines[1:3]]))
    assert (found.rows, found.dropped["refused_context"]) == ([], 3)


def test_a_context_with_more_than_a_hundred_responses_is_refused(labelled):
    found = labelled(test="1\tq\ta\n" + "".join(f"0\tq\tb{number}\n" for number in range(101)))
    assert [(row.line, row.reason.code) for row in found.refused] == [
        (101, "candidates_count"),
        (102, "candidates_count"),
    ]
    assert (found.rows, found.dropped["refused_context"]) == ([], 100)


@pytest.mark.parametrize("text", ["灯\t好\n", "1,灯,好\n", "1\t灯\n", ""])
def test_other_files_have_no_labelled_lines(tmp_path, text):
    file = member(tmp_path, text)
    assert not labelled_responses.fits([file])
    with pytest.raises(RowRefused) as refused:
        next(labelled_responses.read([file], ImportLedger(), Recipe()))
    assert refused.value.reason.code == "no_labelled_lines"


@pytest.mark.parametrize("text", ["[]", "[1]", '{"turns": ["a", "b"]}', '{"train": {}}', '[{"turns": []}]', "a\tb", ""])
def test_other_files_have_no_lists_of_turns(tmp_path, text):
    file = member(tmp_path, text)
    assert not turn_lists.fits([file])
    with pytest.raises(RowRefused) as refused:
        next(turn_lists.read([file], ImportLedger(), Recipe()))
    assert refused.value.reason.code == "no_turn_lists"


def test_a_list_of_texts_on_each_line_is_a_dialogue(listed):
    found = listed(train='["灯 坏 了", "换 一个"]\n["几 点 ？", "三 点", "好"]\n')
    assert found.texts == [["A 灯 坏 了", "B 换 一个"], ["A 几 点 ？", "B 三 点", "A 好"]]
    assert [(row.id, row.split) for row in found.rows] == [("train-1", "train"), ("train-2", "train")]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_document_names_its_splits(listed, indent):
    lists = {"valid": [["a", "b"]], "train": [["c", "d"], ["e", "f", "g"]], "test": [["h", "i"]]}
    found = listed(all=json.dumps(lists, indent=indent))
    assert [(row.id, row.split) for row in found.rows] == [
        ("all-1", "dev"),
        ("all-2", "train"),
        ("all-3", "train"),
        ("all-4", "test"),
    ]
    assert found.texts[2] == ["A e", "B f", "A g"]


def test_a_list_of_lists_is_of_the_split_its_file_names(listed):
    assert [row.split for row in listed(valid='[["a", "b"], ["c", "d"]]').rows] == ["dev", "dev"]


def test_what_is_no_dialogue_is_refused_alone(listed):
    found = listed(train='["a", "b"]\n["a", 3]\n["a", ""]\n[]\n{"x": 1}\n["a"\n["c", "d"]\n')
    assert [row.reason.code for row in found.refused] == [
        "not_text",
        "turn_empty",
        "no_turns",
        "no_turns",
        "json_broken",
    ]
    assert found.texts == [["A a", "B b"], ["A c", "B d"]]


def test_a_broken_document_is_refused_as_a_whole(listed):
    with pytest.raises(RowRefused) as refused:
        listed(all='[["a", "b"],\n oops]')
    assert (refused.value.reason.code, refused.value.reason.params["line"]) == ("json_broken_file", 2)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"train": [["a", "b"]]', 1),
        ('{"train": [["a", "b"]],\n', 2),
        ('{"train": [["a", "b"]] "test": []}', 1),
        ('{"train": [["a", "b"]], "test": 3}', 1),
    ],
)
def test_an_object_that_breaks_off_is_refused(listed, text, line):
    with pytest.raises(RowRefused) as refused:
        listed(all=text)
    assert (refused.value.reason.code, refused.value.reason.params["line"]) == ("json_broken_file", line)


def test_a_split_may_have_no_dialogue(listed):
    found = listed(all='{"train": [["a", "b"]], "valid": [ ], "test": [["c", "d"]]}')
    assert [row.split for row in found.rows] == ["train", "test"]


def test_a_document_with_a_byte_of_no_encoding_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes('[["灯 坏 了", "换 一个"],\n'.encode() * 20 + b'["\xff\xfe"]]')
    with pytest.raises(RowRefused) as refused:
        turn_lists.total([Member("file", path)])
    assert refused.value.reason.code == "encoding"


def test_brackets_without_end_are_refused(listed):
    with pytest.raises(RowRefused) as refused:
        listed(all='[["a"], ' + "[" * 100_000)
    assert refused.value.reason.code == "json_deep_file"


@pytest.mark.parametrize(
    ("text", "format"), [(TRAIN, "douban"), ('["灯", "换"]\n', "lccc"), ('[["灯", "换"]]', "lccc")]
)
def test_the_format_is_judged_by_content(tmp_path, text, format):
    assert formats.guessed([member(tmp_path, text)]) == format
