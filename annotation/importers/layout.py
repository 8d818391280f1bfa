"""The layout of a file: encoding, format, delimiter and header, guessed from its content."""

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from annotation.importers.columns import LEFT_OUT, Schema, folded_name, read_as, renaming
from annotation.importers.encoding import LINE_LIMIT, Encoding, chosen_encoding, recognise_encoding, tells_encoding
from annotation.importers.foreign import refuse_foreign
from annotation.importers.lines import read_lines
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import excerpt
from core.domain.text import is_spaced_chinese, join_chinese, join_spaced_chinese, normalise

HEAD = 4096
SAMPLE_LINES = 200
SAMPLE_CHARACTERS = 256 * 1024
DELIMITERS = {"auto": "\t,;", "tsv": "\t", "csv": ",;"}

JSON_OBJECT = re.compile(r'\s*\{\s*["}]')
JSON_DOCUMENT = re.compile(r'\s*(\{\s*$|\[\s*([\[{"\]]|$))')
YAML = re.compile(r"(---|%YAML.*|[\w -]+:)\s*$")


@dataclass(frozen=True, slots=True)
class LayoutChoice:
    """Choices made by hand where a guess was wrong: codec, header or not, columns. The rest is guessed.

    `columns` maps our names to the file's (numbers from 1 without a header, empty for none). `longest_line` is counted
    in bytes.
    """

    encoding: str = ""
    header: bool | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    longest_line: int = LINE_LIMIT


GUESS = LayoutChoice()


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout: ``header`` as written, None where there is none; ``columns``: our name for each column.

    Both are empty for jsonl, in which ``renaming`` maps keys to our names.
    """

    format: str
    encoding: Encoding
    delimiter: str = ""
    header: tuple[str, ...] | None = ()
    columns: tuple[str, ...] = ()
    renaming: Mapping[str, str] = field(default_factory=dict)
    is_spaced: bool = False

    def tidy(self, text: str) -> str:
        """Return a prompt or response as stored. In a file of spaced Chinese even a single space is artificial."""
        text = normalise(text)
        if " " not in text:
            return text
        join = join_chinese if self.is_spaced else join_spaced_chinese
        return normalise(join(text))  # a mark that comes to stand beside its letter is composed with it


@dataclass(frozen=True, slots=True)
class ParsedHeader:
    """A file before its columns are mapped. ``names`` are those of the header, the keys, or numbers from 1."""

    format: str
    encoding: Encoding
    sample: Sequence[str]
    names: tuple[str, ...]
    delimiter: str = ""
    has_header: bool = False

    def layout(self, schema: Schema, chosen: Mapping[str, str]) -> Layout:
        """Return the layout with columns read as ``chosen``, else by name or position. Raises RowRefused."""
        if self.format == "jsonl":
            return self._of_jsonl(schema, chosen)
        if not self.has_header:
            chosen = {name: str(position) for position, name in enumerate(schema.required, start=1)} | dict(chosen)
        return Layout(
            self.format,
            self.encoding,
            self.delimiter,
            self.names if self.has_header else None,
            read_as(self.names, schema, chosen),
            is_spaced=is_spaced_chinese("\n".join(self.sample)),
        )

    def cells(self, rows: int) -> list[list[str]]:
        """Return the first rows as written, a cell for each of the names."""
        if self.format == "jsonl":
            values = _objects(self.sample)[:rows]
            return [[excerpt(str(value.get(name, ""))) for name in self.names] for value in values]
        lines = self.sample[self.has_header : self.has_header + rows]
        return [[excerpt(cell) for cell in _cells(line, self.delimiter)[: len(self.names)]] for line in lines]

    def _of_jsonl(self, schema: Schema, chosen: Mapping[str, str]) -> Layout:
        if self.names:  # else no line of the sample is an object, and each is refused by itself
            read_as(self.names, schema, chosen)
        texts = [text for value in _objects(self.sample) for text in value.values() if isinstance(text, str)]
        is_spaced = is_spaced_chinese("\n".join(texts))
        return Layout("jsonl", self.encoding, renaming=renaming(chosen), is_spaced=is_spaced)


def recognise(file: BinaryIO, format: str, schema: Schema, choice: LayoutChoice = GUESS) -> Layout:
    """Return the layout of a seekable file. Raises RowRefused for the whole file.

    ``format`` is auto, csv, tsv or jsonl.
    """
    return sniff(file, format, schema, choice).layout(schema, choice.columns)


def sniff(file: BinaryIO, format: str, schema: Schema, choice: LayoutChoice = GUESS) -> ParsedHeader:
    """Return the header of a seekable file before its columns are mapped. Raises RowRefused for the whole file."""
    file.seek(0)
    head = file.read(HEAD)
    if not tells_encoding(head) and not choice.encoding.startswith("utf-16"):
        refuse_foreign(file, head)
    encoding = chosen_encoding(file, choice.encoding) if choice.encoding else recognise_encoding(file)
    encoding = replace(encoding, longest_line=choice.longest_line)
    sample = _sample(file, encoding)
    if not sample:
        raise RowRefused("empty")
    if JSON_DOCUMENT.match(sample[0]) and "\t" not in sample[0]:
        raise RowRefused("json_document")
    if format == "jsonl" or (format == "auto" and JSON_OBJECT.match(sample[0])):
        names = dict.fromkeys(key for value in _objects(sample) for key in value)
        return ParsedHeader("jsonl", encoding, sample, tuple(names))
    delimiter, has_header = _shape(sample, DELIMITERS[format], schema, choice)
    names_or_numbers = _header(sample[0], delimiter) if has_header else _numbers(sample, delimiter)
    return ParsedHeader(
        "tsv" if delimiter == "\t" else "csv", encoding, sample, names_or_numbers, delimiter, has_header
    )


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


def _objects(sample: Sequence[str]) -> list[dict[str, object]]:
    return [value for value in map(_json_or_none, sample) if isinstance(value, dict)]


def _json_or_none(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _shape(sample: Sequence[str], delimiters: str, schema: Schema, choice: LayoutChoice) -> tuple[str, bool]:
    """Return the delimiter, and whether the first line is a header: one of the wanted names is enough."""
    wanted = {*schema.required, *map(folded_name, choice.columns.values())} - {LEFT_OUT}
    if choice.header is not False:
        for delimiter in delimiters:
            if wanted.intersection(map(folded_name, _cells(sample[0], delimiter))):
                return delimiter, True
        if choice.header is None and schema.bare_tsv and "\t" in delimiters and _is_bare_tsv(sample):
            return "\t", False
        if YAML.match(sample[0]):
            raise RowRefused("foreign", kind="YAML")
    delimiter = _likely_delimiter(sample, delimiters)
    if not delimiter:
        raise RowRefused("one_column", needed=", ".join(schema.required))
    return delimiter, choice.header is not False


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
