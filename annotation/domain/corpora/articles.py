"""MuTual's article format: the context is one line, each turn after the letter of its speaker."""

import re
from collections.abc import Iterable, Sequence
from string import ascii_uppercase
from typing import Any

from annotation.domain.corpora.dialogue import Turn
from core.domain.text import normalise

BLANK = " "  # in place of an answer that is not published
LETTERS = ascii_uppercase

_LOWER, _UPPER = (
    re.compile(rf"(?:^|(?<=[\s.?!]))([{letters}](?: ?; ?[{letters}])*) ?:(?=\s|$)") for letters in ("mfw", "MFW")
)


def turns_of(article: str) -> list[Turn]:
    """Return the turns of ``m : hello . f : hi .`` (tokenised) or ``M: Hello. F: Hi.``, normalised.

    Each turn is {"speaker", "text"}. One article uses one of the two casings, so a capital letter before a colon in a
    tokenised text is not a speaker. Two who speak together are one speaker (``m ; f``). Text before the first speaker
    is a turn without a speaker.
    """
    firsts = [(match.start(), label) for label in (_LOWER, _UPPER) if (match := label.search(article))]
    if not firsts:
        return _turns([("", article)])
    before, *parts = min(firsts)[1].split(article)
    return _turns([("", before), *zip(parts[::2], parts[1::2], strict=True)])


def _turns(parts: Iterable[tuple[str, str]]) -> list[Turn]:
    return [{"speaker": speaker, "text": text} for speaker, text in ((s, normalise(t)) for s, t in parts) if text]


def article_of(turns: Iterable[Turn]) -> str:
    """Return the article of these turns: the inverse of ``turns_of`` for every evenly spaced, normalised article."""
    return " ".join(_labelled(turn["speaker"], turn["text"]) for turn in turns)


def _labelled(speaker: str, text: str) -> str:
    if not speaker:
        return text
    return f"{speaker} : {text}" if speaker.islower() else f"{speaker}: {text}"


def record_of(id: str, turns: Iterable[Turn], candidates: Sequence[str], answer: int | None) -> Any:
    """Return an instance as a record of a MuTual file; at most 26 candidates have letters."""
    letter = BLANK if answer is None else LETTERS[answer]
    return {"answers": letter, "options": [*candidates], "article": article_of(turns), "id": id}
