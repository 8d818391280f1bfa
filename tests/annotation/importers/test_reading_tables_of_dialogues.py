"""Tables of dialogues with columns of any names: an utterance a row, or a dialogue a row."""

import json

import pytest

from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers import dialogue_tables
from annotation.importers.archive import Member
from annotation.importers.dialogues import Recipe
from annotation.importers.formats import guessed
from annotation.importers.layout import LayoutChoice
from annotation.importers.reasons import RowRefused
from tests.corpora import FilesRead

LINES = "对话,说话人,内容,轮次\nd1,甲,在吗,1\nd2,乙,走吗,1\nd1,甲,好,3\nd1,乙,在的,2\n"


def read(tmp_path, content, name="table.csv", **recipe) -> FilesRead:
    files = content if isinstance(content, dict) else {name: content}
    return FilesRead(dialogue_tables, tmp_path, files, **recipe)


def first_texts(tmp_path, content, **choice) -> list[list[str]]:
    """Return the texts of the turns that a person is shown."""
    path = tmp_path / "table"
    path.write_text(content)
    rows = dialogue_tables.preview(path, choice=LayoutChoice(**choice)).rows
    return [[turn["text"] for turn in row.turns] for row in rows]


def test_utterances_are_gathered_by_dialogue_in_the_order_of_their_turns(tmp_path):
    found = read(tmp_path, LINES)
    assert [row.id for row in found.rows] == ["d1", "d2"]
    assert found.texts == [["甲 在吗", "乙 在的", "甲 好"], ["乙 走吗"]]
    assert (found.ledger.read, found.ledger.kept, found.ledger.joined) == (4, 4, 0)


def test_what_one_person_says_in_a_row_is_one_turn_and_an_empty_text_none(tmp_path):
    found = read(tmp_path, "session_id,role,content\n1,a,hi\n1,a,there\n1,b,\n1,b,ho\n")
    assert found.texts == [["a hi\nthere", "b ho"]]
    assert (found.ledger.kept, found.ledger.joined, found.dropped) == (2, 1, {"blank": 1})


@pytest.mark.parametrize(
    "said",
    [
        '"甲：在吗\n乙：在的"',
        "甲：在吗||乙：在的",
        "甲：在吗 | 乙：在的",
        "甲：在吗 __eou__ 乙：在的",
        "甲：在吗[SEP]乙：在的",
    ],
)
def test_a_dialogue_in_one_cell_is_cut_into_its_turns(tmp_path, said):
    found = read(tmp_path, f"编号,对话\n7,{said}\n")
    assert ([row.id for row in found.rows], found.texts) == (["7"], [["甲 在吗", "乙 在的"]])


def test_a_separator_can_be_chosen(tmp_path):
    found = read(tmp_path, "id,dialogue\n1,a|b // c\n", choice={"separator": "//"})
    assert found.texts == [[" a|b", " c"]]


def test_a_colon_in_a_text_makes_no_speaker(tmp_path):
    found = read(tmp_path, "id,dialogue\n1,At 10:30?||Yes: 10:30.||Fine\n")
    assert found.texts == [[" At 10:30?", " Yes: 10:30.", " Fine"]]


