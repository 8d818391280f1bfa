"""The table of the MuTual study for a release of rewritten instances (its table 1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.domain.releases.instances import RewrittenInstance
from annotation.domain.releases.splitting import Split
from annotation.domain.rewriting.overlap import overlap
from core.domain.words import words_of

# The published values. Their words include punctuation marks and the two tokens of the speaker's label.
MUTUAL_STATISTICS: dict[str, Any] = {
    "pairs": 8_860,
    "turns_mean": 4.73,
    "words_mean": 19.57,
    "vocabulary": {"context": 8_809, "response": 8_943, "both": 11_343},
    "dialogues": 6_371,
    "questions": 11_323,
    "candidates": 4,
    # Published without a definition; the one used here gives about .53 for both on the study's data.
    "overlap": {"right": 0.0998, "wrong": 0.1063},
}


def rewriting_statistics(
    instances: Iterable[RewrittenInstance], *, dialogues: int, questions: int
) -> dict[str, dict[str, Any]]:
    """Return one block per split and one for all, JSON-ready, from a single pass.

    Each block: ``pairs`` (contexts with their candidates), ``turns_mean`` of the contexts, ``words_mean`` of an
    utterance of them, ``vocabulary`` {context, response, both} of case-folded words, ``conversations`` that are in it,
    ``candidates`` and ``overlap`` {right, wrong}: mean shares of a candidate's words that its context has. ``all`` also
    has the original ``dialogues`` and ``questions``. What an empty split leaves undefined is None.
    """
    every = _RewritingTally()
    tallies = {str(split): _RewritingTally() for split in Split}
    for instance in instances:
        every.add(instance)
        tallies[instance["split"]].add(instance)
    blocks = {name: tally.block() for name, tally in tallies.items()}
    return blocks | {"all": every.block() | {"dialogues": dialogues, "questions": questions}}


@dataclass
class _Mean:
    total: float = 0.0
    count: int = 0

    def add(self, value: float | None) -> None:
        if value is not None:
            self.total, self.count = self.total + value, self.count + 1

    @property
    def value(self) -> float | None:
        return self.total / self.count if self.count else None


@dataclass
class _RewritingTally:
    turns: _Mean = field(default_factory=_Mean)
    words: _Mean = field(default_factory=_Mean)
    right: _Mean = field(default_factory=_Mean)
    wrong: _Mean = field(default_factory=_Mean)
    context: set[str] = field(default_factory=set)
    response: set[str] = field(default_factory=set)
    conversations: set[str] = field(default_factory=set)

    def add(self, instance: RewrittenInstance) -> None:
        texts = [turn["text"] for turn in instance["context"]]
        self.turns.add(len(texts))
        for text in texts:
            words = words_of(text)
            self.words.add(len(words))
            self.context.update(words)
        for number, text in enumerate(instance["candidates"]):
            self.response.update(words_of(text))
            mean = self.right if number == instance["answer"] else self.wrong
            mean.add(overlap(text, texts).share)
        self.conversations.add(instance["conversation"])

    def block(self) -> dict[str, Any]:
        sizes: Mapping[str, int] = {
            "context": len(self.context),
            "response": len(self.response),
            "both": len(self.context | self.response),
        }
        return {
            "pairs": self.turns.count,
            "turns_mean": self.turns.value,
            "words_mean": self.words.value,
            "vocabulary": sizes,
            "conversations": len(self.conversations),
            "candidates": 4,
            "overlap": {"right": self.right.value, "wrong": self.wrong.value},
        }
