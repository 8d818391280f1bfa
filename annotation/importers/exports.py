"""Rows of the objects in a file: as they are, or flattened where an annotation tool exported them."""

import json
from collections.abc import Mapping

from annotation.importers import argilla, doccano, label_studio
from annotation.importers.json_array import json_text
from annotation.importers.tool_answers import single_answer

TOOLS = (label_studio, argilla, doccano)


def flattened(value: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the rows of an object: one for each person who answered. Raises RowRefused for other tasks or versions."""
    return next((tool.rows(value) for tool in TOOLS if tool.fits(value)), [value])


def answer_text(value: object) -> str:
    """Return the text of a value that may be an answer, such as [{"rating": 4}] of Label Studio's smaller formats."""
    if isinstance(value, str) and value.startswith("[{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return str(value)
    return json_text(single_answer(value))
