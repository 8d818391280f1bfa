import codecs
import gzip
import io
import tarfile
import zipfile

import pytest

from annotation.importers import pairs
from annotation.importers.encoding import Encoding, recognise_encoding
from annotation.importers.rows import BadRow, PairRow

TALK = "在吗\t在的，怎么了？\n今天去健身吗\t不去，太累了\n这个手机好用吗\t还可以，就是有点贵\n"
PAIRS = [("在吗", "在的，怎么了？"), ("今天去健身吗", "不去，太累了"), ("这个手机好用吗", "还可以，就是有点贵")]


def read(content, **options):
    return list(pairs.read(io.BytesIO(content), file_name="forum.txt", **options))


def refusal(content, **options):
    (row,) = read(content, **options)
    assert row.line is None and row.file == "forum.txt"
    return str(row.reason)


def archived(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", "x" * 5000)
        archive.writestr(name, TALK)
    return file.getvalue()


def tarred():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("pairs.csv"))
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        TALK.encode(),
        TALK.encode("utf-8-sig"),
        codecs.BOM_UTF16_LE + TALK.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TALK.encode("utf-16-be"),
        TALK.encode("gb18030"),
        TALK.encode("gbk"),
        TALK.replace("\n", "\r\n").encode("gb18030"),
        TALK.encode("utf-16-le"),
        TALK.encode("utf-16-be"),
        TALK.replace("\n", "\r").encode("utf-16"),
        TALK.replace("\n", "\r").encode(),
    ],
    ids=[
        "UTF-8",
        "mark",
        "UTF-16-LE",
        "UTF-16-BE",
        "LE, no mark",
        "BE, no mark",
        "GB18030",
        "GBK",
        "CRLF",
        "UTF-16 and CR",
        "CR",
    ],
)
def test_the_encoding_is_recognised(content):
    assert [(row.line, row.prompt, row.response) for row in read(content)] == [
        (line, *pair) for line, pair in enumerate(PAIRS, start=1)
    ]


def test_characters_beyond_gbk_are_read_from_gb18030():
    assert read((TALK + "𠮷野家\t好吃😀\n").encode("gb18030"))[-1].response == "好吃😀"


def test_a_broken_line_in_a_utf_8_file_is_a_bad_row():
    lines = [
        *TALK.encode().splitlines(),
        "在吗\t在".encode()[:-1],
        "不是\t是".encode("gb18030"),
        *TALK.encode().splitlines(),
    ]
    rows = read(b"\n".join(lines))
    assert [(row.line, str(row.reason)) for row in rows if isinstance(row, BadRow)] == [
        (4, "bytes that are not UTF-8"),
        (5, "bytes that are not UTF-8"),
    ]
    assert len(rows) == len(lines)


def test_a_broken_line_in_an_english_file_is_a_bad_row():
    rows = read(b"how are you\tfine\ncaf\xe9\tyes\nwhere\there\n")
    assert [(row.line, row.excerpt) for row in rows if isinstance(row, BadRow)] == [(2, "caf\\xe9\\tyes")]


def test_a_broken_line_in_a_gb18030_file_is_a_bad_row():
    rows = read(TALK.encode("gb18030") + b"a\xff\tb\n" + TALK.encode("gb18030"))
    assert [(row.line, str(row.reason)) for row in rows if isinstance(row, BadRow)] == [
        (4, "bytes that are not GB18030")
    ]


def test_a_utf_16_file_cut_in_the_middle_of_a_character_loses_its_last_line_only():
    rows = read(TALK.encode("utf-16")[:-3])
    assert [isinstance(row, PairRow) for row in rows] == [True, True, False]


def test_half_a_character_in_utf_16_is_a_bad_row():
    broken = TALK.encode("utf-16-le") + "a".encode("utf-16-le") + b"\x3d\xd8" + "\tb\n".encode("utf-16-le")
    assert [row.line for row in read(codecs.BOM_UTF16_LE + broken) if isinstance(row, BadRow)] == [4]


@pytest.mark.parametrize("text", ["in\0to\tit", "在\0吗\t在", "a\0b\tc\nd\te"])
def test_a_stray_zero_does_not_make_a_short_file_utf_16(text):
    assert recognise_encoding(io.BytesIO(text.encode())) == Encoding("utf-8")


