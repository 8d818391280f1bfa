"""What a person may change of a dialogue: the texts of its turns, its flag, or that it is there."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.domain.text import normalise

EDITED, LEFT_OUT, CLEARED = "edited", "left_out", "cleared"
LONGEST_TEXT = 20_000  # characters of a turn


class DialogueChange(NamedTuple):
    """A change of one dialogue; an edit has the texts of all its turns, in their order and normalised."""

    kind: str
    texts: Sequence[str] | None = None


def edit(texts: Sequence[str]) -> DialogueChange:
    return DialogueChange(EDITED, [normalise(text) for text in texts])


def why_not(change: DialogueChange, turns: Sequence[Mapping[str, Any]], *, flagged: bool) -> str:
    """Return the code of what is wrong with a change of this dialogue; "" where it can be made."""
    if change.texts is None:
        return "not_flagged" if change.kind == CLEARED and not flagged else ""
    if len(change.texts) != len(turns):
        return "other_turns"
    if not all(change.texts):
        return "turn_empty"
    if any(len(text) > LONGEST_TEXT for text in change.texts):
        return "turn_too_long"
    return "" if texts_of(turns) != [*change.texts] else "nothing_edited"


def texts_of(turns: Sequence[Mapping[str, Any]]) -> list[str]:
    return [turn["text"] for turn in turns]


def edited(turns: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return the turns with these texts; who says them, when and to whom stays."""
    return [{**turn, "text": text} for turn, text in zip(turns, texts, strict=True)]
