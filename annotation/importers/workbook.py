"""Sheets of an .xlsx workbook (ECMA-376, part 1, chapter 18), read as a stream of rows of texts.

A workbook is not trusted: its parts are bounded by their unpacked sizes before one is read, and a part that declares
a document type (which entities would need) is refused. Macros and formulas are never run: a cell has the value that was
stored with it. The cells below the first of a merged column have its value.
"""

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import BinaryIO
from xml.parsers import expat

from annotation.importers.cell_values import date, date_styles, number, unescaped
from annotation.importers.foreign import OLE
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.sheet_xml import CHUNK, Cell, Elements, Merged, SharedStrings, Sheet, SheetRow, pieces

MOST_BYTES = 512 << 20  # of all parts, unpacked
MOST_PARTS = 10_000
LOCKED = "EncryptedPackage".encode("utf-16-le")
BROKEN = (zipfile.BadZipFile, zlib.error, expat.ExpatError, EOFError, KeyError, NotImplementedError, ValueError)


class Workbook:
    """An open workbook; `sheets` are the names of those with cells, the hidden ones last. Raises RowRefused."""

    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        if file.read(len(OLE)) == OLE:
            raise RowRefused("workbook_locked" if _is_locked(file) else "workbook_old")
        try:
            self._archive = zipfile.ZipFile(file)
            _look_at_parts(self._archive)
            self._open()
        except BROKEN as broken:
            raise RowRefused("workbook_broken") from broken

    @property
    def sheets(self) -> tuple[str, ...]:
        return tuple(self._parts)

    def rows(self, sheet: str) -> Iterator[SheetRow]:
        """Yield the rows of a sheet that are not empty. Raises RowRefused, at any row, where the rest is broken."""
        try:
            yield from self._rows(self._parts[sheet])
        except BROKEN as broken:
            raise RowRefused("workbook_broken") from broken

    def _open(self) -> None:
        book = Elements(self._archive, "xl/workbook.xml")
        targets = {each["Id"]: each for each in Elements(self._archive, "xl/_rels/workbook.xml.rels")["Relationship"]}
        listed = sorted(book["sheet"], key=lambda each: each.get("state", "visible") != "visible")
        self._parts = {
            each["name"]: _path(targets[key]["Target"])
            for each in listed
            if (key := _relationship(each)) in targets and targets[key]["Type"].endswith("/worksheet")
        }
        if not self._parts:
            raise RowRefused("workbook_no_sheet")
        since_1904 = any(each.get("date1904") in ("1", "true") for each in book["workbookPr"])
        self._day_zero = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        strings = next((_path(each["Target"]) for each in targets.values() if _ends(each, "/sharedStrings")), "")
        self._strings = SharedStrings(self._archive, strings)
        styles = next((_path(each["Target"]) for each in targets.values() if _ends(each, "/styles")), "")
        self._dates = date_styles(Elements(self._archive, styles)) if styles else set()

    def _rows(self, part: str) -> Iterator[SheetRow]:
        merged = Merged(self._archive, part)
        sheet = Sheet(self._text)
        for piece in pieces(self._archive, part):
            sheet.parse(piece)
            for row in sheet.taken():
                merged.fill(row)
                if row.cells:
                    yield row
        sheet.parse(b"", is_last=True)

    def _text(self, kind: str, style: int, value: str, has_formula: bool) -> Cell:
        """Return the text of a cell from its type, style and stored value."""
        if has_formula and not value and kind != "str":
            return RefusalReason("formula_without_value")
        if kind == "s":
            return self._strings[int(value)] if value else ""
        if kind == "e":
            return RefusalReason("cell_error", {"error": value[:20]})
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind in ("str", "inlineStr", "d") or not value:
            return unescaped(value)
        return date(self._day_zero, float(value)) if style in self._dates else number(value)


def _is_locked(file: BinaryIO) -> bool:
    """Return whether a document of Office's old container is a new one behind a password."""
    rest = b""
    for piece in iter(lambda: file.read(CHUNK), b""):
        if LOCKED in rest + piece:
            return True
        rest = piece[-len(LOCKED) :]
    return False


def _look_at_parts(archive: zipfile.ZipFile) -> None:
    """Refuse what is too large or locked; zipfile reads no more of a part than the size that it declares."""
    parts = archive.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_BYTES:
        raise RowRefused("workbook_too_large", limit=MOST_BYTES >> 20)
    if any(part.flag_bits & 1 for part in parts):
        raise RowRefused("workbook_locked")
    names = {part.filename for part in parts}
    if "xl/workbook.xml" not in names:
        kind = ".xlsb" if "xl/workbook.bin" in names else "OpenDocument (.ods)" if "content.xml" in names else "zip"
        raise RowRefused("workbook_kind", kind=kind)


def _relationship(sheet: Mapping[str, str]) -> str:
    return next((value for name, value in sheet.items() if name.endswith(":id")), "")


def _ends(relationship: Mapping[str, str], kind: str) -> bool:
    return relationship["Type"].endswith(kind)


def _path(target: str) -> str:
    return target[1:] if target.startswith("/") else f"xl/{target}"
