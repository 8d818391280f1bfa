"""Files that cannot be read, or not as they are: the same answer for pairs, for items and for dialogues of a corpus."""

import io
import json
import zipfile
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from openpyxl import Workbook

from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers import formats, items, pairs
from annotation.importers.archive import unpacked
from annotation.importers.dialogues import LONGEST_SAID, Recipe
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow
from tests.annotation.importers.test_reading_workbooks import changed, saved, written

GOOD, REFUSED = "good", "refused"


class SampleTable(NamedTuple):
    """A kind of table: its header, two rows that are read, and the column of a text."""

    header: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    text: int

    def with_text(self, value: object) -> tuple[object, ...]:
        return (*self.first[: self.text], value, *self.first[self.text + 1 :])

    @property
    def rows(self) -> list[tuple[str, ...]]:
        return [self.header, self.first, self.second]


TABLES = {
    "pairs": SampleTable(("提问", "回复"), ("在吗", "在的"), ("吃了吗", "吃了"), 1),
    "items": SampleTable(
        ("对话", "问题", "选项A", "选项B", "选项C", "答案"),
        ("甲：在吗\n乙：在的", "谁在", "甲", "乙", "丙", "B"),
        ("甲：走吗\n乙：不", "谁走", "甲", "乙", "丙", "A"),
        1,
    ),
    "dialogues": SampleTable(
        ("对话", "说话人", "内容", "轮次"), ("d1", "甲", "在吗", "1"), ("d2", "乙", "在的", "1"), 2
    ),
}


def rows_of(kind: str, content: bytes, path: Path) -> list:
    """Return the rows of a file, as a page or a command reads it."""
    path.write_bytes(content)
    if kind != "dialogues":
        return list((pairs if kind == "pairs" else items).read(path, file_name="file"))
    try:
        with unpacked(path, "file") as files:
            return list(formats.READERS[formats.guessed(files)].read(files, ImportLedger(), Recipe()))
    except RowRefused as refused:
        return [BadRow("file", None, refused.reason)]


@pytest.fixture(params=TABLES)
def kind(request) -> str:
    return request.param


@pytest.fixture
def told(kind, tmp_path):
    """Return what is told of a file: the number of rows that can be read, and lines and codes of the others."""

    def tell(content: bytes) -> tuple[int, list[tuple[int | None, str]]]:
        rows = rows_of(kind, content, tmp_path / "file")
        bad = [(row.line, row.reason.code) for row in rows if isinstance(row, BadRow)]
        assert all(str(row.reason) for row in rows if isinstance(row, BadRow))
        return len(rows) - len(bad), bad

    return tell


def objects(table: SampleTable, *rows: tuple[object, ...]) -> list[dict[str, object]]:
    return [dict(zip(table.header, row, strict=True)) for row in rows]


def test_the_rows_of_each_format_are_read(kind, told):
    table = TABLES[kind]
    records = objects(table, table.first, table.second)
    quoted = [[f'"{cell}"' for cell in row] for row in table.rows]
    for content in (
        saved(table.rows),
        "\n".join(",".join(row) for row in quoted).encode(),
        "\n".join(",".join(row) for row in quoted).encode("gb18030"),
        json.dumps(records).encode(),
        "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode(),
    ):
        assert told(content) == (2, [])


def test_of_several_sheets_the_one_with_the_columns_is_read(kind, told):
    assert told(saved(notes=[("made by", "Mina")], export=TABLES[kind].rows)) == (2, [])


def test_a_merged_cell_has_its_value_in_each_row(kind, told):
    table, book = TABLES[kind], Workbook()
    for row in [table.header, table.first, (None, *table.second[1:])]:
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    good, bad = told(written(book))
    assert bad == []
    assert good == (1 if kind == "dialogues" else 2), "both rows are of one dialogue"


def test_a_formula_that_was_never_calculated_refuses_its_row(kind, told):
    table = TABLES[kind]
    assert told(saved([table.header, table.with_text("=A1"), table.second])) == (1, [(2, "formula_without_value")])


def test_a_date_is_a_text(kind, told):
    table = TABLES[kind]
    assert told(saved([table.header, table.with_text(date(2026, 11, 26)), table.second])) == (2, [])


def test_an_error_of_a_cell_refuses_its_row(kind, told):
    table = TABLES[kind]
    assert told(saved([table.header, table.with_text("#N/A"), table.second])) == (1, [(2, "cell_error")])


def test_empty_rows_are_none_however_many_excel_may_have(kind, told):
    empty = b"".join(b'<row r="%d"/>' % number for number in range(4, 100_000))
    content = changed(
        saved(TABLES[kind].rows), sheet1=lambda xml: xml.replace(b"</sheetData>", empty + b"</sheetData>")
    )
    assert told(content) == (2, [])


LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(70_000) + "EncryptedPackage".encode("utf-16-le")
WHOLE = {
    "ten million empty rows": (
        lambda table: changed(
            saved(table.rows), sheet1=lambda xml: xml.replace(b"</sheetData>", b'<row r="10000000"/></sheetData>')
        ),
        "sheet_rows",
    ),
    "a password": (lambda table: LOCKED, "workbook_locked"),
    "a cut workbook": (
        lambda table: changed(saved(table.rows), sheet1=lambda xml: xml[: len(xml) // 2]),
        "workbook_broken",
    ),
    "100,000 brackets": (lambda table: b"[" * 100_000, "json_deep_file"),
    "100,000 objects": (lambda table: b'[{"a": ' * 100_000, "json_deep_file"),
    "a JSON array that ends too early": (
        lambda table: json.dumps(objects(table, table.first))[:-1].encode(),
        "json_broken_file",
    ),
    "an old export": (lambda table: b'[{"id": 1, "data": {"prompt": "a"}, "completions": []}]', "export_version"),
    "an export of boxes": (
        lambda table: json.dumps(
            [
                {
                    "data": {"image": "x"},
                    "annotations": [{"result": [{"type": "rectanglelabels", "from_name": "b", "value": {}}]}],
                }
            ]
        ).encode(),
        "export_task",
    ),
    "an export of entities": (lambda table: b'{"id": 1, "text": "a b", "label": [[0, 1, "PER"]]}\n', "export_task"),
    "an export of a data set before feedback": (
        lambda table: b'[{"inputs": {"text": "a"}, "prediction": null, "annotation": "good"}]',
        "export_version",
    ),
}


@pytest.mark.parametrize("file", WHOLE)
def test_a_file_that_cannot_be_read_is_refused_whole_with_the_reason(kind, told, file):
    make, code = WHOLE[file]
    assert (None, code) in told(make(TABLES[kind]))[1]


def test_macros_are_left_where_they_are(kind, told):
    file = io.BytesIO(saved(TABLES[kind].rows))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 macros")
    assert told(file.getvalue()) == (2, [])


def test_a_row_that_is_broken_costs_only_itself(kind, told):
    table = TABLES[kind]
    lines = [json.dumps(record, ensure_ascii=False) for record in objects(table, table.first, table.second)]
    content = "\n".join([lines[0], '{"对话": ', "[" * 100_000, lines[1]]).encode()
    assert told(content) == (2, [(2, "json_broken"), (3, "json_deep")])


def test_a_text_that_is_too_long_is_not_cut(kind, told):
    table = TABLES[kind]
    too_long = "长" * (LONGEST_SAID + 1)
    content = json.dumps(objects(table, table.with_text(too_long), table.second)).encode()
    assert told(content) == (1, [(1, "cell_too_long")])
