"""Questions of a set as rows: what is stored of each, and the checksum of all."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from core.models.bulk import insert
from study.domain.questions.sampling import DrawnQuestion
from study.models import Question, QuestionPurpose, QuestionSet

COLUMNS = (
    "question_set",
    "purpose",
    "position",
    "external_id",
    "whole_id",
    "condition",
    "corpus",
    "conversation",
    "context",
    "candidates",
    "candidates_count",
    "answer",
    "pick",
    "origins",
    "reasoning",
)


def content_of(question: DrawnQuestion, origins: Mapping[str, str]) -> dict[str, Any]:
    """Return what people and models are asked, which the checksum covers; `origins` are the sources' wholes by name.

    With several sources, an id begins with its source. One of a condition ends with it.
    """
    name = _name(question, origins)
    return {
        "id": f"{name}@{question.condition}" if question.condition else name,
        "corpus": origins[question.source],
        "context": [{"speaker": turn["speaker"], "text": turn["text"]} for turn in question.context],
        "candidates": question.candidates,
        "answer": question.answer,
    }


def _name(question: DrawnQuestion, origins: Mapping[str, str]) -> str:
    return question.id if len(origins) == 1 else f"{question.source}/{question.id}"


def checksum(questions: Sequence[DrawnQuestion], origins: Mapping[str, str]) -> str:
    """Return the SHA-256 of the questions as lines of JSON, in their order."""
    digest = sha256()
    for question in questions:
        digest.update(f"{_text(content_of(question, origins))}\n".encode())
    return digest.hexdigest()


def store(question_set: QuestionSet, questions: Sequence[DrawnQuestion], origins: Mapping[str, str]) -> None:
    """Store the questions of a set that is stored."""
    insert(Question, COLUMNS, _rows(question_set, questions, origins))


def _rows(
    question_set: QuestionSet, questions: Sequence[DrawnQuestion], origins: Mapping[str, str]
) -> Iterator[tuple[Any, ...]]:
    for position, question in enumerate(questions):
        content = content_of(question, origins)
        yield (
            question_set.pk,
            QuestionPurpose.WORK.value,
            position,
            content["id"],
            _name(question, origins) if question.condition else "",
            question.condition,
            content["corpus"],
            question.group,
            _text(content["context"]),
            _text(content["candidates"]),
            len(question.candidates),
            question.answer,
            question.pick,
            _text(question.origins),
            _text(question.reasoning),
        )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