def test_one_gb18030_line_that_happens_to_be_utf_8_does_not_hide_the_others():
    assert "\u0441".encode() == "褋".encode("gb18030")[:2]
    content = TALK.encode("gb18030") + "褋\t褋\n".encode("gb18030")
    assert recognise_encoding(io.BytesIO(content)) == Encoding("gb18030")


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("how are you\tfine\n", "utf-32"),
        ("為什麼聽一面之辭就相信\t只有當事人才能知道吧\n", "big5"),
        ("これは日本語です\tそうですね、今日はいい天気です\n", "shift_jis"),
        ("これは日本語です\tそうですね、今日はいい天気です\n", "euc_jp"),
        ("Schöne Grüße\tà bientôt\n", "latin-1"),
        ("Привет, как дела\tхорошо, спасибо\n", "cp1251"),
        ("попробуй снова, там написано\tспасибо, сделаю так\n", "koi8-r"),
        ("안녕하세요 어떻게 해야 하는지\t설치에 문제가 있습니다\n", "euc_kr"),
    ],
)
def test_other_encodings_are_refused_and_not_guessed(text, codec):
    wanted = "The characters are neither UTF-8, UTF-16 nor GB18030; save the file as UTF-8"
    assert refusal(text.encode(codec) * 5) == wanted


REFUSED = {
    "empty": (b"", "The file is empty"),
    "mark only": (codecs.BOM_UTF8, "The file is empty"),
    "blank": (b" \n\r\n\n", "The file is empty"),
    "header only": (b"prompt,response\n\n", "The file has a header and no rows"),
    "zip": (archived("pairs.csv"), "This is a zip file; unpack it first"),
    "broken xlsx": (
        archived("xl/workbook.xml"),
        "The workbook is damaged; get the file again, or open it in Excel or LibreOffice and save it as .xlsx",
    ),
    "gzip": (gzip.compress(TALK.encode()), "This is a gzip file; unpack it first"),
    "tar": (tarred(), "This is a tar file; unpack it first"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "This is a PDF file; csv, tsv, jsonl, json and xlsx are read here"),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is a PNG file; csv, tsv, jsonl, json and xlsx are read here"),
    "html": (b"\n<!DOCTYPE html>\n<p>a", "This is a HTML file; csv, tsv, jsonl, json and xlsx are read here"),
    "xml": (b"<?xml version='1.0'?>", "This is a XML file; csv, tsv, jsonl, json and xlsx are read here"),
    "yaml": (b"categories:\n- AI\n", "This is a YAML file; csv, tsv, jsonl, json and xlsx are read here"),
    "binary": (
        bytes(range(256)) + bytes(100),
        "This is neither a text file nor a workbook; csv, tsv, jsonl, json and xlsx are read here",
    ),
    "JSON over lines": (
        b'{\n"prompt": "a"}',
        "This is one JSON object; use a JSON array of objects, or one object on each line (jsonl)",
    ),
    "one column": (
        "谢谢\n好的\n".encode(),
        "There is only one column; these are needed, separated by tab, comma or semicolon: prompt, response",
    ),
    "missing column": (b"prompt,antwort\na,b\n", 'The column "response" is missing; found: prompt, antwort'),
    "missing in tsv": (b"id\tresponse\n1\tb\n", 'The column "prompt" is missing; found: id, response'),
    "no header": (b"hello,hi\n", "The columns prompt, response are missing; found: hello, hi"),
    "missing key": (b'{"prompt": "a", "antwort": "b"}\n', 'The column "response" is missing; found: prompt, antwort'),
    "three columns": (b"a\tb\t3\nc\td\t4\n", "The columns prompt, response are missing; found: a, b, 3"),
    "double column": (b"prompt,response,prompt\n", 'The column "prompt" appears twice in the header'),
}


@pytest.mark.parametrize(("content", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_file_of_another_kind_is_refused_once_with_a_word_that_helps(content, reason):
    assert refusal(content) == reason


def test_a_format_that_was_asked_for_is_not_guessed():
    assert refusal(b"a\tb\n", format="csv").startswith("There is only one column")
    assert [row.reason.code for row in read(b"a\tb\n", format="jsonl")] == ["json_broken"]
    assert read(b'{"a"}\t{"b"}\n', format="tsv") == [PairRow(1, '{"a"}', '{"b"}')]


def test_the_content_decides_and_not_the_name(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text('{"prompt": "a", "response": "b"}\n')
    assert list(pairs.read(path)) == [PairRow(1, "a", "b")]


def test_an_open_file_is_read_from_its_beginning_and_stays_open():
    file = io.BytesIO(TALK.encode())
    file.read()
    assert len(list(pairs.read(file))) == len(list(pairs.read(file))) == 3
    assert not file.closed


@pytest.mark.parametrize(
    "header",
    [
        "prompt (user),response",
        "问题(用户),回答",
        "问题（用户）,回答",
        "问题（用户，新）;回答",
        "prompt (a,b);response",
        "prompt (a,b)\tresponse",
        "prompt (user),response (bot)",
    ],
)
def test_a_remark_in_brackets_hides_no_other_column(header):
    delimiter = next(mark for mark in "\t;," if mark in header)
    [row] = read(f"{header}\n在吗{delimiter}在\n".encode())
    assert (row.prompt, row.response) == ("在吗", "在")
