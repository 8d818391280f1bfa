"""The entries of a JSON array that is a whole file, or of those in an object that is one."""

import json
import re
from collections.abc import Generator, Iterator
from typing import Any, BinaryIO, NamedTuple

from annotation.importers.encoding import Encoding
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import excerpt

MOST_BYTES = 64 << 20  # because the file is one document and is read whole
BEGINNING = 200  # characters of an entry that are kept for its excerpt
SPACE = re.compile(r"[ \t\r\n]+")
DECODER = json.JSONDecoder()
SEPARATOR = re.compile(r"[ \t\r\n]*([,\]])")
DOCUMENT = re.compile(r'\s*(\{\s*$|\[\s*([\[{"\]]|$))')


class ArrayEntry(NamedTuple):
    """One entry of the array: its number, from 1, the line in which it begins, and its first characters."""

    number: int
    line: int
    value: Any
    text: str
    name: str = ""  # of its array, in an object of arrays


def begins_document(line: str) -> bool:
    """Return whether a JSON document that may run over lines begins with a file's first line that is not blank."""
    return bool(DOCUMENT.match(line)) and "\t" not in line


def entries(file: BinaryIO, encoding: Encoding, decoder: json.JSONDecoder = DECODER) -> Iterator[ArrayEntry]:
    """Yield the entries of a whole document. Raises RowRefused: after a broken entry the rest cannot be separated."""
    text = _document(file, encoding)
    start = _past_space(text, 0)
    if text[start] != "[":
        raise RowRefused("json_no_array")
    yield from _entries(text, start + 1, decoder=decoder)


def named_entries(file: BinaryIO, encoding: Encoding) -> Iterator[ArrayEntry]:
    """Yield the entries of an array, or those of each array of an object with its name. Raises RowRefused."""
    text = _document(file, encoding)
    at = _past_space(text, 0)
    if text[at] == "[":
        yield from _entries(text, at + 1)
        return
    mark = "{"
    while mark != "}":
        name, at = _decoded(text, _past(text, at, mark))
        at = _past(text, _past(text, at, ":"), "[")
        if text[at : at + 1] == "]":
            at += 1
        else:
            at = yield from _entries(text, at, str(name))
        at = _past_space(text, at)
        mark = text[at : at + 1]
        if mark not in {",", "}"}:
            raise _broken(text, at)


def list_within(value: object) -> str:
    """Return the key under which an object has a list of objects, empty where there is none."""
    lists = value.items() if isinstance(value, dict) else ()
    return next((key for key, held in lists if isinstance(held, list) and held and isinstance(held[0], dict)), "")


def refusal_of_object(file: BinaryIO, encoding: Encoding) -> RowRefused:
    """Return why a whole document that is no array is refused. Raises RowRefused for one that is too large."""
    text = _document(file, encoding)
    try:
        value, _end = _decoded(text, _past_space(text, 0))
    except RowRefused:
        value = None
    key = list_within(value)
    return RowRefused("json_list_within", key=excerpt(key)) if key else RowRefused("json_document")


def json_text(value: object) -> str:
    """Return a value as people read it: a text as it is, none where there is no value, else JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _document(file: BinaryIO, encoding: Encoding) -> str:
    file.seek(0, 2)
    if file.tell() > MOST_BYTES:
        raise RowRefused("file_too_large", limit=MOST_BYTES >> 20)
    file.seek(encoding.mark)
    try:
        text = file.read().decode(encoding.codec)
    except UnicodeDecodeError:
        raise RowRefused("encoding") from None
    if not text[_past_space(text, 0) :]:
        raise RowRefused("empty")
    return text


def _entries(
    text: str, at: int, name: str = "", decoder: json.JSONDecoder = DECODER
) -> Generator[ArrayEntry, None, int]:
    """Yield the entries of an array that has begun before `at`. Return where it has ended."""
    number, line, counted = 0, 1, 0
    at = _past_space(text, at)
    if text[at : at + 1] == "]":
        raise RowRefused("json_no_records")
    while True:
        number, line, counted = number + 1, line + text.count("\n", counted, at), at
        value, at = _decoded(text, at, decoder)
        yield ArrayEntry(number, line, value, text[counted : min(at, counted + BEGINNING)], name)
        separator = SEPARATOR.match(text, at)
        if separator is None:
            raise _broken(text, at)
        if separator[1] == "]":
            return separator.end()
        at = _past_space(text, separator.end())


def _decoded(text: str, at: int, decoder: json.JSONDecoder = DECODER) -> tuple[Any, int]:
    """Return the value that begins there, and where it ends. Raises RowRefused."""
    try:
        return decoder.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise RowRefused("json_broken_file", line=error.lineno, position=error.colno) from None
    except RecursionError:
        raise RowRefused("json_deep_file") from None
    except ValueError:  # a number with more digits than Python reads
        raise RowRefused("json_number_file") from None


def _past(text: str, at: int, mark: str) -> int:
    """Return where the text goes on after a mark that must come next. Raises RowRefused."""
    at = _past_space(text, at)
    if text[at : at + 1] != mark:
        raise _broken(text, at)
    return _past_space(text, at + 1)


def _broken(text: str, at: int) -> RowRefused:
    return RowRefused("json_broken_file", line=text.count("\n", 0, at) + 1, position=at - text.rfind("\n", 0, at))


def _past_space(text: str, at: int) -> int:
    space = SPACE.match(text, at)
    return space.end() if space else at
