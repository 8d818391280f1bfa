"""Questions of a set as rows: of a draw or of another set, with the checksum of all."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from core.models.bulk import insert
from study.domain.questions.sampling import DrawnQuestion
from study.models import Question, QuestionPurpose, QuestionSet

JSON = ("context", "candidates", "origins", "reasoning")
COLUMNS = (
    "external_id",
    "whole_id",
    "condition",
    "corpus",
    "conversation",
    "answer",
    "pick",
    *JSON,
)

Row = dict[str, Any]  # a value for each of COLUMNS


def drawn_rows(questions: Iterable[DrawnQuestion], origins: Mapping[str, str]) -> list[Row]:
    """Return drawn questions as rows; `origins` are the corpora and releases by the names of the sources.

    With several sources, an id begins with its source. One of a condition ends with it.
    """
    return [_drawn_row(question, origins) for question in questions]


def _drawn_row(question: DrawnQuestion, origins: Mapping[str, str]) -> Row:
    name = question.id if len(origins) == 1 else f"{question.source}/{question.id}"
    return {
        "external_id": f"{name}@{question.condition}" if question.condition else name,
        "whole_id": name if question.condition else "",
        "condition": question.condition,
        "corpus": origins[question.source],
        "conversation": question.group,
        "answer": question.answer,
        "pick": question.pick,
        "context": _turns(question.context),
        "candidates": question.candidates,
        "origins": question.origins,
        "reasoning": question.reasoning,
    }


def stored_rows(question_set: QuestionSet) -> list[Row]:
    """Return the questions of a stored set, in their order."""
    return list(question_set.questions.counting().order_by("position").values(*COLUMNS))


def checksum(rows: Iterable[Row]) -> str:
    """Return the SHA-256 of what people and models are asked, as lines of JSON, in the order of the rows."""
    digest = sha256()
    for row in rows:
        asked = {
            "id": row["external_id"],
            "corpus": row["corpus"],
            "context": _turns(row["context"]),
            "candidates": row["candidates"],
            "answer": row["answer"],
        }
        digest.update(f"{_text(asked)}\n".encode())
    return digest.hexdigest()


def _turns(context: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return the turns with speaker and text in this order: PostgreSQL gives back the keys of an object in its own."""
    return [{"speaker": turn["speaker"], "text": turn["text"]} for turn in context]


def store(question_set: QuestionSet, rows: Sequence[Row]) -> None:
    """Store the questions of a set that is stored."""
    names = ("question_set", "purpose", "position", "candidates_count", *COLUMNS)
    insert(Question, names, _values(question_set, rows))


def _values(question_set: QuestionSet, rows: Iterable[Row]) -> Iterator[tuple[Any, ...]]:
    for position, row in enumerate(rows):
        own = (_text(row[name]) if name in JSON else row[name] for name in COLUMNS)
        yield (question_set.pk, QuestionPurpose.WORK.value, position, len(row["candidates"]), *own)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
