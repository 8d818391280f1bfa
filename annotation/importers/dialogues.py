"""Rows of a corpus: dialogues, and instances with their candidates, from the files of a folder or an archive."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Any, NamedTuple, Protocol, cast

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.corpora.replacements import replaced
from annotation.domain.releases.splitting import Split
from annotation.importers.archive import Member
from annotation.importers.encoding import CHUNK, head_text
from annotation.importers.reasons import RowRefused
from annotation.importers.records import within
from annotation.importers.rows import BadRow
from core.domain.text import normalise

LONGEST_ID = 100
LONGEST_SAID = 20_000  # characters of one turn
LONGEST_TEXT = 3 * LONGEST_SAID  # of a turn or candidate as it is stored: a tag may be longer than what it replaces
LONGEST_LINE = 32 << 20  # bytes: a dialogue is one line of an export
LONGEST_STEM = 50  # characters of a file's name in an id
MOST_TURNS = 2_000
MOST_CANDIDATES = 100  # one right, 99 distractors
LONGEST_CONVERSATION = 64  # characters of its key
MOST_FACTS = 20
LONGEST_FACT = 200  # characters of a name or value
NO_FACTS: Mapping[str, str | int] = {}
NO_CHOICE: Mapping[str, Any] = {}


class DialogueRow(NamedTuple):
    """One dialogue; `answer` counts from 0. A `conversation` is a key of the source's own, "" where it has none.

    `facts` is a small object. `as_written` is the source's own record, as JSON, where the row would not reproduce it;
    `is_variant` marks the second of two variants in one archive (MuTual-plus); `flagged`, which no reader gives, that a
    word of the word lists stands in it.
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
    flagged: bool = False

    @property
    def texts(self) -> list[str]:
        """All that is said in it: its turns and its candidates."""
        return [*(turn["text"] for turn in self.turns), *(self.candidates or ())]


class Recipe(NamedTuple):
    """What a person decides about an import: the time zone of a log, the seed of what is drawn, which kinds of names
    and addresses (domain.corpora.replacements.KINDS) are left as they are, and how the columns of a table are read (the
    fields of a LayoutChoice; empty for a guess).
    """

    zone: str = "UTC"
    seed: int = 0
    leave: Sequence[str] = ()
    choice: Mapping[str, Any] = NO_CHOICE


class Reader(Protocol):
    """The interface of a corpus format: one module for each format.

    `RULES` are the settings of its rules, by name, which the corpus keeps. `HEEDS` names the fields of a recipe that
    change what it reads.
    """

    RULES: Mapping[str, Any]
    HEEDS: Sequence[str]

    def fits(self, files: Sequence[Member]) -> bool:
        """Tell by their first lines whether the files are of this format."""

    def total(self, files: Sequence[Member]) -> int:
        """Return the number of records, for progress."""

    def read(self, files: Sequence[Member], ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
        """Yield the rows in an order that depends only on the content. Raises RowRefused for the whole.

        Counts in `ledger` what is read, kept, joined, dropped and changed, and leaves refused rows to the caller.
        """


def checked_id(value: object, otherwise: str) -> str:
    """Return the record's own id, or ``otherwise``, made from its position. Raises RowRefused."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is not None and not isinstance(value, str):
        raise RowRefused("not_text", column="id")
    name = normalise(value or "") or normalise(otherwise)
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
    return normalise(value if len(value) <= limit else within(value, column, limit))


def turns_of(said: Iterable[tuple[str, str]]) -> list[Turn]:
    """Return the turns of (speaker, text) pairs: consecutive utterances of one speaker are one, a line each."""
    by_speaker = groupby(said, key=itemgetter(0))
    return [Turn(speaker=speaker, text="\n".join(text for _speaker, text in some)) for speaker, some in by_speaker]


def is_too_long(turns: Sequence[Turn]) -> bool:
    """Tell whether a dialogue has more turns, or a longer one, than are stored."""
    return len(turns) > MOST_TURNS or any(len(turn["text"]) > LONGEST_SAID for turn in turns)


def with_tags(text: str, ledger: ImportLedger, recipe: Recipe) -> str:
    """Return a text with tags in place of names, addresses and the like, all counted, as it is stored."""
    return normalise(replaced(text, ledger, leave=recipe.leave))


class IdsByFile:
    """Ids of dialogues made of the names of their files: train-1, train-2."""

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()

    def next_of(self, member: Member) -> str:
        stem = normalise(PurePosixPath(member.name).stem)[:LONGEST_STEM]
        self._numbers[stem] += 1
        return f"{stem}-{self._numbers[stem]}"


def prefixes_of(files: Sequence[Member]) -> Iterator[str]:
    """Yield what the ids of each file begin with: its name, with a number where a file before it has the same name."""
    if len(files) == 1:
        yield ""
        return
    stems = [normalise(PurePosixPath(member.name).stem)[:LONGEST_STEM] for member in files]
    taken = {*stems}
    names = {stem: _numbered(stem, taken) for stem in taken}
    for stem in stems:
        yield f"{next(names[stem])}-"


def _numbered(stem: str, taken: Container[str]) -> Iterator[str]:
    yield stem
    yield from (name for number in count(2) if (name := f"{stem}.{number}") not in taken)


def split_named(name: str) -> str:
    """Return the split that a file's name begins with (train.csv, dev_2.csv, valid.csv); empty without one."""
    first = re.split("[^a-z]", PurePosixPath(name).name.lower(), maxsplit=1)[0]
    first = {"valid": "dev", "validation": "dev"}.get(first, first)
    return first if first in set(Split) else ""


def in_order_of_splits(files: Iterable[Member]) -> list[Member]:
    """Return the files by the split that their names begin with: train, then dev and test."""
    return sorted(files, key=lambda member: ("train", "", "dev", "test").index(split_named(member.name)))


def line_feeds(files: Iterable[Member]) -> int:
    """Return how many lines the files have, counted by line feeds."""
    found = 0
    for member in files:
        with member.path.open("rb") as file:
            found += sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
    return found


def head_of(member: Member) -> str:
    """Return the beginning of a file, as far as it can be read as UTF-8 or UTF-16."""
    with member.path.open("rb") as file:
        return head_text(file.read(CHUNK))


def first_lines(files: Sequence[Member], most: int) -> list[str]:
    """Return the first lines that are not blank, at most so many of each file."""
    lines = []
    for member in files:
        lines += [line for line in head_of(member).splitlines() if line.strip()][:most]
    return lines
