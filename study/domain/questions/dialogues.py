"""Dialogues that questions are drawn from, and what is kept of each of a source at all times."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.domain.batches import batched
from core.domain.text import fold

Turn = Mapping[str, str]  # {"speaker", "text"}, and what else its source tells

SHORTEST = 3  # turns: two of context, one to find
FLAGGED = "flagged"  # why a dialogue makes no question
AT_ONCE = 2_000  # dialogues read at a time


@dataclass(frozen=True)
class SourceDialogue:
    """A dialogue, or an instance: then ``candidates`` are its own and ``turns`` its context.

    Dialogues of one ``group`` are one conversation. ``reasoning`` are the types that people named of an instance.
    A ``flagged`` one has a word of the word lists, and no person has looked at it.
    """

    id: str
    split: str
    group: str
    turns: Sequence[Turn]
    candidates: Sequence[str] | None = None
    answer: int | None = None
    reasoning: Sequence[str] = ()
    flagged: bool = False


class SourceEntry(NamedTuple):
    """Facts kept of every dialogue of a source: its position for `Fetch`, and why it makes no question, if so.

    `candidates` are how many it brings; 0 where it is no instance, so that false ones are picked.
    """

    id: str
    split: str
    group: str
    turns: int
    position: int
    left_out: str = ""
    candidates: int = 0


# Returns the dialogues at some positions, by position.
Fetch = Callable[[Sequence[int]], Mapping[int, SourceDialogue]]


def entry_of(dialogue: SourceDialogue, position: int) -> SourceEntry:
    """Return what is kept of a dialogue that can be fetched again from its position."""
    return SourceEntry(
        dialogue.id,
        dialogue.split,
        dialogue.group,
        len(dialogue.turns),
        position,
        why_left_out(dialogue),
        len(dialogue.candidates or ()),
    )


def why_left_out(dialogue: SourceDialogue) -> str:
    """Return why a dialogue makes no question; "" where it makes one."""
    if dialogue.flagged:
        return FLAGGED
    if dialogue.candidates is None:
        return "short" if len(dialogue.turns) < SHORTEST else ""
    if dialogue.answer is None:
        return "no_answer"
    return "equal_candidates" if len(set(map(fold, dialogue.candidates))) < len(dialogue.candidates) else ""


def read_in_order(entries: Sequence[SourceEntry], fetch: Fetch) -> Iterator[SourceDialogue]:
    """Yield the dialogues of these entries, in their order and a block at a time."""
    for some in batched(entries, AT_ONCE):
        found = fetch([entry.position for entry in some])
        yield from (found[entry.position] for entry in some)
