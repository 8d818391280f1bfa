"""Workbooks are written here by openpyxl, which is another implementation of the format."""

import io
import re
import zipfile
from datetime import date, datetime, time

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from annotation.domain.rating.rating import Scale, default_guideline
from annotation.importers import pairs, ratings
from annotation.importers.headers import sniff
from annotation.importers.layout import LayoutChoice
from annotation.importers.preview import preview
from annotation.importers.rows import BadRow
from annotation.importers.workbook import Workbook as OurWorkbook
from annotation.selectors.imports import shown

FIVE = Scale(1, 5)
HEADER = ("提问", "回复", "编号")
TWO = [HEADER, ("在吗", "在的", "p1"), ("吃了吗", "吃了", "p2")]


def saved(*sheets, **named):
    """Return the bytes of a workbook with these sheets, lists of rows."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in {**{f"s{number}": rows for number, rows in enumerate(sheets)}, **named}.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return written(book)


def written(book):
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def changed(content, **parts):
    """Return a workbook with parts replaced: by the text, or by what a function makes of them."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            change = next((change for part, change in parts.items() if part in name.replace("/", "_")), None)
            new.writestr(name, change(old.read(name)) if change else old.read(name))
    return file.getvalue()


def with_shared_strings(content):
    """Return the workbook with its texts in a part of their own, as Excel writes it; openpyxl leaves them in cells."""
    texts = []

    def share(cell):
        texts.append(b"<si>%s<rPh sb='0' eb='1'><t>aside</t></rPh></si>" % cell[2])
        return b'%s t="s"><v>%d</v></c>' % (cell[1], len(texts) - 1)

    inline = re.compile(rb'(<c r="\w+"[^>]*?) t="inlineStr"[^>]*><is>(.*?)</is></c>')
    link = b'<Relationship Type="http://x/sharedStrings" Target="/xl/sharedStrings.xml" Id="rId99"/></Relationships>'
    shared = changed(
        content,
        sheet1=lambda xml: inline.sub(share, xml),
        **{"workbook.xml.rels": lambda xml: xml.replace(b"</Relationships>", link)},
    )
    file = io.BytesIO(shared)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/sharedStrings.xml", b"<sst>" + b"".join(texts) + b"</sst>")
    return file.getvalue()


def read(content, **choice):
    return list(pairs.read(io.BytesIO(content), file_name="forum.xlsx", choice=LayoutChoice(**choice)))


def kept(content, **choice):
    return [(row.line, row.prompt, row.response) for row in read(content, **choice)]


def refused(content, **choice):
    return [(row.line, row.reason.code) for row in read(content, **choice) if isinstance(row, BadRow)]


def test_the_columns_are_found_by_their_chinese_names():
    rows = read(saved(TWO))
    assert [(row.line, row.prompt, row.response, row.external_id) for row in rows] == [
        (2, "在吗", "在的", "p1"),
        (3, "吃了吗", "吃了", "p2"),
    ]


@pytest.mark.parametrize(
    ("prompt", "response"), [("对话", "回复"), ("问题", "回答"), ("query", "reply"), ("Question", "Answer（原文）")]
)
def test_usual_names_of_columns_are_known(prompt, response):
    assert kept(saved([(prompt, response), ("a", "b")])) == [(2, "a", "b")]


def test_a_title_above_the_header_is_left_out():
    assert kept(saved([("十月导出",), (), *TWO]))[0] == (4, "在吗", "在的")


def test_a_column_with_content_and_without_a_name_is_not_forgotten():
    rows = [("prompt", "response", "score", "", ""), ("", "", "Ann", "Bo", ""), ("a", "b", 3, 4, "")]
    seen = preview(io.BytesIO(saved(rows)))
    assert seen.parsed_header.names == ("prompt", "response", "score", "")
    assert len(shown(seen, pairs.SCHEMA).left_out) == 1


@pytest.mark.parametrize(
    ("content", "left_out"), [("prompt,response,,\na,b,,\n", 0), ("prompt,response,,\na,b,,c\n", 1)]
)
def test_an_empty_column_without_a_name_is_not_spoken_of(content, left_out):
    assert len(shown(preview(io.BytesIO(content.encode())), pairs.SCHEMA).left_out) == left_out


