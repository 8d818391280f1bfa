"""The ledger of an import: where each record of the source went, and what rules changed."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

REFUSED = "refused"  # a row with an error, which is not stored


@dataclass
class ImportLedger:
    """Counts of records: lines of a log or of jsonl, tweets, rows or files, whatever the source is made of.

    A kept record begins a turn (or is a whole dialogue), a joined one was added to the turn before it, a dropped one
    was left out by a rule. A record that several dialogues use counts once. `changed` counts texts by rule and is no
    part of the sum.
    """

    read: int = 0
    kept: int = 0
    joined: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)

    @property
    def adds_up(self) -> bool:
        return self.read == self.kept + self.joined + self.dropped.total()

    def as_mapping(self) -> dict[str, Any]:
        """Return the counts as they are stored and printed; rules that concerned nothing are left out."""
        return {
            "read": self.read,
            "kept": self.kept,
            "joined": self.joined,
            "dropped": dict(sorted((+self.dropped).items())),
            "changed": dict(sorted((+self.changed).items())),
        }
