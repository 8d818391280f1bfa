"""import_pairs: nothing or all, each refused row with file, line and reason, exit codes that scripts can trust."""

import pytest

from annotation.domain.workflow import ImportState
from annotation.models import Import, Item

GOOD = "吃了吗?\t吃了,你呢?\n周末去哪儿?\t去爬山。\n"
BROKEN = "没有回复\t\n只有一列\n"


@pytest.fixture
def file(tmp_path):
    def write(content: bytes | str, name: str = "pairs.tsv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_a_good_file_is_stored(shell, project, file):
    printed = shell("import_pairs", "weibo", file(GOOD))
    assert (printed.code, printed.err) == (0, "")
    assert printed.out == "2 pairs stored of 2 rows; 0 duplicate, 0 refused.\n"
    assert Item.objects.count() == 2


def test_json_is_one_object_and_nothing_else(shell, project, file):
    printed = shell("import_pairs", "weibo", file(GOOD), "--json")
    assert printed.json == {
        "rows": 2,
        "stored": 2,
        "duplicate": 0,
        "refused": 0,
        "rows_duplicate": [],
        "rows_refused": [],
    }


def test_a_refused_row_keeps_everything_out(shell, project, file):
    printed = shell("import_pairs", "weibo", file(GOOD + BROKEN))
    assert (printed.code, printed.out) == (1, "")
    assert printed.err.splitlines() == [
        "pairs.tsv, line 3: no response after the tab",
        "pairs.tsv, line 4: no tab between prompt and response",
        "Nothing was stored: 2 of 4 rows were refused. Correct them, or store the others with --partial.",
    ]
    assert Item.objects.count() == 0
    assert Import.objects.get().state == ImportState.DISCARDED


def test_a_refusal_as_json_names_every_row(shell, project, file):
    printed = shell("import_pairs", "weibo", file(GOOD + BROKEN), "--json")
    assert printed.code == 1
    told = printed.json
    assert (told["rows"], told["stored"], told["refused"]) == (4, 0, 2)
    assert told["rows_refused"][0] == {
        "file": "pairs.tsv",
        "line": 3,
        "code": "no_response_after_tab",
        "reason": "no response after the tab",
    }


def test_partial_keeps_the_good_rows(shell, project, file):
    printed = shell("import_pairs", "weibo", file(GOOD + BROKEN), "--partial", "--json")
    assert printed.code == 0
    assert (printed.json["stored"], printed.json["refused"], len(printed.json["rows_refused"])) == (2, 2, 2)
    assert Item.objects.count() == 2


def test_the_same_file_twice_adds_nothing_and_says_so(shell, project, file):
    path = file(GOOD)
    shell("import_pairs", "weibo", path)
    printed = shell("import_pairs", "weibo", path)
    assert printed.code == 0
    assert printed.out == "0 pairs stored of 2 rows; 2 duplicate, 0 refused.\n"
    assert Item.objects.count() == 2


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        (b"", None, "empty"),
        (b"prompt,antwort\n1,2\n", None, "missing_column"),
        (b"PK\x03\x04", None, "archive"),
        (b"%PDF-1.7", None, "foreign"),
        ("prénom\tréponse à côté\n".encode("latin-1") * 3, None, "encoding"),
        (b"\0" * 50, None, "binary"),
        (GOOD.encode() + b"a\0b\tc\n", 3, "nul"),
        (GOOD.encode() + b"x" * 2_000_000 + b"\ty\n", 3, "line_too_long"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--partial",)])
def test_every_bad_file_has_its_reason(shell, project, file, content, line, code, more):
    printed = shell("import_pairs", "weibo", file(content), "--json", *more)
    [row] = printed.json["rows_refused"]
    assert (row["line"], row["code"]) == (line, code)
    keeps_good_rows = line is not None and bool(more)
    assert printed.code == (0 if keeps_good_rows else 1)
    assert Item.objects.count() == (2 if keeps_good_rows else 0)


def test_gb18030_is_recognised(shell, project, file):
    assert shell("import_pairs", "weibo", file(GOOD.encode("gb18030"))).code == 0
    assert Item.objects.filter(content__prompt="吃了吗?").exists()


def texts() -> list[tuple[str, str]]:
    return sorted((item.content["prompt"], item.content["response"]) for item in Item.objects.all())


def test_columns_by_other_names_are_mapped(shell, project, file):
    path = file("编号,乙,甲\n7,吃了。,吃了吗?\n", "posts.csv")
    refused = shell("import_pairs", "weibo", path)
    assert (refused.code, "found: 编号, 乙, 甲" in refused.err) == (1, True)
    assert shell("import_pairs", "weibo", path, "--map", "prompt=甲", "response=乙", "id=编号").code == 0
    assert texts() == [("吃了吗?", "吃了。")]
    assert Item.objects.get().external_id == "7"


def test_columns_without_a_header_are_mapped_by_number(shell, project, file):
    path = file("7,吃了。,吃了吗?\n8,去爬山。,周末去哪儿?\n", "posts.csv")
    assert shell("import_pairs", "weibo", path, "--no-header", "--map", "prompt=3", "response=2").code == 0
    assert texts() == [("吃了吗?", "吃了。"), ("周末去哪儿?", "去爬山。")]


def test_without_a_header_the_first_columns_are_prompt_and_response(shell, project, file):
    assert shell("import_pairs", "weibo", file("吃了吗?,吃了。\n", "posts.csv"), "--no-header").code == 0
    assert texts() == [("吃了吗?", "吃了。")]


def test_an_encoding_that_is_not_guessed_can_be_named(shell, project, file):
    path = file("為什麼聽一面之辭就相信\t只有當事人才能知道吧\n".encode("big5"))
    assert shell("import_pairs", "weibo", path).code == 1
    assert shell("import_pairs", "weibo", path, "--encoding", "Big5").code == 0
    assert texts() == [("為什麼聽一面之辭就相信", "只有當事人才能知道吧")]


def test_a_column_that_is_not_there_is_told_with_those_that_are(shell, project, file):
    printed = shell("import_pairs", "weibo", file("问题,回复\n1,2\n", "p.csv"), "--map", "prompt=问", "response=回复")
    assert printed.code == 1
    assert 'There is no column "问" to read "prompt" from; found: 问题, 回复' in printed.err


def test_duplicate_rows_name_the_line_they_equal(shell, project, file):
    shell("import_pairs", "weibo", file("还有吗?\t还有。\n", "first.tsv"))
    printed = shell("import_pairs", "weibo", file(GOOD + GOOD.splitlines()[1] + "\n还有吗?\t还有。\n"), "--json")
    assert printed.json["rows_duplicate"] == [
        {"line": 3, "first_line": 2, "first_file": ""},
        {"line": 4, "first_line": 1, "first_file": "first.tsv"},
    ]


def test_many_refused_rows_are_told_in_short_and_listed_as_json(shell, project, file):
    path = file("只有一列\t\n" * 80)
    printed = shell("import_pairs", "weibo", path)
    assert printed.err.splitlines()[-2:] == [
        "and 30 more; --json lists them",
        "Nothing was stored: all 80 rows were refused.",
    ]
    assert len(shell("import_pairs", "weibo", path, "--json").json["rows_refused"]) == 80


@pytest.mark.parametrize(
    "arguments",
    [
        ("weibo",),
        ("weibo", "/no/such/file"),
        ("weibo", "FILE", "--format", "ods"),
        ("nobody", "FILE"),
        ("weibo", "FILE", "--as", "nobody"),
        ("weibo", "FILE", "--what"),
        ("weibo", "FILE", "--encoding", "klingon"),
        ("weibo", "FILE", "--map", "question=1"),
        ("weibo", "FILE", "--map", "prompt"),
    ],
)
def test_wrong_usage_ends_with_2(shell, project, file, arguments):
    path = file(GOOD)
    printed = shell("import_pairs", *(path if each == "FILE" else each for each in arguments))
    assert (printed.code, printed.out) == (2, "")
    assert printed.err
    assert Item.objects.count() == 0


def test_commands_act_as_the_administrator_unless_told_otherwise(shell, project, researcher, administrator, file):
    shell("import_pairs", "weibo", file(GOOD))
    shell("import_pairs", "weibo", file("还有吗?\t还有。\n"), "--as", "rui")
    assert [each.created_by for each in Import.objects.order_by("pk")] == [administrator, researcher]
