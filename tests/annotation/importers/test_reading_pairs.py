import csv
import io
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.importers import pairs
from annotation.importers.rows import BadRow, PairRow, excerpt
from core.domain.text import join_spaced_chinese, normalise

LONG = "长" * 10_001
MISPLACED = "a quote or line break inside a cell; put the cell in quotes and write its own quotes twice"
CSV = "prompt,response\n"


def read(content, **options):
    data = content if isinstance(content, bytes) else content.encode()
    return list(pairs.read(io.BytesIO(data), file_name="forum.txt", **options))


def good(content, **options):
    return [row for row in read(content, **options) if isinstance(row, PairRow)]


def bad(content, **options):
    return [(row.line, str(row.reason)) for row in read(content, **options) if isinstance(row, BadRow)]


@pytest.mark.parametrize(
    "content",
    [
        "prompt,response\n在吗,在\n",
        "Response , PROMPT\n在,在吗\n",
        "note,prompt,response,\nx,在吗,在,y\n",
        '"prompt","response"\r\n"在吗","在"\r\n',
        'prompt, response\n在吗, "在"\n',
        "prompt;response\n在吗;在\n",
        "prompt\tresponse\n在吗\t在\n",
        '"prompt"\t"response"\n"在吗"\t"在"\n',
        "在吗\t在\n",
        "在吗\t在",
        "在吗\t在\r\n",
        "\n\n在吗\t在\n  \n\r\n",
        '{"prompt": "在吗", "response": "在"}\n',
        '{"Response": "在", "prompt": "\\u5728\\u5417", "n": [1, {}]}\n',
        "prompt,response\r在吗,在\r",
    ],
)
def test_every_way_to_write_a_pair_gives_the_pair(content):
    assert [(row.prompt, row.response) for row in read(content)] == [("在吗", "在")]


@pytest.mark.parametrize(("column", "limit"), [("id", 200), ("source", 100), ("topic", 100)])
def test_a_number_too_long_for_a_name_is_refused(column, limit):
    pair = {"prompt": "在吗", "response": "在"}
    assert good(json.dumps(pair | {column: int("9" * limit)}))
    refused = (1, f'{limit + 1} characters in the column "{column}"; the limit is {limit}')
    assert bad(json.dumps(pair | {column: int("9" * (limit + 1))})) == [refused]


@pytest.mark.parametrize(
    "content",
    [
        "source,id,prompt,response,topic\n微博,7,在吗,在,日常\n",
        "id\tprompt\tresponse\ttopic\tsource\n7\t在吗\t在\t日常\t微博\n",
        '{"id": 7, "prompt": "在吗", "response": "在", "source": "微博", "topic": "日常"}\n',
        '{"id": "7", "prompt": "在吗", "response": "在", "source": "微博", "topic": "日常"}\n',
    ],
)
def test_id_source_and_topic_come_along(content):
    (row,) = read(content)
    assert (row.external_id, row.source, row.topic) == ("7", "微博", "日常")


def test_absent_columns_and_null_are_empty():
    assert read('{"id": null, "prompt": "在吗", "response": "在"}') == [PairRow(1, "在吗", "在", "", "", "")]


def test_the_same_pair_twice_is_two_rows():
    assert [row.line for row in read("在吗\t在\n在吗\t在\n")] == [1, 2]


def test_texts_are_stored_in_one_form_and_spaced_chinese_is_joined():
    (row,) = read("prompt,response\n我 也 要 去 健 身, cafe\u0301\u202e \n")
    assert (row.prompt, row.response) == ("我也要去健身", "café")


def test_in_a_file_of_spaced_chinese_a_single_space_is_artificial_too():
    rows = read("我 也 要 去 健 身\t好 的\n饿 了\tok\n")
    assert [(row.prompt, row.response) for row in rows] == [("我也要去健身", "好的"), ("饿了", "ok")]


def test_in_other_files_a_single_space_stays():
    (row,) = read("我要去健身 你去不去\t好 的\n")
    assert (row.prompt, row.response) == ("我要去健身 你去不去", "好 的")


