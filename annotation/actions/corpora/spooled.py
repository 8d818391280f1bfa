"""The rows of a corpus on disk: read whole before anything is stored."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Any

from annotation.domain.corpora.dialogue import conversation
from annotation.importers.dialogues import DialogueRow
from annotation.models import Corpus

COLUMNS = (
    "corpus",
    "position",
    "split",
    "external_id",
    "digest",
    "conversation",
    "turns",
    "candidates",
    "answer",
    "facts",
    "as_written",
    "flagged",
)


@dataclass
class SpooledCorpus:
    """Rows of one corpus on disk, ready to be stored, with their checksum and statistics."""

    file: IO[bytes]
    rows: int = 0
    checksum: Any = field(default_factory=sha256)
    statistics: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, row: DialogueRow) -> None:
        self.statistics[row.split].update(
            dialogues=1, turns=len(row.turns), instances=row.candidates is not None, answers=row.answer is not None
        )
        self.checksum.update(_line(content_of(row)))
        self.file.write(_line([*row]))
        self.rows += 1

    def values(self, corpus: Corpus) -> Iterator[tuple[Any, ...]]:
        """Yield a row of values for bulk.insert, in the order of COLUMNS."""
        self.file.seek(0)
        for position, line in enumerate(self.file):
            row = DialogueRow(*json.loads(line))
            digest = conversation(row.turns)
            options = None if row.candidates is None else _text(row.candidates)
            yield (
                corpus.pk,
                position,
                row.split,
                row.id,
                digest,
                row.conversation or digest,
                _text(row.turns),
                options,
                row.answer,
                _text(row.facts),
                row.as_written,
                row.flagged,
            )


def content_of(row: DialogueRow) -> list[Any]:
    """Return what the checksum covers; a conversation and facts, in order of name, only where the source has them."""
    content: list[Any] = [row.split, row.id, row.turns, row.candidates, row.answer]
    if not row.conversation and not row.facts:
        return content
    return [*content, row.conversation, dict(sorted(row.facts.items()))]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _line(value: Any) -> bytes:
    return f"{_text(value)}\n".encode()