def test_the_row_of_names_below_a_title_is_offered_where_no_name_is_known():
    rows = [("Export of May", "", ""), (), ("User prompt", "Model response", "Mark"), ("a", "b", 3), ("c", "d", 4)]
    assert preview(io.BytesIO(saved(rows))).parsed_header.names == ("User prompt", "Model response", "Mark")
    columns = {"prompt": "User prompt", "response": "Model response"}
    assert kept(saved(rows), columns=columns) == [(4, "a", "b"), (5, "c", "d")]
    assert preview(io.BytesIO(saved([("x", "y", ""), ("a", "b", "c")]))).parsed_header.names == ("x", "y", "")


def test_of_several_sheets_the_one_with_pairs_is_read_and_another_can_be_chosen():
    content = saved(notes=[("made by", "Mina")], export=TWO, more=[HEADER, ("再见", "拜拜", "p3")])
    assert kept(content)[0] == (2, "在吗", "在的")
    assert kept(content, sheet="more") == [(2, "再见", "拜拜")]
    assert refused(content, sheet="gone") == [(None, "no_such_sheet")]
    assert sniff(io.BytesIO(content), "auto", pairs.SCHEMA).sheets == ("notes", "export", "more")


def test_a_hidden_sheet_comes_last():
    book = Workbook()
    book.active.title = "hidden"
    book.active.append(HEADER)
    book.active.append(("secret", "pair", ""))
    book.active.sheet_state = "hidden"
    for row in TWO:
        book["export"].append(row) if "export" in book.sheetnames else book.create_sheet("export").append(row)
    assert kept(written(book))[0] == (2, "在吗", "在的")


def test_a_prompt_merged_over_its_responses_is_the_prompt_of_each():
    book = Workbook()
    for row in [HEADER, ("在吗", "在的", ""), (None, "不在", ""), (None, "干嘛", ""), ("走吗", "走", "")]:
        book.active.append(row)
    book.active.merge_cells("A2:A4")
    assert kept(written(book)) == [(2, "在吗", "在的"), (3, "在吗", "不在"), (4, "在吗", "干嘛"), (5, "走吗", "走")]


def test_a_formula_without_a_stored_value_is_refused_where_it_is_read():
    rows = [HEADER, ("=A1", "b", ""), ("a", "b", "=1+1"), ("c", "d", "p")]
    content = saved(rows)
    assert refused(content) == [(2, "formula_without_value"), (3, "formula_without_value")]
    assert refused(content, columns={"id": ""}) == [(2, "formula_without_value")]


def test_a_formula_has_the_value_that_was_stored_with_it():
    content = saved([HEADER, ("=A1", "b", "")])
    stored = changed(
        content,
        sheet1=lambda xml: (
            xml.replace(b'<c r="A2">', b'<c r="A2" t="str">')
            .replace(b"<v/>", b"<v>hi</v>")
            .replace(b"<v />", b"<v>hi</v>")
        ),
    )
    assert kept(stored) == [(2, "hi", "b")]


def test_an_error_of_excel_is_no_text():
    content = saved([HEADER, ("#N/A", "b", "")])
    assert refused(content) == [(2, "cell_error")]


def test_dates_and_numbers_read_as_people_write_them():
    values = [date(2026, 11, 26), datetime(1999, 1, 2, 3, 4, 5), time(23, 15), 4.0, 0.1 + 0.2, True, 1e20]
    rows = [HEADER, *((f"p{number}", value, "") for number, value in enumerate(values))]
    assert [response for _line, _prompt, response in kept(saved(rows))] == [
        "2026-11-26",
        "1999-01-02 03:04:05",
        "23:15:00",
        "4",
        "0.3",
        "TRUE",
        "1e+20",
    ]


def test_rich_text_is_read_without_its_fonts():
    rich = CellRichText("so ", TextBlock(InlineFont(b=True), "good"))
    assert kept(saved([HEADER, ("how", rich, "")])) == [(2, "how", "so good")]


def test_a_sheet_without_a_header_is_read_by_numbers():
    assert kept(saved([("在吗", "在的"), ("走吗", "走")]), header=False) == [(1, "在吗", "在的"), (2, "走吗", "走")]


