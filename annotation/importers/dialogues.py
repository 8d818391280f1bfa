"""Rows of a corpus: dialogues, and instances with their candidates, from the files of a folder or an archive."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

from annotation.domain.corpora.dialogue import Turn
from annotation.importers.archive import Member
from annotation.importers.reasons import RowRefused
from annotation.importers.records import within
from annotation.importers.rows import BadRow
from core.domain.text import normalise

LONGEST_ID = 100
LONGEST_TEXT = 20_000  # characters of one turn or candidate
MOST_TURNS = 2_000
MOST_CANDIDATES = 100  # one right, 99 distractors
LONGEST_CONVERSATION = 64  # characters of its key
MOST_FACTS = 20
LONGEST_FACT = 200  # characters of a name or value
NO_FACTS: Mapping[str, str | int] = {}


class DialogueRow(NamedTuple):
    """One dialogue; `answer` counts from 0. A `conversation` is a key of the source's own, "" where it has none.

    `facts` is a small object. `as_written` is the source's own record, as JSON, where the row would not reproduce it;
    `is_variant` marks the second of two variants in one archive (MuTual-plus).
    """

    id: str
    split: str
    turns: Sequence[Turn]
    candidates: list[str] | None = None
    answer: int | None = None
    conversation: str = ""
    facts: Mapping[str, str | int] = NO_FACTS
    as_written: str = ""
    is_variant: bool = False


class Reader(Protocol):
    """The interface of a corpus format: one module for each format."""

    def total(self, files: Sequence[Member]) -> int:
        """Return the number of records, for progress."""

    def read(self, files: Sequence[Member]) -> Iterator[DialogueRow | BadRow]:
        """Yield the rows in an order that depends only on the content. Raises RowRefused for the whole."""


def checked_id(value: object, otherwise: str) -> str:
    """Return the record's own id, or ``otherwise``, made from its position. Raises RowRefused."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is not None and not isinstance(value, str):
        raise RowRefused("not_text", column="id")
    name = normalise(value or "") or otherwise
    if len(name) > LONGEST_ID:
        raise RowRefused("id_too_long", limit=LONGEST_ID)
    return name


def checked_candidates(values: object) -> list[str]:
    """Return the normalised candidates: at least two, none empty. Raises RowRefused otherwise."""
    if not isinstance(values, list) or not 2 <= len(values) <= MOST_CANDIDATES:
        raise RowRefused("candidates_count", limit=MOST_CANDIDATES)
    candidates = [text(value, "candidates") for value in values]
    if not all(candidates):
        raise RowRefused("candidate_empty")
    return candidates


def checked_conversation(value: object) -> str:
    """Return the key of a conversation as it is stored; "" where the record has none. Raises RowRefused."""
    return text("" if value is None else value, "conversation", LONGEST_CONVERSATION)


def checked_facts(value: object) -> Mapping[str, str | int]:
    """Return the facts of a record: names with short texts or whole numbers. Raises RowRefused otherwise."""
    if value is None:
        return NO_FACTS
    if not isinstance(value, dict) or len(value) > MOST_FACTS:
        raise RowRefused("facts", limit=MOST_FACTS)
    return {text(name, "facts", LONGEST_FACT): _fact(fact) for name, fact in value.items()}


def _fact(value: object) -> str | int:
    is_number = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63
    return cast("int", value) if is_number else text(value, "facts", LONGEST_FACT)


def text(value: Any, column: str, limit: int = LONGEST_TEXT) -> str:
    """Return the normalised text. Raises RowRefused where it is not a text or too long."""
    if not isinstance(value, str):
        raise RowRefused("not_text", column=column)
    return normalise(within(value, column, limit))
