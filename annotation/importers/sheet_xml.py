"""The XML of a workbook's parts, read as a stream. A part that declares a document type is refused."""

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from xml.parsers import expat

from annotation.importers.cell_values import unescaped
from annotation.importers.reasons import RefusalReason, RowRefused

MOST_STRINGS = 128 << 20  # bytes of the shared strings, which are held in memory
MOST_SMALL = 16 << 20  # bytes of each of the parts that are read whole
MOST_ROWS = 1 << 20  # of a sheet of Excel
MOST_COLUMNS = 1 << 14
MOST_MERGED = 100_000
CHUNK = 64 * 1024
LONGEST_TAG = 256  # bytes of a tag that names merged cells

MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"')
REFERENCE = re.compile(r"([A-Z]{1,3})\d*")

Cell = str | RefusalReason  # text, or why the cell cannot be read


class SheetRow(NamedTuple):
    """A row with something in it: its number from 1, and its cells by their numbers from 0."""

    number: int
    cells: dict[int, Cell]

    def texts(self, width: int) -> list[str]:
        """Return the first cells as texts, empty for those that cannot be read."""
        cells = (self.cells.get(column, "") for column in range(width))
        return [cell if isinstance(cell, str) else "" for cell in cells]


def pieces(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    with archive.open(part) as source:
        yield from iter(lambda: source.read(CHUNK), b"")


def new_parser() -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(*_declared: object) -> None:
    raise RowRefused("workbook_broken")


class Elements(dict[str, list[Mapping[str, str]]]):
    """The attributes of all elements of a small part, by name without prefix, in their order."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        super().__init__()
        if archive.getinfo(part).file_size > MOST_SMALL:
            raise RowRefused("workbook_part_too_large")
        parser = new_parser()
        parser.StartElementHandler = self._start
        self._path: list[str] = []
        parser.EndElementHandler = lambda _name: self._path.pop()
        parser.Parse(archive.read(part), True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = local(name)
        of_cells = name == "xf" and self._path[-1:] == ["cellXfs"]
        self._path.append(name)
        self.setdefault("cell xf" if of_cells else name, []).append(attributes)

    def __missing__(self, name: str) -> list[Mapping[str, str]]:
        return []


def local(name: str) -> str:
    return name.rpartition(":")[2]


class SharedStrings:
    """The texts that cells share, read as far as they are asked for."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        if part and archive.getinfo(part).file_size > MOST_STRINGS:
            raise RowRefused("workbook_part_too_large")
        self._texts: list[str] = []
        self._text: list[str] = []
        self._is_text, self._aside = False, 0
        self._pieces = pieces(archive, part) if part else iter(())
        self._parser = new_parser()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add

    def __getitem__(self, index: int) -> str:
        while index >= len(self._texts):
            piece = next(self._pieces, None)
            if piece is None:
                raise RowRefused("workbook_broken")
            self._parser.Parse(piece)
        return self._texts[index]

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        name = local(name)
        self._aside += name == "rPh"  # how the text is pronounced
        self._is_text = name == "t" and not self._aside

    def _end(self, name: str) -> None:
        name = local(name)
        self._is_text = False
        self._aside -= name == "rPh"
        if name == "si":
            self._texts.append(unescaped("".join(self._text)))
            self._text.clear()

    def _add(self, text: str) -> None:
        if self._is_text:
            self._text.append(text)


class Sheet:
    """The rows of a sheet's XML, as far as it was parsed."""

    def __init__(self, text_of: Callable[[str, int, str, bool], Cell]) -> None:
        self._text_of = text_of
        self._rows: list[SheetRow] = []
        self._number = self._column = 0
        self._cells: dict[int, Cell] = {}
        self._value: list[str] = []
        self._is_value = self._has_formula = False
        self._aside = 0
        self._kind, self._style = "n", 0
        self._parser = new_parser()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add

    def parse(self, piece: bytes, is_last: bool = False) -> None:
        self._parser.Parse(piece, is_last)

    def taken(self) -> list[SheetRow]:
        rows, self._rows = self._rows, []
        return rows

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = local(name)
        if name == "c":
            self._begin_cell(attributes)
        elif name in ("v", "t"):
            self._is_value = not self._aside
        elif name == "f":
            self._has_formula = True
        elif name == "rPh":
            self._aside += 1
        elif name == "row":
            self._number = int(attributes.get("r") or self._number + 1)
            if self._number > MOST_ROWS:
                raise RowRefused("sheet_rows", limit=f"{MOST_ROWS:,}")
            self._cells, self._column = {}, -1

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        self._column = column_number(attributes["r"]) if "r" in attributes else self._column + 1
        self._kind, self._style = attributes.get("t", "n"), int(attributes.get("s") or 0)
        self._value.clear()
        self._has_formula = False

    def _add(self, text: str) -> None:
        if self._is_value:
            self._value.append(text)

    def _end(self, name: str) -> None:
        name = local(name)
        if name in ("v", "t"):
            self._is_value = False
        elif name == "c":
            if self._value or self._has_formula:
                cell = self._text_of(self._kind, self._style, "".join(self._value), self._has_formula)
                if not isinstance(cell, str) or cell.strip():
                    self._cells[self._column] = cell
        elif name == "rPh":
            self._aside -= 1
        elif name == "row":
            self._rows.append(SheetRow(self._number, self._cells))


def column_number(reference: str) -> int:
    """Return the number from 0 of the column in a reference such as AB12. Raises ValueError."""
    found = REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(reference)
    number = 0
    for letter in found[1]:
        number = 26 * number + ord(letter) - ord("A") + 1
    if number > MOST_COLUMNS:
        raise ValueError(reference)
    return number - 1


class Merged:
    """The cells that are merged with those below them. The XML names them after all rows."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        self._last_row: dict[tuple[int, int], int] = {}  # by the row and column of the first cell
        rest = b""
        for piece in pieces(archive, part):
            rest += piece
            for column, first, last in MERGED.findall(rest):
                if int(last) > int(first):
                    self._last_row[int(first), column_number(column.decode())] = int(last)
                if len(self._last_row) > MOST_MERGED:
                    raise RowRefused("workbook_part_too_large")
            rest = rest[-LONGEST_TAG:]
        self._firsts = {row for row, column in self._last_row}
        self._open: dict[int, tuple[int, Cell]] = {}  # by column: the last row, and the value

    def fill(self, row: SheetRow) -> None:
        """Write the value of merged cells into those of the row that have none."""
        for column, (last, value) in list(self._open.items()):
            if row.number > last:
                del self._open[column]
            else:
                row.cells.setdefault(column, value)
        if row.number in self._firsts:
            for column, value in row.cells.items():
                if last_row := self._last_row.get((row.number, column)):
                    self._open[column] = last_row, value
