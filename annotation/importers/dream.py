"""Files of DREAM: one JSON array of [utterances, [{question, choice, answer}, ...], id]."""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from annotation.importers.encoding import Encoding, recognise_encoding, tells_encoding
from annotation.importers.foreign import refuse_foreign
from annotation.importers.layout import HEAD
from annotation.importers.questions import NAMES, item_row, listed, text_of, turns_of
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.records import within
from annotation.importers.rows import BadRow, ItemRow, excerpt

MOST_BYTES = 64 << 20  # because the file is one document and is read whole
MOST_QUESTIONS = 200
SPACE = re.compile(r"[ \t\r\n]+")
SEPARATOR = re.compile(r"[ \t\r\n]*([,\]])")


class DreamRecord(NamedTuple):
    """One record of the array: its number, from 1, and the line in which it begins."""

    number: int
    line: int
    value: Any

    def refused(self, file: str, reason: RefusalReason, text: str) -> BadRow:
        """Return the refusal of the record or one of its questions, with the dialogue, as all may be on one line."""
        return BadRow(file, self.line, reason, excerpt(text), self.number, excerpt(_id_of(self.value)))


def entries(file: BinaryIO, encoding: Encoding) -> list[DreamRecord]:
    """Return the records of a whole document. Raises RowRefused: after a broken record the rest cannot be separated."""
    file.seek(0, 2)
    if file.tell() > MOST_BYTES:
        raise RowRefused("file_too_large", limit=MOST_BYTES >> 20)
    file.seek(encoding.mark)
    try:
        text = file.read().decode(encoding.codec)
    except UnicodeDecodeError:
        raise RowRefused("encoding") from None
    start = _past_space(text, 0)
    if not text[start:]:
        raise RowRefused("empty")
    if text[start] != "[":
        raise RowRefused("json_no_array")
    return list(_entries(text, start + 1))


def _entries(text: str, at: int) -> Iterator[DreamRecord]:
    decode, number, line, counted = json.JSONDecoder().raw_decode, 0, 1, 0
    at = _past_space(text, at)
    if text[at : at + 1] == "]":
        raise RowRefused("json_no_records")
    while True:
        number, line, counted = number + 1, line + text.count("\n", counted, at), at
        try:
            value, at = decode(text, at)
        except json.JSONDecodeError as error:
            raise RowRefused("json_broken_file", line=error.lineno, position=error.colno) from None
        except RecursionError:
            raise RowRefused("json_deep_file") from None
        except ValueError:  # a number with more digits than Python reads
            raise RowRefused("json_number_file") from None
        yield DreamRecord(number, line, value)
        separator = SEPARATOR.match(text, at)
        if separator is None:
            raise RowRefused(
                "json_broken_file", line=text.count("\n", 0, at) + 1, position=at - text.rfind("\n", 0, at)
            )
        if separator[1] == "]":
            return
        at = _past_space(text, separator.end())


def _past_space(text: str, at: int) -> int:
    space = SPACE.match(text, at)
    return space.end() if space else at


def recognise(file: BinaryIO) -> Encoding:
    """Return the encoding of a file that may be DREAM's. Raises RowRefused."""
    file.seek(0)
    head = file.read(HEAD)
    if not tells_encoding(head):
        refuse_foreign(file, head)
    return recognise_encoding(file)


def rows(file: BinaryIO, name: str, encoding: Encoding) -> Iterator[ItemRow | BadRow]:
    """Yield a row for each question. Raises RowRefused, before the first row, for an incomplete document."""
    for entry in entries(file, encoding):
        try:
            utterances, questions, key = _parts(entry.value)
        except RowRefused as refused:
            yield entry.refused(name, refused.reason, json.dumps(entry.value, ensure_ascii=False))
            continue
        yield from _questions(name, entry, utterances, questions, key)


def _parts(value: Any) -> tuple[object, list[Any], str]:
    key = _id_of(value)
    if not key:
        raise RowRefused("dream_record")
    questions = listed({"questions": value[1]}, "questions", MOST_QUESTIONS)
    if not questions:
        raise RowRefused("no_questions")
    return value[0], questions, text_of(key, "id")


def _id_of(value: Any) -> str:
    """Return the id of a record that has the three parts of a dialogue; else an empty string."""
    has_id = isinstance(value, list) and len(value) == 3 and isinstance(value[2], str | int)
    return str(value[2]) if has_id else ""


def _questions(
    name: str, entry: DreamRecord, utterances: object, questions: list[Any], key: str
) -> Iterator[ItemRow | BadRow]:
    flaw: RefusalReason | None = None
    try:
        turns = turns_of(utterances)
    except RowRefused as refused:
        flaw = refused.reason
    for number, question in enumerate(questions, start=1):
        try:
            if flaw:
                raise RowRefused(flaw.code, **flaw.params)
            if not isinstance(question, dict):
                raise RowRefused("dream_record")
            cells = {"choices": question.get("choice"), **question}
            names = {"id": within(f"{key}-{number}", "id", NAMES["id"]), "source": "DREAM"}
            yield item_row(entry.line, turns, cells, names)
        except RowRefused as refused:
            asked = question.get("question") if isinstance(question, dict) else question
            yield entry.refused(name, refused.reason, str(asked))