BAD_ROWS = {
    "no tab": ("a\tb\nalone\n", 2, "no tab between prompt and response"),
    "nothing after the tab": ("a\tb\nc\t\n", 2, "no response after the tab"),
    "nothing before the tab": ("a\tb\n\tc\n", 2, "no prompt"),
    "only a tab": ("a\tb\n\t\n", 2, "no prompt"),
    "two tabs": ("a\tb\nc\td\te\n", 2, "columns: 3 instead of 2"),
    "controls only": ("a\tb\nc\t\x07\u202e\n", 2, "no response after the tab"),
    "no prompt": (CSV + ",b\n", 2, "no prompt"),
    "no response": (CSV + "a, \n", 2, "no response"),
    "too few columns": (CSV + "a\n", 2, "columns: 1 instead of 2"),
    "too many columns": (CSV + "a,b,c\n", 2, "columns: 3 instead of 2"),
    "tsv under a header": ("prompt\tresponse\nalone\n", 2, "columns: 1 instead of 2"),
    "NUL": (CSV + "a,b\0c\n", 2, "a NUL character"),
    "long cell": (CSV + f"a,{LONG}\n", 2, '10001 characters in the column "response"; the limit is 10000'),
    "long id": (f"id,{CSV}{'7' * 201},a,b\n", 2, '201 characters in the column "id"; the limit is 200'),
    "long line": (CSV + f"a,{'b' * 1_000_000}\n", 2, "longer than 128 KiB; reading went on with the next line"),
    "quote left open": (CSV + 'a,"b\n', 2, "a quote is opened in this line and not closed"),
    "text after a quote": (CSV + '"a"b,"c"\n', 2, MISPLACED),
    "broken JSON": ('{"prompt": "a" "response": "b"}\n', 1, "broken JSON at character 16"),
    "half a JSON line": ('{"prompt": "a", "respon\n', 1, "broken JSON at character 17"),
    "JSON list": ('{"prompt": "a", "response": "b"}\n["a", "b"]\n', 2, "JSON that is not an object"),
    "number for a text": ('{"prompt": 5, "response": "b"}\n', 1, 'the value of "prompt" is not a text'),
    "false for a text": ('{"prompt": "a", "response": false}\n', 1, 'the value of "response" is not a text'),
    "true for an id": ('{"prompt": "a", "response": "b", "id": true}\n', 1, 'the value of "id" is not a text'),
    "null for a text": ('{"prompt": "a", "response": null}\n', 1, "no response"),
    "escaped NUL": ('{"prompt": "a\\u0000", "response": "b"}\n', 1, "a NUL character"),
    "surrogate": (
        '{"prompt": "a", "response": "\\ud83d"}\n',
        1,
        'half a character (a lone surrogate) in "response"',
    ),
    "surrogates everywhere": (
        '{"prompt": "a", "response": "b", "\\ud83d": "\\ud83d"}\n',
        1,
        'half a character (a lone surrogate) in "\\ud83d"',
    ),
    "long number": ('{"prompt": "a", "response": ' + "9" * 5000 + "}\n", 1, "JSON with a number that is too long"),
}


