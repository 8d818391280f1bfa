"""doccano's exports as JSON and JSONL: one object a text, with what its classification says in `label`.

https://doccano.github.io/doccano: the export of a project whose members do not work together has a file for each.
"""

from collections.abc import Mapping

from annotation.importers.reasons import RowRefused
from annotation.importers.tool_answers import single_answer

TOOL = "doccano"
OTHER_TASKS = {"entities": "entities", "cats": "intents and slots", "bbox": "boxes", "segmentation": "segments"}


def fits(value: Mapping[str, object]) -> bool:
    is_text = "text" in value or "filename" in value
    return is_text and (isinstance(value.get("label"), list) or any(key in value for key in OTHER_TASKS))


def rows(value: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the row of the text. Raises RowRefused for other tasks than classification and writing."""
    other = next((kind for key, kind in OTHER_TASKS.items() if key in value), "")
    labels = value.get("label")
    if isinstance(labels, list) and any(isinstance(label, list | dict) for label in labels):
        other = "spans"
    if other:
        raise RowRefused("export_task", tool=TOOL, kind=other)
    return [{**value, "label": single_answer(labels) if labels else ""}]
