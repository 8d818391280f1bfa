"""Logs in other encodings than UTF-8: read where they can be known, refused or counted where they cannot."""

import codecs

import pytest

from annotation.importers import dialogues_jsonl, irc
from annotation.importers.archive import Member
from annotation.importers.formats import guessed
from tests.corpora import FilesRead, dialogue, jsonl_of

DAY = "#lamps/2008-07-14.txt"
CHINESE = """\
[10:00] <xiaoli> 请问这个台灯为什么不亮
[10:01] <laowang> xiaoli: 插头插好了吗？
[10:02] <xiaoli> laowang: 插好了
"""
SAID = ["A 请问这个台灯为什么不亮", "B 插头插好了吗？", "A 插好了"]
FRENCH = """\
[10:00] <ann> ma lampe n'éclaire pas
[10:01] <bo> ann: elle est branchée ?
[10:02] <ann> bo: déjà branchée
"""
RUSSIAN = """\
[10:00] <ann> моя лампа не светит
[10:01] <bo> ann: она включена?
[10:02] <ann> bo: да, конечно
"""


@pytest.fixture
def read(tmp_path):
    def log(content):
        return FilesRead(irc, tmp_path, {DAY: content})

    return log


@pytest.mark.parametrize(
    "content",
    [
        CHINESE.encode("utf-8-sig"),
        CHINESE.encode("utf-16"),
        codecs.BOM_UTF16_BE + CHINESE.encode("utf-16-be"),
        CHINESE.encode("utf-16-le"),
        CHINESE.encode("utf-16-be"),
        CHINESE.encode("gb18030"),
        CHINESE.replace("\n", "\r\n").encode("gb18030"),
    ],
    ids=["UTF-8", "UTF-16", "UTF-16-BE", "LE, no mark", "BE, no mark", "GB18030", "GB18030, CRLF"],
)
def test_a_chinese_log_is_read_in_its_encoding(read, content):
    found = read(content)
    assert found.texts == [SAID]
    assert found.changed == {}


def test_lines_of_utf_8_in_a_log_of_gb18030_are_read_as_such_and_counted(read):
    found = read(CHINESE.encode("gb18030") + "[10:03] <laowang> xiaoli: 换个灯泡试试\n".encode())
    assert found.texts == [[*SAID, "B 换个灯泡试试"]]
    assert found.changed == {"other_encoding": 1}


def test_lines_of_gb18030_in_a_log_of_utf_8_are_read_as_such_and_counted(read):
    more = "[10:03] <laowang> xiaoli: 换个灯泡试试\n".encode("gb18030")
    found = read(CHINESE.encode() + more + "[10:04] <xiaoli> laowang: 好的\n".encode())
    assert found.texts == [[*SAID, "B 换个灯泡试试", "A 好的"]]
    assert found.changed == {"other_encoding": 1}


def test_a_line_of_gb18030_that_happens_to_be_utf_8_is_chinese(read):
    said = "一"  # D2 BB, which is a Cyrillic letter in UTF-8
    assert said.encode("gb18030").decode() != said
    found = read(CHINESE.encode("gb18030") + f"[10:03] <laowang> xiaoli: {said}\n".encode("gb18030"))
    assert found.texts == [[*SAID, f"B {said}"]]


def test_a_whole_log_of_windows_1252_is_read(read):
    found = read(FRENCH.encode("cp1252"))
    assert found.texts == [["A ma lampe n'éclaire pas", "B elle est branchée ?", "A déjà branchée"]]
    assert found.changed == {"other_encoding": 3}


@pytest.mark.parametrize("codec", ["koi8-r", "cp1251", "iso8859-5"])
def test_a_log_whose_encoding_cannot_be_known_is_refused(read, codec):
    found = read(RUSSIAN.encode(codec))
    assert found.rows == []
    assert [(row.file, row.line, row.reason.code) for row in found.refused] == [(DAY, None, "encoding")]


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("台燈為什麼不亮，插頭插好了嗎", "big5"),
        ("ランプがつかないのはなぜですか", "shift_jis"),
        ("моя лампа не светит, почему", "koi8-r"),
    ],
)
def test_a_stray_line_that_cannot_be_read_is_dropped_and_counted(read, text, codec):
    more = f"[10:03] <bo> ann: {text}\n".encode(codec)
    found = read(FRENCH.encode() * 4 + more)
    assert found.dropped["unknown_encoding"] == 1
    assert all(text[:3] not in said for said in found.texts[0])
    assert found.ledger.read == 13


def test_one_day_that_cannot_be_read_leaves_the_others(tmp_path):
    files = {"2008-07-14.txt": RUSSIAN.encode("koi8-r"), "2008-07-15.txt": FRENCH}
    found = FilesRead(irc, tmp_path, files)
    assert (len(found.rows), found.ledger.read) == (1, 4)
    assert [row.file for row in found.refused] == ["2008-07-14.txt"]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_the_format_of_other_encodings_is_known_by_content(tmp_path, codec):
    text = jsonl_of(tmp_path / "plain", [dialogue(1), dialogue(2)]).read_text(encoding="utf-8")
    path = tmp_path / "file"
    path.write_bytes(text.encode(codec))
    assert guessed([Member("talk.jsonl", path)]) == "jsonl"
    assert len(FilesRead(dialogues_jsonl, tmp_path, {"talk.jsonl": text.encode(codec)}).rows) == 2


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("subtitles", "utterance,speaker,dialogue_id\nHello.,ann,1\nHi.,bo,1\nSo?,ann,1\n"),
        ("twitter", "one\ntwo\nthree\n\n\n\nfour\nfive\nsix\n"),
        ("ubuntu-csv", "Context,Utterance,Label\ndark __eou__ __eot__,plug? __eou__,1\n"),
        ("irc", FRENCH),
    ],
)
def test_every_format_of_lines_is_known_in_utf_16(tmp_path, format, text):
    path = tmp_path / "file"
    path.write_bytes(text.encode("utf-16"))
    assert guessed([Member("file.txt" if format in {"irc", "twitter"} else "file.csv", path)]) == format
