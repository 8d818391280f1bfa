"""What a file looks like: encoding, format, delimiter, header, guessed from its content."""

import csv
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from annotation.domain.text import is_spaced_chinese, join_chinese, join_spaced_chinese, normalise

from .encoding import Encoding, has_mark, recognise_encoding
from .foreign import refuse_foreign
from .lines import read_lines
from .reasons import Refused
from .rows import excerpt

HEAD = 4096
SAMPLE_LINES = 200
SAMPLE_CHARACTERS = 256 * 1024
DELIMITERS = {"auto": "\t,;", "tsv": "\t", "csv": ",;"}

JSON_OBJECT = re.compile(r'\s*\{\s*["}]')
JSON_DOCUMENT = re.compile(r'\s*(\{\s*$|\[\s*([\[{"\]]|$))')
YAML = re.compile(r"(---|%YAML.*|[\w -]+:)\s*$")


class Schema(NamedTuple):
    """The columns that a kind of row must have, and whether a tsv without a header holds just these. Of the columns
    `one_of`, where there are any, at least one must be there."""

    required: tuple[str, ...]
    bare_tsv: bool = False
    one_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """``header`` as written, None where there is none; ``columns`` folded. Both are empty for jsonl."""

    format: str
    encoding: Encoding
    delimiter: str = ""
    header: tuple[str, ...] | None = ()
    columns: tuple[str, ...] = ()
    is_spaced: bool = False

    def tidy(self, text: str) -> str:
        """A prompt or response as it is stored. In a file of spaced Chinese even a single space is artificial."""
        join = join_chinese if self.is_spaced else join_spaced_chinese
        return join(normalise(text))


def recognise(file: BinaryIO, format: str, schema: Schema) -> Layout:
    """The layout of a seekable file; ``format`` is auto, csv, tsv or jsonl. Raises ``Refused`` for the whole file."""
    file.seek(0)
    head = file.read(HEAD)
    if not has_mark(head):
        refuse_foreign(file, head)
    encoding = recognise_encoding(file)
    sample = _sample(file, encoding)
    if not sample:
        raise Refused("empty")
    if JSON_DOCUMENT.match(sample[0]) and "\t" not in sample[0]:
        raise Refused("json_document")
    if format == "jsonl" or (format == "auto" and JSON_OBJECT.match(sample[0])):
        return _jsonl_layout(encoding, sample, schema)
    return _delimited_layout(encoding, sample, schema, format)


def folded_name(name: str) -> str:
    """A column's name without outer space, wrapping quotes and case."""
    return name.strip().strip('"').strip().casefold()


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


def _jsonl_layout(encoding: Encoding, sample: Sequence[str], schema: Schema) -> Layout:
    objects = [value for value in map(_json_or_none, sample) if isinstance(value, dict)]
    keys = dict.fromkeys(key for value in objects for key in value)
    if objects:
        _require(keys, schema)
    texts = [text for value in objects for text in value.values() if isinstance(text, str)]
    return Layout("jsonl", encoding, is_spaced=is_spaced_chinese("\n".join(texts)))


def _json_or_none(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _delimited_layout(encoding: Encoding, sample: Sequence[str], schema: Schema, format: str) -> Layout:
    delimiter = _header_delimiter(sample[0], schema, DELIMITERS[format])
    header: tuple[str, ...] | None = None
    columns = schema.required
    if delimiter:
        header = tuple(name.strip() for name in _cells(sample[0], delimiter))
        columns = tuple(map(folded_name, header))
        _require(header, schema)
    elif schema.bare_tsv and "\t" in DELIMITERS[format] and _is_bare_tsv(sample):
        delimiter = "\t"
    else:
        _refuse_headless(sample[0], schema, DELIMITERS[format])
    kind = "tsv" if delimiter == "\t" else "csv"
    return Layout(kind, encoding, delimiter, header, columns, is_spaced_chinese("\n".join(sample)))


def _header_delimiter(line: str, schema: Schema, delimiters: str) -> str:
    """The delimiter that makes a header of a line, or nothing: one required name is enough to be one."""
    for delimiter in delimiters:
        if any(folded_name(name) in schema.required for name in _cells(line, delimiter)):
            return delimiter
    return ""


def _cells(line: str, delimiter: str) -> tuple[str, ...]:
    if delimiter == "\t":
        return tuple(line.split("\t"))
    return tuple(next(csv.reader([re.sub("[\r\n]", " ", line)], delimiter=delimiter, skipinitialspace=True)))


def _is_bare_tsv(sample: Sequence[str]) -> bool:
    """Whether at least half of the lines have a tab, and at least half of these just one."""
    tabs = [line.count("\t") for line in sample if "\t" in line]
    return 2 * len(tabs) >= len(sample) and 2 * tabs.count(1) >= len(tabs)


def _require(names: Iterable[str], schema: Schema) -> None:
    names = list(names)
    columns = [folded_name(name) for name in names]
    missing = [name for name in schema.required if name not in columns]
    if missing:
        code = "missing_column" if len(missing) == 1 else "missing_columns"
        raise Refused(code, missing=", ".join(missing), found=excerpt(", ".join(names)))
    if schema.one_of and not set(schema.one_of) & set(columns):
        raise Refused("no_column_of", needed=", ".join(schema.one_of), found=excerpt(", ".join(names)))
    double = next((name for name in (*schema.required, *schema.one_of) if columns.count(name) > 1), None)
    if double:
        raise Refused("double_column", column=double)


def _refuse_headless(line: str, schema: Schema, delimiters: str) -> None:
    if YAML.match(line):
        raise Refused("foreign", kind="YAML")
    for delimiter in delimiters:
        if delimiter in line:
            _require(_cells(line, delimiter), schema)
    raise Refused("one_column", needed=", ".join(schema.required))
