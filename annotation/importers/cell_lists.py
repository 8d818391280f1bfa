"""Lists in one cell: the turns of a dialogue, or the choices of a question, with a separator between two of them."""

import json
import re
from collections.abc import Mapping

from annotation.domain.corpora.ubuntu_text import TURN_END, turns_in

# The likeliest first: what is no punctuation separates even where a cell has several lines.
SEPARATORS = (TURN_END, "__eou__", "[SEP]", "<eot>", "<sep>", "</s>", "|||", "||", "###", "\n", "|", "\t")
BETWEEN_CHOICES = (*SEPARATORS, "；", ";")
ESCAPES = {"\\n": "\n", "\\t": "\t"}  # as a person writes them in a field
LETTERED = re.compile(r"\s*[(（]?([A-Ta-t])\s*[.．、):：）]\s*(.*)", re.DOTALL)

# What files call the parts of a turn where turns are objects.
SPEAKER_KEYS = ("speaker", "role", "from", "author", "user", "name", "说话人", "角色")
TEXT_KEYS = ("text", "content", "value", "utterance", "message", "内容", "文本")


def turns_in_cell(cell: str, separator: str = "") -> list[object]:
    """Return the turns in a cell: those of a JSON list, else the texts between separators, none of them empty."""
    return _listed(cell) or _between(cell, ESCAPES.get(separator, separator) or _separator_in(cell, SEPARATORS))


def choices_in_cell(cell: str) -> list[object]:
    """Return the choices in a cell, without the letters A, B, C … in front of all of them."""
    choices = _listed(cell) or _between(cell, _separator_in(cell, BETWEEN_CHOICES))
    lettered = [LETTERED.fullmatch(choice) for choice in choices if isinstance(choice, str)]
    letters = [found[1].upper() for found in lettered if found]
    if len(letters) == len(choices) and letters == [chr(ord("A") + number) for number in range(len(letters))]:
        return [found[2] for found in lettered if found]
    return choices


def part_of(turn: Mapping[object, object], keys: tuple[str, ...]) -> object:
    """Return the part of a turn that one of these keys has; None where it has none."""
    return next((turn[key] for key in keys if turn.get(key) is not None), None)


def _listed(cell: str) -> list[object]:
    """Return the list that a cell is as JSON; empty where it is not one."""
    if not cell.startswith("[") or not cell.endswith("]"):
        return []
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else []


def _separator_in(cell: str, separators: tuple[str, ...]) -> str:
    return next((separator for separator in separators if separator in cell), "\n")


def _between(cell: str, separator: str) -> list[object]:
    if separator == TURN_END:
        return [*turns_in(cell)]
    return [piece.strip() for piece in cell.split(separator) if piece.strip()]
