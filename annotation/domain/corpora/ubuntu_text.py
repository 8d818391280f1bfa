"""The text of the Ubuntu corpus: each utterance is ended by __eou__, each turn by __eot__."""

import re
from collections.abc import Sequence

from core.domain.text import normalise

UTTERANCE_END, TURN_END = "__eou__", "__eot__"
IDS_SUFFIX = "_ids.csv"  # train_ids.csv names the dialogues of train.csv
IDS_HEADER = ("Dialogue", "Conversation", "Drawn")
FIRST_RESPONSE = 2  # the first turn, counted from 0, that is a labelled response
_UTTERANCES = re.compile(rf" ?{UTTERANCE_END} ?")
_MARKS = re.compile(rf" ?(?:{UTTERANCE_END}|{TURN_END}) ?")


def without_marks(text: str) -> str:
    """Return a turn as it can be written: marks in its own text become ends of lines. Empty for marks alone."""
    return normalise("\n".join(_MARKS.split(text))) if "__eo" in text else text


def context_text(turns: Sequence[str]) -> str:
    """Return turns without marks, whose utterances are lines, as one text."""
    return " ".join(f"{response_text(turn)} {TURN_END}" for turn in turns)


def response_text(turn: str) -> str:
    """Return one turn without marks, whose utterances are lines, as a text without the mark of its end."""
    return " ".join(f"{line} {UTTERANCE_END}" for line in turn.split("\n"))


def turns_in(context: str) -> list[str]:
    """Return the turns of a context, an utterance a line: the inverse of ``context_text``; empty turns are left out."""
    return [turn for part in context.split(TURN_END) if (turn := turn_in(part))]


def turn_in(response: str) -> str:
    """Return a turn, an utterance a line: the inverse of ``response_text``."""
    return normalise("\n".join(_UTTERANCES.split(response.strip().removesuffix(UTTERANCE_END).strip())))