def test_messages_of_a_chat_are_turns(tmp_path):
    record = {"id": 3, "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]}
    for content in (json.dumps([record]), json.dumps(record)):
        found = read(tmp_path, content, "chats.json")
        assert ([row.id for row in found.rows], found.texts) == (["3"], [["user hi", "assistant ho"]])


def test_other_columns_are_kept_as_facts_where_all_rows_of_a_dialogue_agree_if_a_person_wants_them(tmp_path):
    content = "对话编号,内容,主题,分数\nd1,在吗,闲聊,3\nd1,在的,闲聊,4\n"
    assert read(tmp_path, content).rows[0].facts == {}
    assert read(tmp_path, content, choice={"keeps_others": True}).rows[0].facts == {"主题": "闲聊"}


def test_splits_come_from_a_column_or_from_the_names_of_files(tmp_path):
    found = read(tmp_path, "编号,对话,划分\n1,a||b,训练集\n2,a||b,valid\n3,a||b,other\n")
    assert [row.split for row in found.rows] == ["train", "dev"]
    assert [row.reason.code for row in found.refused] == ["split_unknown"]
    found = read(tmp_path, {"test.csv": "id,dialogue\n1,a||b\n", "train.csv": "id,dialogue\n1,a||b\n"})
    assert [(row.id, row.split) for row in found.rows] == [("train-1", "train"), ("test-1", "test")]


@pytest.mark.parametrize("table", ["id,dialogue\n1,a||b\n", "dialogue_id,speaker,text\n1,甲,在吗\n1,乙,在的\n"])
def test_files_of_one_name_in_several_folders_have_ids_of_their_own(tmp_path, table):
    found = read(tmp_path, dict.fromkeys(["a/part.csv", "b/part.csv", "c/part.tsv", "part.2.csv"], table))
    assert [row.id for row in found.rows] == ["part-1", "part.3-1", "part.4-1", "part.2-1"]


def test_columns_of_other_names_are_matched_by_a_person(tmp_path):
    content = "甲列,乙列,丙列\nd1,在吗,A\nd1,在的,B\n"
    path = tmp_path / "table"
    path.write_text(content)
    columns = {"dialogue_id": "甲列", "text": "乙列", "speaker": "丙列"}
    assert dialogue_tables.preview(path).refusal.code == "missing_columns"
    seen = dialogue_tables.preview(path, choice=LayoutChoice(columns=columns))
    assert [turn["text"] for turn in seen.rows[0].turns] == ["在吗", "在的"]
    both = {**columns, "turns": "乙列"}
    assert dialogue_tables.preview(path, choice=LayoutChoice(columns=both)).refusal.code == "turns_and_text"


@pytest.mark.parametrize(
    ("content", "choice"),
    [
        ("在吗\t在的\n走吗\t走\n", {"header": False}),
        ("提问,回复\n在吗,在的\n走吗,走\n", {}),
        ("甲列,乙列\n在吗,在的\n走吗,走\n", {"columns": {"prompt": "甲列", "response": "乙列", "turns": ""}}),
    ],
)
def test_a_prompt_and_its_response_are_a_dialogue_of_two_turns(tmp_path, content, choice):
    assert first_texts(tmp_path, content, **choice) == [["在吗", "在的"], ["走吗", "走"]]


def test_two_columns_without_names_are_matched_by_a_person_where_the_first_is_no_prompt(tmp_path):
    content = "d1\t在吗\nd1\t在的\n"
    assert first_texts(tmp_path, content, header=False) == [["在吗", "在的"]]
    columns = {"dialogue_id": "1", "text": "2", "prompt": "", "response": ""}
    by_hand = first_texts(tmp_path, content.replace("d1", "第一组"), header=False, columns=columns)
    assert by_hand == [["在吗", "在的"]]


def test_a_prompt_without_a_response_is_a_refused_row(tmp_path):
    found = read(tmp_path, "prompt,response\na,b\nc,\n")
    assert [(row.line, row.reason.code) for row in found.refused] == [(3, "no_value")]


def test_refused_rows_are_told_with_line_and_reason(tmp_path):
    found = read(tmp_path, "编号,对话\n1,a||b\n1,c||d\n2,\n")
    assert [(row.line, row.reason.code) for row in found.refused] == [(3, "id_twice"), (4, "no_dialogue")]
    found = read(tmp_path, "对话,内容\nd1,a\n,b\n")
    assert [(row.line, row.reason.code) for row in found.refused] == [(3, "no_value")]


def test_rows_and_columns_are_bounded(tmp_path, monkeypatch):
    many = ",".join(f"c{number}" for number in range(21))
    with pytest.raises(RowRefused, match="21 other columns"):
        read(tmp_path, f"id,dialogue,{many}\n1,a||b{',x' * 21}\n", choice={"keeps_others": True})
    monkeypatch.setattr(dialogue_tables, "MOST_ROWS", 2)
    (tmp_path / "lines").write_text(LINES)
    with pytest.raises(RowRefused, match="more than 2 rows"):
        list(dialogue_tables.read([Member("lines", tmp_path / "lines")], ImportLedger(), Recipe()))


def test_names_and_addresses_are_replaced_unless_they_are_to_be_left(tmp_path):
    content = "对话,内容\nd1,write to ann@example.org\n"
    assert "ann@" not in read(tmp_path, content).texts[0][0]
    assert "ann@" in read(tmp_path, content, leave=["email"]).texts[0][0]


@pytest.mark.parametrize(
    ("content", "format"),
    [
        (LINES, "table"),
        ("dialogue_id,speaker,text\n1,a,hi\n", "subtitles"),
        ("dialogue_id,text\n1,hi\n", "table"),
        ('{"turns": ["a", "b"]}\n', "jsonl"),
        ('{"messages": [{"role": "a", "content": "hi"}]}\n', "table"),
    ],
)
def test_a_table_is_of_this_format_where_no_other_one_fits(tmp_path, content, format):
    path = tmp_path / "file"
    path.write_text(content)
    assert guessed([Member("file.csv", path)]) == format
