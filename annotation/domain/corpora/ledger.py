"""The ledger of an import: where each record of the source went, and what rules changed."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotation.domain.corpora.samples import SeededSample

KEPT, JOINED = "kept", "joined"
REFUSED = "refused"  # a row with an error, which is not stored
SHORT = "under_three_turns"
FEWEST_TURNS = 3
EXAMPLES = 20  # of each kind of replacement
AROUND = 60  # characters shown before and after a place


class Replacement(NamedTuple):
    """A place in a text: what is before it, what was there, what takes its place, and what follows."""

    before: str
    old: str
    new: str
    after: str


class ReplacementExamples:
    """Examples of what is replaced, by kind."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.by_kind: dict[str, SeededSample[Replacement]] = {}

    def offer(self, kind: str, text: str, start: int, end: int, new: str) -> None:
        sample = self.by_kind.get(kind) or self.by_kind.setdefault(kind, SeededSample(EXAMPLES, self._seed, kind))
        sample.offer(
            lambda: Replacement(
                text[max(0, start - AROUND) : start], text[start:end][:AROUND], new, text[end : end + AROUND]
            )
        )


@dataclass
class ImportLedger:
    """Counts of records: lines of a log or of jsonl, tweets, rows or files, whatever the source is made of.

    A kept record begins a turn (or is a whole dialogue), a joined one was added to the turn before it, a dropped one
    was left out by a rule. A record that several dialogues use counts once. `changed` counts texts by rule and is no
    part of the sum. Examples of replacements are kept where there is a place for them.
    """

    read: int = 0
    kept: int = 0
    joined: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    files_not_read: int = 0  # files of the input that are not of its format
    examples: ReplacementExamples | None = None
    on_read: Callable[[int], None] | None = None  # is told how many records have been read

    def has_read(self) -> None:
        """Count a record that was read, whatever becomes of it."""
        self.read += 1
        if self.on_read:
            self.on_read(self.read)

    @property
    def accounted(self) -> int:
        """The records of which the ledger tells what became of them."""
        return self.kept + self.joined + self.dropped.total()

    @property
    def adds_up(self) -> bool:
        return self.read == self.accounted

    def count(self, fate: str, by: int = 1) -> None:
        """Count records by what became of them: KEPT, JOINED, or the rule that drops them."""
        if fate == KEPT:
            self.kept += by
        elif fate == JOINED:
            self.joined += by
        else:
            self.dropped[fate] += by

    def move(self, old: str, new: str, fates: Sequence[str]) -> str:
        """Count a record under the better of two fates, of which `fates` has the best first; return that one.

        `old` is empty for a record that is not counted yet.
        """
        if old and fates.index(old) <= fates.index(new):
            return old
        if old:
            self.count(old, -1)
        self.count(new)
        return new

    def replace(self, kind: str, places: int, text: str, first: tuple[int, int], new: str) -> None:
        """Count the places of a text that something else takes; `first` is the first of them."""
        self.changed[kind] += places
        if self.examples is not None:
            self.examples.offer(kind, text, *first, new)

    def as_mapping(self) -> dict[str, Any]:
        """Return the counts as they are stored and printed; rules that concerned nothing are left out."""
        counts = {
            "read": self.read,
            "kept": self.kept,
            "joined": self.joined,
            "dropped": dict(sorted((+self.dropped).items())),
            "changed": dict(sorted((+self.changed).items())),
        }
        return {**counts, "files_not_read": self.files_not_read} if self.files_not_read else counts