def test_empty_rows_are_no_rows_however_many():
    def with_empty(xml):
        empty = b"".join(b'<row r="%d"/>' % number for number in range(4, 300_000))
        return xml.replace(b"</sheetData>", empty + b"</sheetData>")

    content = changed(saved(TWO), sheet1=with_empty)
    assert kept(content) == [(2, "在吗", "在的"), (3, "吃了吗", "吃了")]


def test_a_row_of_cells_with_spaces_alone_is_no_row():
    spaces = (" ", "\u3000", "  ")
    assert [row[:3] for row in read(saved([HEADER, spaces, *TWO[1:], spaces]))] == [
        (3, "在吗", "在的"),
        (4, "吃了吗", "吃了"),
    ]


def test_a_row_below_the_last_that_excel_has_refuses_the_sheet():
    content = changed(saved(TWO), sheet1=lambda xml: xml.replace(b"</sheetData>", b'<row r="10000000"/></sheetData>'))
    assert (None, "sheet_rows") in refused(content)


def test_a_workbook_behind_a_password_says_so():
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(70_000)
    assert refused(ole + "EncryptedPackage".encode("utf-16-le")) == [(None, "workbook_locked")]
    assert refused(ole + "Workbook".encode("utf-16-le")) == [(None, "workbook_old")]


def test_macros_are_left_where_they_are():
    file = io.BytesIO(saved(TWO))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 macros")
    assert len(kept(file.getvalue())) == 2


def test_a_workbook_that_unpacks_to_too_much_is_not_opened(monkeypatch):
    monkeypatch.setattr("annotation.importers.workbook.MOST_BYTES", 10_000)
    assert refused(changed(saved(TWO), sheet1=lambda xml: xml + b" " * 1_000_000)) == [(None, "workbook_too_large")]


@pytest.mark.parametrize("part", ["sheet1", "sharedStrings", "xl_workbook.xml"])
def test_entities_are_not_expanded(part):
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "cccccccc">]>'
    content = with_shared_strings(saved(TWO))
    assert refused(changed(content, **{part: lambda xml: bomb + xml})) == [(None, "workbook_broken")]


@pytest.mark.parametrize("part", ["sheet1", "sharedStrings", "styles", "xl_workbook.xml"])
def test_a_cut_workbook_is_refused_whole(part):
    content = with_shared_strings(saved(TWO))
    assert (None, "workbook_broken") in refused(changed(content, **{part: lambda xml: xml[: len(xml) // 2]}))


@pytest.mark.parametrize("size", [200, 2_000])
def test_the_beginning_of_a_workbook_is_called_damaged(size):
    content = saved(TWO)
    assert len(content) > size
    assert refused(content[:size]) == [(None, "workbook_broken")]


def test_binary_and_open_document_workbooks_are_named():
    for part in ("xl/workbook.bin", "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(part, "x")
        assert refused(file.getvalue()) == [(None, "workbook_kind")]


def test_texts_that_cells_share_are_read_without_how_they_sound():
    assert kept(with_shared_strings(saved(TWO))) == kept(saved(TWO))


def test_grades_are_read_from_a_sheet_too():
    content = saved([("编号", "评分员", "评分"), ("p1", "mk", 3), ("p1", "jp", "n/a")])
    rows = list(ratings.read(io.BytesIO(content), scale=FIVE, guideline=default_guideline(FIVE)))
    assert [row.reason.code if isinstance(row, BadRow) else (row.item, row.rater, row.grade) for row in rows] == [
        ("p1", "mk", 3),
        "grade_no_number",
    ]


def test_no_character_that_xml_cannot_hold_gets_through():
    escaped = lambda xml: xml.replace("在吗".encode(), b"a_x0000_b").replace("吃了吗".encode(), b"_x000D_ok_x005F_")  # noqa: E731
    content = changed(with_shared_strings(saved(TWO)), sharedStrings=escaped)
    assert [(row.line, getattr(row, "prompt", None)) for row in read(content)] == [(2, None), (3, "ok_")]


def test_sheets_that_are_no_tables_are_not_listed():
    book = Workbook()
    for row in TWO:
        book.active.append(row)
    book.create_chartsheet("chart")
    assert OurWorkbook(io.BytesIO(written(book))).sheets == ("Sheet",)
