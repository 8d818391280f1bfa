"""Recognition of a file's layout by its content: format, sheet, delimiter and header."""

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import BinaryIO

from annotation.importers import argilla, prodigy
from annotation.importers.columns import Schema, header_names, is_header, known_names
from annotation.importers.delimited import OF_LINES
from annotation.importers.encoding import Encoding, chosen_encoding, recognise_encoding, tells_encoding
from annotation.importers.exports import flattened
from annotation.importers.foreign import OLE, is_workbook, refuse_foreign
from annotation.importers.json_array import begins_document, entries, json_text, list_within, refusal_of_object
from annotation.importers.layout import DELIMITERS, GUESS, HEAD, Layout, LayoutChoice, ParsedHeader
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.rater_columns import told_apart
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import excerpt
from annotation.importers.sheet_xml import SheetRow
from annotation.importers.workbook import Workbook
from annotation.importers.zipped_exports import is_zipped_export, zipped_lines

SAMPLE_LINES = 200
SAMPLE_CHARACTERS = 256 * 1024
HEADER_WITHIN = 10  # rows of a sheet, the header's included, that may be above its content
MOST_COLUMNS = 256  # of a sheet
JSON_OBJECT = re.compile(r'\s*\{\s*["}]')
JSON_WORDS = ("null", "true", "false")  # whole documents that hold no record
YAML = re.compile(r"(---|%YAML.*|[\w -]+:)\s*$")


def recognise(file: BinaryIO, format: str, schema: Schema, choice: LayoutChoice = GUESS) -> Layout:
    """Return the layout of a seekable file. Raises RowRefused for the whole file.

    ``format`` is auto, csv, tsv, jsonl, json or xlsx.
    """
    return sniff(file, format, schema, choice).layout(schema, choice)


def sniff(file: BinaryIO, format: str, schema: Schema, choice: LayoutChoice = GUESS) -> ParsedHeader:
    """Return the header of a seekable file before its columns are mapped. Raises RowRefused for the whole file."""
    file.seek(0)
    head = file.read(HEAD)
    if format == "xlsx" or (format == "auto" and (head.startswith(OLE) or is_workbook(file, head))):
        return _of_sheet(Workbook(file), schema, choice)
    if format == "auto" and head.startswith(b"PK") and is_zipped_export(file):
        values = [line.value for line in islice(zipped_lines(file), SAMPLE_LINES)]
        return _of_objects("zip", Encoding("utf-8"), values)
    if not tells_encoding(head) and not choice.encoding.startswith("utf-16"):
        refuse_foreign(file, head)
    encoding = chosen_encoding(file, choice.encoding) if choice.encoding else recognise_encoding(file)
    encoding = replace(encoding, longest_line=choice.longest_line)
    sample = _sample(file, encoding)
    if not sample:
        raise RowRefused("empty")
    if format in ("auto", "json") and len(sample) == 1 and sample[0].strip() in JSON_WORDS:
        raise RowRefused("json_no_array")
    if format == "json" or begins_document(sample[0]):
        if format not in ("auto", "json") or not sample[0].lstrip().startswith("["):
            raise refusal_of_object(file, encoding)
        values = [entry.value for entry in islice(entries(file, encoding), SAMPLE_LINES)]
        return _of_objects("json", encoding, values)
    if format == "jsonl" or (format == "auto" and JSON_OBJECT.match(sample[0])):
        values = list(map(_json_or_none, sample))
        found = _of_objects("jsonl", encoding, values)
        key = list_within(values[0]) if len(values) == 1 else ""
        if key and key in found.names and not is_header(found.names, header_names(schema, choice.columns)):
            raise RowRefused("json_list_within", key=excerpt(key))
        return found
    return _of_lines(sample, DELIMITERS[format], schema, choice, encoding)


def _of_lines(
    sample: Sequence[str], delimiters: str, schema: Schema, choice: LayoutChoice, encoding: Encoding
) -> ParsedHeader:
    delimiter, has_header = _shape(sample, delimiters, schema, choice)
    names = told_apart(_header(sample[0], delimiter), schema) if has_header else _numbers(sample, delimiter)
    argilla.refuse_table(names)
    format = "tsv" if delimiter == "\t" else "csv"
    # Read as the rows will be, in which a cell may run over lines.
    places = tuple(map(str, range(len(names))))
    layout = Layout(format, encoding, delimiter, names if has_header else None, places)
    lines = (FileLine(number, line) for number, line in enumerate(sample, start=1))
    records = list(OF_LINES[format](lines, layout))[has_header:]
    whole = [[str(record.cells[place]) for place in places] for record in records if not record.flaw]
    first = whole or [[*_cells(record.text, delimiter)] for record in records]
    return ParsedHeader(format, encoding, names, sample, first, delimiter, has_header)


def _of_objects(format: str, encoding: Encoding, values: Sequence[object]) -> ParsedHeader:
    """Return the header of objects. Raises RowRefused where none is of a task that is read."""
    objects: list[Mapping[str, object]] = []
    refused: RowRefused | None = None
    for value in values:
        try:
            objects += flattened(value) if isinstance(value, dict) else []
        except RowRefused as why:
            refused = refused or why
    if refused and not objects:
        raise refused
    has_verdicts = prodigy.have_verdicts(objects)
    names = tuple(dict.fromkeys(key for row in objects for key in row if not (has_verdicts and key == prodigy.VERDICT)))
    texts = [text for row in objects for text in row.values() if isinstance(text, str)]
    first = [[json_text(row.get(name, "")) for name in names] for row in objects]
    hides_states = any(isinstance(value, dict) and argilla.hides_states(value) for value in values)
    return ParsedHeader(format, encoding, names, texts, first, hides_states=hides_states, has_verdicts=has_verdicts)


