"""Label Studio's JSON export, version 1.0 and later: an array of tasks, each with its annotations.

https://labelstud.io/guide/export: a task has `data`, an annotation `completed_by` and a `result` for each control.
"""

from collections.abc import Mapping

from annotation.importers.reasons import RowRefused
from annotation.importers.tool_answers import person, single_answer

TOOL = "Label Studio"
READ = ("rating", "number", "choices", "textarea")  # types of results; their values have one key
VALUES = {"textarea": "text"}


def fits(value: Mapping[str, object]) -> bool:
    return isinstance(value.get("data"), dict) and ("annotations" in value or "completions" in value)


def rows(value: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return a row for each annotation, or one without an answer. Raises RowRefused."""
    if "annotations" not in value:
        raise RowRefused("export_version", tool=TOOL, key="completions")
    data, annotations = value["data"], value["annotations"]
    if not isinstance(data, dict) or not isinstance(annotations, list):
        raise RowRefused("export_broken", tool=TOOL, key="annotations")
    task: dict[str, object] = {"id": value.get("id"), **data}
    given = [_answers(annotation) for annotation in annotations if not _is_skipped(annotation)]
    return [{**task, **answers} for answers in given if answers] or [task]


def _is_skipped(annotation: object) -> bool:
    return isinstance(annotation, dict) and bool(annotation.get("was_cancelled"))


def _answers(annotation: object) -> dict[str, object]:
    """Return the answers by the names of their controls, and who gave them; empty if there are none."""
    if not isinstance(annotation, dict) or not isinstance(annotation.get("result"), list):
        raise RowRefused("export_broken", tool=TOOL, key="result")
    answers: dict[str, object] = {}
    others: list[str] = []
    for result in annotation["result"]:
        if not isinstance(result, dict) or not isinstance(result.get("value"), dict):
            raise RowRefused("export_broken", tool=TOOL, key="value")
        kind = str(result.get("type"))
        if kind in READ:
            answers[str(result.get("from_name"))] = single_answer(result["value"].get(VALUES.get(kind, kind)))
        else:
            others.append(kind)
    if others and not answers:
        raise RowRefused("export_task", tool=TOOL, kind=", ".join(dict.fromkeys(others))[:80])
    return {**answers, "annotator": person(annotation.get("completed_by"))} if answers else {}
