"""Lengths of the dialogues of a corpus, counted in memory that does not grow with it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.domain.words import UNSPACED

LONGEST_COUNTED = 10_000  # words or minutes of a dialogue; a longer one counts as this long, which no median notices
_WORD = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")


@dataclass
class DialogueLengths:
    """Counts of dialogues, of their turns, utterances and words, and how many dialogues have which length.

    An utterance is a line of a turn. A word is what is between two spaces, or one Chinese or Japanese character. The
    minutes of a dialogue are those from its first turn to its last, where both have a time.
    """

    utterances: int = 0
    words: int = 0
    by_turns: Counter[int] = field(default_factory=Counter)
    by_words: Counter[int] = field(default_factory=Counter)
    by_minutes: Counter[int] = field(default_factory=Counter)

    def add(self, turns: Sequence[Mapping[str, Any]]) -> None:
        words = 0
        for turn in turns:
            text = turn["text"]
            self.utterances += text.count("\n") + 1
            words += word_count(text)
        self.words += words
        self.by_turns[len(turns)] += 1
        self.by_words[min(words, LONGEST_COUNTED)] += 1
        if turns and "at" in turns[0] and "at" in turns[-1]:
            self.by_minutes[min(_minutes(turns[0]["at"], turns[-1]["at"]), LONGEST_COUNTED)] += 1

    def as_mapping(self) -> dict[str, Any]:
        """Return the figures as they are stored and given out; `minutes_median` is None without times."""
        return {
            "dialogues": self.by_turns.total(),
            "utterances": self.utterances,
            "words": self.words,
            "turns": sum(turns * times for turns, times in self.by_turns.items()),
            "turns_fewest": min(self.by_turns),
            "turns_median": median(self.by_turns),
            "turns_most": max(self.by_turns),
            "words_median": median(self.by_words),
            "minutes_median": median(self.by_minutes) if self.by_minutes else None,
            "by_turns": {str(turns): self.by_turns[turns] for turns in sorted(self.by_turns)},
        }


def bins(by_turns: Mapping[str, int]) -> list[tuple[int, int | None, int]]:
    """Return how many dialogues have so many turns: (first, last, dialogues), from the fewest to the most.

    Up to ten turns each number is a bin of its own; then 11 to 15, 16 to 20, and all from 21 on (last None).
    """
    counts = {int(turns): times for turns, times in by_turns.items()}
    single = [(turns, turns) for turns in range(min(counts), min(max(counts), 10) + 1)]
    wide = [(first, last) for first, last in ((11, 15), (16, 20), (21, None)) if first <= max(counts)]
    return [
        (first, last, sum(times for turns, times in counts.items() if first <= turns <= (last or turns)))
        for first, last in [*single, *wide]
    ]


def word_count(text: str) -> int:
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))


def median(counts: Mapping[int, int]) -> float:
    """Return the median of values that occur so many times: of an even number of them, the mean of the middle two."""
    total = sum(counts.values())
    middle = [_at(counts, (total - 1) // 2), _at(counts, total // 2)]
    return sum(middle) / 2


def _at(counts: Mapping[int, int], place: int) -> int:
    for value in sorted(counts):
        place -= counts[value]
        if place < 0:
            return value
    raise IndexError(place)


def _minutes(first: str, last: str) -> int:
    """Return the whole minutes between two times; 0 where a clock ran back."""
    seconds = (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
    return max(0, int(seconds // 60))
