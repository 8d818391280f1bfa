"""Dialogues: who says what, turn by turn, and when two of them are one conversation."""

import re
from collections.abc import Iterable, Sequence
from typing import TypedDict

from core.domain.text import digest, fold, normalise, one_line

LABEL = re.compile(r"\s*([^:：]*)[:：](.*)", re.DOTALL)


class Turn(TypedDict):
    """One utterance, or several of one speaker in a row."""

    speaker: str
    text: str


def parse_turn(utterance: str) -> Turn | None:
    """The turn written as ``label: text``; any label before the first colon is a speaker. None without a label."""
    found = LABEL.fullmatch(normalise(utterance))
    speaker = one_line(found[1]) if found else ""
    return Turn(speaker=speaker, text=normalise(found[2])) if found and speaker else None


def conversation(turns: Iterable[Turn]) -> str:
    """SHA-256 of the folded text: what makes two dialogues one conversation, whatever their speakers are called."""
    return digest(fold(" ".join(turn["text"] for turn in turns)))


def next_speaker(turns: Sequence[Turn], cut: int) -> str:
    """Who speaks after the first ``cut`` turns of the dialogue; empty where nothing is left."""
    return turns[cut]["speaker"] if 0 <= cut < len(turns) else ""
