"""Choices for a file whose layout is guessed wrong: encoding, header, and columns."""

import io
import json

import pytest

from annotation.importers import pairs
from annotation.importers.encoding import codec_named
from annotation.importers.layout import LayoutChoice
from annotation.importers.preview import preview
from annotation.importers.rows import PairRow


def read(content: str | bytes, **choice):
    data = content.encode() if isinstance(content, str) else content
    return list(pairs.read(io.BytesIO(data), choice=LayoutChoice(**choice)))


def refusal(content: str, **choice) -> str:
    (row,) = read(content, **choice)
    assert row.line is None
    return str(row.reason)


CHINESE = {"prompt": "问题", "response": "回复"}


@pytest.mark.parametrize(
    "content",
    [
        "问题,回复\n吃了吗?,吃了。\n",
        "回复;备注;问题\n吃了。;无;吃了吗?\n",
        "问题\t回复\n吃了吗?\t吃了。\n",
        '{"问题": "吃了吗?", "回复": "吃了。"}\n',
        ' "问题" ,回复\n吃了吗?,吃了。\n',
    ],
)
def test_columns_are_read_from_those_that_were_chosen(content):
    [row] = read(content, columns=CHINESE)
    assert (row.prompt, row.response) == ("吃了吗?", "吃了。")


@pytest.mark.parametrize(
    "content", ["prompt,问题,response\na,b,c\n", '{"prompt": "a", "问题": "b", "response": "c"}\n']
)
def test_a_column_of_our_name_is_left_alone_when_another_was_chosen(content):
    [row] = read(content, columns={"prompt": "问题"})
    assert (row.prompt, row.response) == ("b", "c")


@pytest.mark.parametrize(
    "content", ["prompt,response,topic\na,b,c\n", '{"prompt": "a", "response": "b", "topic": "c"}\n']
)
def test_a_column_can_be_left_out(content):
    assert [row.topic for row in read(content)] == ["c"]
    assert [row.topic for row in read(content, columns={"topic": ""})] == [""]


def test_a_column_with_an_empty_name_is_not_what_was_left_out():
    assert read("prompt,response,\na,b,c\n", columns={"topic": ""}) == [PairRow(2, "a", "b")]


def test_two_names_cannot_be_read_from_one_column():
    told = refusal("问题,回复\n1,2\n", columns={"prompt": "问题", "response": "问题"})
    assert told == 'The column "问题" is chosen for two fields; choose another for one of them'


def test_a_first_row_of_content_is_a_pair():
    assert read("prompt\tresponse\n", header=False) == [PairRow(1, "prompt", "response")]


def test_a_first_row_of_names_is_no_pair():
    content = "问\t答\n吃了吗?\t吃了。\n"
    assert len(read(content)) == 2
    assert read(content, header=True, columns={"prompt": "问", "response": "答"}) == [PairRow(2, "吃了吗?", "吃了。")]


def test_rows_without_a_header_have_as_many_columns_as_most():
    rows = read("a,b,c\nd,e\nf,g,h\n", header=False, columns={"prompt": "2", "response": "3"})
    assert rows[::2] == [PairRow(1, "b", "c"), PairRow(3, "g", "h")]
    assert str(rows[1].reason) == "columns: 2 instead of 3"


@pytest.mark.parametrize(
    "codec", ["big5", "shift_jis", "euc_kr", "utf-16-le", "utf-16-be", "cp1252", "utf-8", "gb18030"]
)
def test_every_encoding_that_may_be_chosen_is_read(codec):
    text = {"cp1252": "Schöne Grüße", "euc_kr": "안녕하세요", "shift_jis": "これは日本語です"}.get(codec, "今天天氣好")
    assert read(f"{text}\t{text}\r\n".encode(codec) * 2, encoding=codec) == [
        PairRow(1, text, text),
        PairRow(2, text, text),
    ]


def test_encodings_have_many_names():
    assert [codec_named(name) for name in ("GBK", "gb2312", "UTF8", "Latin-1", "utf_16")] == [
        "gb18030",
        "gb18030",
        "utf-8",
        "cp1252",
        "utf-16-le",
    ]


def test_a_file_whose_columns_have_no_known_names_shows_them():
    seen = preview(io.BytesIO("甲,乙\n吃了吗?,吃了。\n".encode("gb18030")))
    assert (seen.layout, seen.parsed_header.names, seen.parsed_header.cells(5)) == (
        None,
        ("甲", "乙"),
        [["吃了吗?", "吃了。"]],
    )


def test_a_cell_of_several_lines_is_shown_in_one_row_where_columns_must_be_matched():
    seen = preview(io.BytesIO('甲,乙\n"吃了\n吗, 你?",吃了。\n走吗?,走。\n'.encode()))
    assert seen.parsed_header.cells(5) == [["吃了\\n吗, 你?", "吃了。"], ["走吗?", "走。"]]


def test_null_is_shown_as_an_empty_cell_where_columns_must_be_matched():
    seen = preview(io.BytesIO('[{"甲": "吃了吗?", "乙": null, "丙": 3}]'.encode()))
    assert seen.parsed_header.cells(5) == [["吃了吗?", "", "3"]]


LONG = "长" * 10_001


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (f"提问,回复\n在吗,{LONG}\n", "回复"),
        (f"提问\t 我们的 回复\n在吗\t{LONG}\n", "我们的 回复"),
        (f"prompt,Response\n在吗,{LONG}\n", "Response"),
        (json.dumps({"提问": "在吗", "回复": LONG}), "回复"),
        (json.dumps({"prompt": "在吗", "response": LONG}), "response"),
    ],
)
def test_a_refusal_names_the_column_as_the_file_does(content, told):
    columns = {"response": "我们的 回复"} if "我们" in content else {}
    [row] = read(content, columns=columns)
    assert str(row.reason) == f'10001 characters in the column "{told}"; the limit is 10000'