def _of_sheet(workbook: Workbook, schema: Schema, choice: LayoutChoice) -> ParsedHeader:
    """Return the header of the chosen sheet, else of the first one with a name that is wanted, else with a row.

    The header may have other rows above it, such as a title, which are left out.
    """
    if choice.sheet and choice.sheet not in workbook.sheets:
        raise RowRefused("no_such_sheet", sheet=excerpt(choice.sheet), found=excerpt(", ".join(workbook.sheets)))
    wanted = header_names(schema, choice.columns)
    found: tuple[str, list[SheetRow]] | None = None
    for sheet in [choice.sheet] if choice.sheet else workbook.sheets:
        rows = list(islice(workbook.rows(sheet), SAMPLE_LINES))
        if any(is_header(row.texts(MOST_COLUMNS), wanted) for row in rows[:HEADER_WITHIN]):
            found = sheet, rows
            break
        if rows and found is None:
            found = sheet, rows
    if found is None:
        raise RowRefused("empty")
    parsed = _of_rows(*found, workbook.sheets, wanted, choice.header is not False)
    return replace(parsed, names=told_apart(parsed.names, schema))


def _of_rows(
    sheet: str, rows: Sequence[SheetRow], sheets: tuple[str, ...], wanted: set[str], has_header: bool
) -> ParsedHeader:
    width = 1 + max(column for row in rows for column in row.cells)
    if width > MOST_COLUMNS:
        raise RowRefused("sheet_columns", limit=MOST_COLUMNS)
    above = (number for number, row in enumerate(rows[:HEADER_WITHIN]) if is_header(row.texts(width), wanted))
    header = next(above, _below_title(rows[:HEADER_WITHIN])) if has_header else None
    content = [row.texts(width) for row in (rows if header is None else rows[header + 1 :])]
    names = tuple(map(str, range(1, width + 1))) if header is None else _named(rows[header].texts(width), content)
    return ParsedHeader(
        "xlsx",
        Encoding("utf-8"),
        names,
        [cell for row in content for cell in row],
        content,
        has_header=has_header,
        sheet=sheet,
        sheets=sheets,
        header_row=0 if header is None else rows[header].number,
    )


def _below_title(rows: Sequence[SheetRow]) -> int:
    """Return the number of the first row with more than half of the cells that one has: a title has fewer."""
    most = max(len(row.cells) for row in rows)
    return next(number for number, row in enumerate(rows) if 2 * len(row.cells) > most)


def _named(cells: Sequence[str], content: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names in a header without the empty columns after the last of them."""
    names = [" ".join(cell.split()) for cell in cells]
    while names and not names[-1] and not any(row[len(names) - 1] for row in content):
        names.pop()
    return tuple(names)


def _sample(file: BinaryIO, encoding: Encoding) -> list[str]:
    sample: list[str] = []
    size = 0
    for line in read_lines(file, encoding):
        if line.is_blank:
            continue
        sample.append(line.text)
        size += len(line.text)
        if len(sample) == SAMPLE_LINES or size > SAMPLE_CHARACTERS:
            break
    return sample


def _json_or_none(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _shape(sample: Sequence[str], delimiters: str, schema: Schema, choice: LayoutChoice) -> tuple[str, bool]:
    """Return the delimiter, and whether the first line is a header: one of the wanted names is enough."""
    wanted = header_names(schema, choice.columns)
    if choice.header is not False:
        if delimiter := _delimiter_of_header(sample[0], delimiters, wanted):
            return delimiter, True
        if choice.header is None and schema.bare_tsv and "\t" in delimiters and _is_bare_tsv(sample):
            return "\t", False
        if YAML.match(sample[0]):
            raise RowRefused("foreign", kind="YAML")
    delimiter = _likely_delimiter(sample, delimiters)
    if not delimiter:
        raise RowRefused("one_column", needed=", ".join(schema.required))
    return delimiter, choice.header is not False


def _delimiter_of_header(line: str, delimiters: str, wanted: set[str]) -> str:
    """Return the delimiter that parts a line into most of the wanted names, empty where it has none of them.

    A delimiter that is not in the line comes last: a whole line may look like one name with a remark.
    """
    known = {delimiter: known_names(_cells(line, delimiter), wanted) for delimiter in delimiters}
    best = max(delimiters, key=lambda delimiter: (known[delimiter], delimiter in line))
    return best if known[best] else ""


def _likely_delimiter(sample: Sequence[str], delimiters: str) -> str:
    """Return the delimiter with which most lines have as many cells as the first, which must have more than one."""
    alike = {
        delimiter: sum(len(_cells(line, delimiter)) == len(_cells(sample[0], delimiter)) for line in sample)
        for delimiter in delimiters
        if delimiter in sample[0]
    }
    return max(alike, key=alike.__getitem__, default="")


def _header(line: str, delimiter: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in _cells(line, delimiter))


def _numbers(sample: Sequence[str], delimiter: str) -> tuple[str, ...]:
    """Return a number for each column, by the most common width of lines with more than one."""
    widths = Counter(len(_cells(line, delimiter)) for line in sample if delimiter in line)
    width = max(sorted(widths), key=widths.__getitem__)
    return tuple(map(str, range(1, width + 1)))


def _cells(line: str, delimiter: str) -> tuple[str, ...]:
    if delimiter == "\t":
        return tuple(line.split("\t"))
    return tuple(next(csv.reader([re.sub("[\r\n]", " ", line)], delimiter=delimiter, skipinitialspace=True)))


def _is_bare_tsv(sample: Sequence[str]) -> bool:
    """Return whether at least half of the lines have a tab, and at least half of these exactly one."""
    tabs = [line.count("\t") for line in sample if "\t" in line]
    return 2 * len(tabs) >= len(sample) and 2 * tabs.count(1) >= len(tabs)