@pytest.mark.parametrize(("content", "line", "reason"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_a_bad_row_is_named_and_the_next_one_is_read(content, line, reason):
    after = (
        '{"prompt": "p", "response": "r"}\n' if content.startswith("{") else "p\tr\n" if "\t" in content else "p,r\n"
    )
    after = "7," + after if content.startswith("id") else after
    assert bad(content + after) == [(line, reason)]
    assert good(content + after)[-1][1:3] == ("p", "r")


def test_json_without_end_is_a_bad_row():
    rows = read('{"prompt": "a", "response": "b"}\n' + "[" * 100_000 + "\n" + '{"prompt": "c", "response": "d"}\n')
    assert [str(row.reason) if isinstance(row, BadRow) else row.prompt for row in rows] == [
        "a",
        "JSON nested too deeply",
        "c",
    ]


def test_a_broken_first_line_does_not_hide_what_the_file_is():
    assert bad('{"prompt": "a"\n{"prompt": "a", "response": "b"}\n') == [(1, "broken JSON at character 15")]
    assert bad("alone\na\tb\nc\td\n") == [(1, "no tab between prompt and response")]


def test_a_quote_left_open_costs_its_own_line_only():
    rows = read(CSV + 'a,b\nc,"open\ne,f\n"g, h",i\n"two\nlines",j\nk,l\n')
    assert [(row.line, row[1] if isinstance(row, PairRow) else row.reason.code) for row in rows] == [
        (2, "a"),
        (3, "quote_misplaced"),
        (4, "e"),
        (5, "g, h"),
        (6, "two\nlines"),
        (8, "k"),
    ]


def test_lines_swallowed_by_a_quote_are_named():
    rows = read(CSV + '"a,b\nc,d\ne,f"\ng,h\n')
    assert [(row.line, str(row.reason) if isinstance(row, BadRow) else row.prompt) for row in rows] == [
        (2, "a quote opened here closes only in line 4 and gives no row; a quote may be missing"),
        (5, "g"),
    ]


def test_a_thousand_open_quotes_are_a_thousand_bad_rows():
    rows = read(CSV + 'a,"b\n' * 1000 + "c,d\n")
    assert [row.line for row in rows if isinstance(row, BadRow)] == list(range(2, 1002))
    assert [row.line for row in rows if isinstance(row, PairRow)] == [1002]


def test_quotes_in_a_plain_tsv_are_text():
    rows = read('"你好" 他说\t"在"\n5" 屏\t"\n')
    assert [(row.prompt, row.response) for row in rows] == [('"你好" 他说', '"在"'), ('5" 屏', '"')]


def test_quotes_around_a_cell_of_a_tsv_with_a_header_belong_to_its_writer():
    (row,) = read('prompt\tresponse\n"他说""好"""\t"你好" 他说\n')
    assert (row.prompt, row.response) == ('他说"好"', '"你好" 他说')


def test_a_cell_of_a_tsv_with_a_header_may_run_over_lines():
    rows = read('prompt\tresponse\tid\n"在吗\n""好""？"\t在\t1\n出来吗\t"好\n走\n吧"\t2\n几点\t三点\t3\n')
    assert [(row.prompt, row.response, row.line) for row in rows] == [
        ('在吗\n"好"？', "在", 2),
        ("出来吗", "好\n走\n吧", 4),
        ("几点", "三点", 7),
    ]


def test_a_quoted_cell_of_a_tsv_with_a_header_may_hold_tabs():
    rows = read('prompt\tresponse\tid\n"下雨吗"\t"不知道\t看""预报"""\t1\n几点\t三点\t四点\t3\n"在\t吗\n在"\t在\t4\n')
    assert [(row.prompt, row.response, row.line) for row in rows if isinstance(row, PairRow)] == [
        ("下雨吗", '不知道\t看"预报"', 2),
        ("在\t吗\n在", "在", 4),
    ]
    assert [row.line for row in rows if isinstance(row, BadRow)] == [3]


def test_a_quote_of_a_tsv_that_is_never_closed_costs_its_own_line():
    rows = read('prompt\tresponse\tid\n"在吗\t在\n几点\t三点\t3\n')
    assert [type(row) for row in rows] == [BadRow, PairRow]


def test_balanced_quotes_inside_an_unquoted_cell_are_text():
    (row,) = read(CSV + '他说"好",嗯\n')
    assert row.prompt == '他说"好"'


def test_excerpts_are_short_and_show_what_cannot_be_printed():
    (row,) = [row for row in read("a\tb\nc\0" + "d" * 200 + "\te\r\n") if isinstance(row, BadRow)]
    assert row.excerpt == "c\\x00" + "d" * 74 + "…"
    assert row.file == "forum.txt"
    assert excerpt("在吗\t\u202e\n") == "在吗\\t\\u202e"


@given(st.text(st.characters()))
def test_an_excerpt_is_one_printable_line_of_80_characters(text):
    assert len(excerpt(text)) <= 80
    assert excerpt(text).isprintable()


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
table = st.lists(st.tuples(texts, texts), min_size=1, max_size=8)
dialects = st.sampled_from([("\r\n", csv.QUOTE_MINIMAL), ("\n", csv.QUOTE_ALL), ("\n", csv.QUOTE_MINIMAL)])


def written(rows, end, quoting):
    """With the fewest quotes, the standard module leaves a lone CR unquoted: such texts are always quoted here."""
    if any("\r" in text for row in rows for text in row):
        quoting = csv.QUOTE_ALL
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator=end, quoting=quoting).writerows([("prompt", "response"), *rows])
    return file.getvalue()


@given(table, dialects)
def test_csv_written_by_the_standard_module_reads_back(rows, dialect):
    content = written(rows, *dialect)
    assume(content.count("\r") - content.count("\r\n") <= content.count("\n"))  # or lines would end in CR
    expected = [tuple(join_spaced_chinese(normalise(text)) for text in row) for row in rows]
    read_back = [(row.prompt, row.response) for row in read(content) if isinstance(row, PairRow)]
    assert read_back == [row for row in expected if all(row)]


@given(table, dialects)
def test_every_row_carries_the_physical_line_in_which_it_starts(rows, dialect):
    rows = [(f"p{prompt}".replace("\r", "\n"), f"r{response}".replace("\r", "\n")) for prompt, response in rows]
    starts = [1 + written(rows[:n], *dialect).count("\n") for n in range(len(rows))]
    assert [row.line for row in read(written(rows, *dialect))] == starts


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=8), st.booleans())
def test_jsonl_written_by_the_standard_module_reads_back(rows, ascii_only):
    lines = [json.dumps({"prompt": f"p{p}", "response": f"r{r}"}, ensure_ascii=ascii_only) for p, r in rows]
    expected = [tuple(join_spaced_chinese(normalise(text)) for text in (f"p{p}", f"r{r}")) for p, r in rows]
    assert [(row.prompt, row.response) for row in read("\n".join(lines))] == expected


@given(st.binary(max_size=400))
def test_no_bytes_whatever_stop_the_reading(content):
    for format in ("auto", "csv", "tsv", "jsonl"):
        assert all(isinstance(row, PairRow | BadRow) for row in read(content, format=format))
        assert all(isinstance(row, PairRow | BadRow) for row in read(b"prompt,response\n" + content, format=format))


def test_a_mark_that_is_joined_to_its_letter_is_composed_with_it():
    """Else the stored text would not be in the form that its digest is of."""
    spaced = "か ゙ 今 天 天 气 很 好"
    [row] = read(f"prompt,response\n{spaced},{spaced}\n".encode())
    assert row.prompt == row.response == "が今天天气很好"
