"""Dialogues: turns with their speakers, and the digest by which two dialogues are the same conversation."""

import re
from collections.abc import Iterable, Sequence
from typing import NotRequired, TypedDict

from core.domain.text import digest, fold, normalise, one_line

LABEL = re.compile(r"\s*([^:：]*)[:：](.*)", re.DOTALL)


class Turn(TypedDict):
    """One utterance, or several of one speaker in a row."""

    speaker: str
    text: str


class LoggedTurn(Turn):
    """A turn of a log: where the source says so, when its first utterance was sent (UTC), and to which speaker."""

    at: NotRequired[str]
    to: NotRequired[str]


def parse_turn(utterance: str) -> Turn | None:
    """Return the turn written as ``label: text``, with any text before the first colon as label; else None."""
    found = LABEL.fullmatch(normalise(utterance))
    speaker = one_line(found[1]) if found else ""
    return Turn(speaker=speaker, text=normalise(found[2])) if found and speaker else None


def conversation(turns: Iterable[Turn]) -> str:
    """Return the SHA-256 of the folded text, which identifies a conversation, whatever its speakers' names."""
    return digest(fold(" ".join(turn["text"] for turn in turns)))


def next_speaker(turns: Sequence[Turn], cut: int) -> str:
    """Return the speaker of the turn after the first ``cut`` turns; empty where no turn is left."""
    return turns[cut]["speaker"] if 0 <= cut < len(turns) else ""
