"""JSON arrays of objects: an entry is a row, whatever the lines of the file are."""

import io
import json

import pytest

from annotation.importers import pairs
from annotation.importers.preview import preview
from annotation.importers.rows import BadRow

PAIRS = [{"prompt": "在吗", "response": "在的", "id": 7}, {"问题": "x", "prompt": "吃了吗", "response": "吃了"}]


def read(content, **options):
    content = content if isinstance(content, bytes) else content.encode()
    return list(pairs.read(io.BytesIO(content), file_name="forum.json", **options))


def refused(content, **options):
    return [(row.line, row.reason.code) for row in read(content, **options) if isinstance(row, BadRow)]


@pytest.mark.parametrize("content", ["null", "true\n"])
@pytest.mark.parametrize("format", ["auto", "json"])
def test_a_word_of_json_is_no_array(content, format):
    assert refused(content, format=format) == [(None, "json_no_array")]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_each_entry_is_a_row_with_its_number(indent, encoding):
    rows = read(json.dumps(PAIRS, ensure_ascii=False, indent=indent).encode(encoding))
    assert [(row.line, row.prompt, row.response, row.external_id) for row in rows] == [
        (1, "在吗", "在的", "7"),
        (2, "吃了吗", "吃了", ""),
    ]


def test_keys_have_usual_names_too():
    assert [row.prompt for row in read(json.dumps([{"提问": "在吗", "回复": "在的"}]))] == ["在吗"]


def test_an_entry_that_is_no_object_is_refused_by_itself():
    assert refused(json.dumps([*PAIRS, "c", None, {"prompt": "a"}])) == [
        (3, "json_no_object"),
        (4, "json_no_object"),
        (5, "no_response"),
    ]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("[" * 100_000 + "]" * 100_000, "json_deep_file"),
        ('[{"prompt": ' * 100_000, "json_deep_file"),
        ('[{"prompt": "a", "response": "b"},', "json_broken_file"),
        ('[{"prompt": "a", "response": "b"} {}]', "json_broken_file"),
        ('[{"prompt": "a", "response": ' + "9" * 5_000 + "}]", "json_number_file"),
        ("[]", "json_no_records"),
        ('{\n "items": [{"prompt": "a", "response": "b"}]}', "json_list_within"),
        ('{\n "prompt": "a", "response": "b"}', "json_document"),
    ],
    ids=["brackets", "objects", "cut", "no comma", "number", "empty", "list in an object", "object"],
)
def test_a_document_that_cannot_be_read_is_refused_whole(content, code):
    assert (None, code) in refused(content)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("format", ["auto", "json"])
def test_a_list_inside_an_object_is_named_by_its_key(indent, format):
    rows = read(json.dumps({"version": 1, "tags": ["a"], "data": PAIRS}, indent=indent), format=format)
    assert [(row.line, row.reason.code, row.reason.params) for row in rows] == [
        (None, "json_list_within", {"key": "data"})
    ]


def test_one_object_with_a_prompt_is_a_row_whatever_lists_it_has():
    assert [row.response for row in read(json.dumps({**PAIRS[0], "marks": [{"by": "mk"}]}))] == ["在的"]


def test_what_is_no_text_is_shown_as_json():
    content = json.dumps([{"post": {"text": "在吗", "new": True}, "ids": ["a", None]}]).encode()
    assert preview(io.BytesIO(content)).parsed_header.cells(1) == [['{"text": "在吗", "new": true}', '["a", null]']]


def test_a_nul_or_half_a_character_refuses_its_entry():
    assert refused(r'[{"prompt": "a\u0000", "response": "b"}, {"prompt": "a", "response": "\ud800"}]') == [
        (1, "nul"),
        (2, "lone_surrogate"),
    ]
