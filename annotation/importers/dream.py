"""Files of DREAM: one JSON array of [utterances, [{question, choice, answer}, ...], id]."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from annotation.importers.encoding import Encoding, recognise_encoding, tells_encoding
from annotation.importers.foreign import refuse_foreign
from annotation.importers.json_array import ArrayEntry, entries
from annotation.importers.layout import HEAD
from annotation.importers.questions import NAMES, item_row, listed, text_of, turns_of
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.records import within
from annotation.importers.rows import BadRow, ItemRow, excerpt

MOST_QUESTIONS = 200


def recognise(file: BinaryIO) -> Encoding:
    """Return the encoding of a file that may be DREAM's. Raises RowRefused."""
    file.seek(0)
    head = file.read(HEAD)
    if not tells_encoding(head):
        refuse_foreign(file, head)
    return recognise_encoding(file)


def rows(file: BinaryIO, name: str, encoding: Encoding, numbers_speakers: bool = False) -> Iterator[ItemRow | BadRow]:
    """Yield a row for each question. With `numbers_speakers` utterances without one are A's and B's in turn.

    Raises RowRefused, before the first row, for an incomplete document.
    """
    for entry in list(entries(file, encoding)):
        try:
            utterances, questions, key = _parts(entry.value)
        except RowRefused as refused:
            yield _refused(name, entry, refused.reason, json.dumps(entry.value, ensure_ascii=False))
            continue
        yield from _questions(name, entry, utterances, questions, key, numbers_speakers)


def _refused(file: str, entry: ArrayEntry, reason: RefusalReason, text: str) -> BadRow:
    """Return the refusal of the record or one of its questions, with the dialogue, as all may be on one line."""
    return BadRow(file, entry.line, reason, excerpt(text), entry.number, excerpt(_id_of(entry.value)))


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
    name: str, entry: ArrayEntry, utterances: object, questions: list[Any], key: str, numbers_speakers: bool
) -> Iterator[ItemRow | BadRow]:
    flaw: RefusalReason | None = None
    try:
        turns = turns_of(utterances, numbers_speakers=numbers_speakers)
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
            yield _refused(name, entry, refused.reason, str(asked))
