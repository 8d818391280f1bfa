"""Argilla's records: as version 2 writes them (records.to_json, or a list with `flatten`), and version 1's feedback.

https://docs.argilla.io: a record has `fields`, `metadata` and, for each question, the `responses` of people.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotation.importers.reasons import RowRefused
from annotation.importers.tool_answers import single_answer

TOOL = "Argilla"
FLAT = ".responses"
UNFINISHED = ("discarded", "draft")
OLD = ("inputs", "prediction", "annotation")  # of the data sets before feedback


class _Response(NamedTuple):
    person: str
    question: str
    answer: object


def fits(value: Mapping[str, object]) -> bool:
    if isinstance(value.get("fields"), dict | list) and "responses" in value:
        return True
    return any(key.endswith(FLAT) for key in value) or all(key in value for key in OLD[1:]) or _is_old(value)


def _is_old(value: Mapping[str, object]) -> bool:
    return isinstance(value.get("inputs"), dict) and any(key in value for key in OLD[1:])


def hides_states(value: Mapping[str, object]) -> bool:
    """Tell whether a record has answers without saying which are discarded or drafts, as `to_json` writes it."""
    return fits(value) and isinstance(responses := value.get("responses"), dict) and any(responses.values())


def refuse_table(names: Sequence[str]) -> None:
    """Raise RowRefused where a table has the columns of flat records: their lists are not to be had from its cells."""
    if answers := next((name for name in names if name.endswith(FLAT) and f"{name}.users" in names), ""):
        raise RowRefused("export_table", tool=TOOL, key=answers)


def rows(value: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return a row for each person who responded, or one without an answer. Raises RowRefused."""
    if isinstance(value.get("id"), list):  # to_dict writes all records as one object of columns
        raise RowRefused("json_document")
    if not isinstance(value.get("fields"), dict) and not any(key.endswith(FLAT) for key in value):
        raise RowRefused("export_version", tool=TOOL, key="annotation")
    try:
        record, responses = _nested(value) if "fields" in value else _flat(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise RowRefused("export_broken", tool=TOOL, key="responses") from None
    by_person: dict[str, dict[str, object]] = {}
    for person, question, answer in responses:
        by_person.setdefault(person, {})[question] = answer
    return [{**record, **answers, "annotator": person} for person, answers in by_person.items()] or [record]


def _nested(value: Mapping[str, Any]) -> tuple[dict[str, object], list[_Response]]:
    record = {**(value.get("metadata") or {}), **value["fields"], "id": value.get("id") or value.get("external_id")}
    if isinstance(value["responses"], list):
        return record, _known(_of_feedback(value["responses"]))
    of_all = value["responses"].items()
    return record, _known(
        _Response(str(one["user_id"]), question, one["value"]) for question, all_ in of_all for one in all_
    )


def _of_feedback(responses: list[Any]) -> Iterator[_Response]:
    for response in responses:
        if response.get("status") not in UNFINISHED:
            for question, one in response["values"].items():
                yield _Response(str(response["user_id"]), question, one["value"])


def _flat(value: Mapping[str, Any]) -> tuple[dict[str, object], list[_Response]]:
    questions = [key.removesuffix(FLAT) for key in value if key.endswith(FLAT)]
    record = {key: cell for key, cell in value.items() if not any(key.startswith(f"{name}.") for name in questions)}
    found = []
    for question in questions:
        answers = value[question + FLAT] or []
        people = value.get(f"{question}{FLAT}.users") or [""] * len(answers)
        states = value.get(f"{question}{FLAT}.status") or [None] * len(answers)
        for answer, person, state in zip(answers, people, states, strict=True):
            if state not in UNFINISHED:
                found.append(_Response(str(person), question, answer))
    return record, _known(found)


def _known(responses: Iterable[_Response]) -> list[_Response]:
    """Return the responses with one answer each. Raises RowRefused where there are others alone: spans, rankings."""
    given = [response._replace(answer=single_answer(response.answer)) for response in responses]
    known = [response for response in given if isinstance(response.answer, str | int)]
    if given and not known:
        raise RowRefused("export_task", tool=TOOL, kind=", ".join({response.question: None for response in given})[:80])
    return known
