"""Texts of questions that stand in training material: a model may know them by heart."""

from collections.abc import Iterable, Sequence

from core.domain.text import fold
from core.domain.words import words_of

LONG = 7  # words; a shorter text is common small talk


class SeenInTraining:
    """Which of some questions, by number, have their context or a candidate in the dialogues that are read.

    ``contexts`` have the turns of their whole context one after the other in a training dialogue, ``candidates`` a
    candidate as a turn there; both but for case, punctuation and space, and only with texts of LONG words or more.
    """

    def __init__(self) -> None:
        self.contexts: set[int] = set()
        self.candidates: set[int] = set()
        self._by_candidate: dict[str, set[int]] = {}
        self._by_first_turn: dict[str, list[tuple[int, list[str]]]] = {}

    def add(self, number: int, context: Sequence[str], candidates: Iterable[str]) -> None:
        """Add a question to look for."""
        for text in candidates:
            if len(words_of(text)) >= LONG:
                self._by_candidate.setdefault(fold(text), set()).add(number)
        if len(words_of(" ".join(context))) >= LONG:
            turns = [fold(text) for text in context]
            self._by_first_turn.setdefault(turns[0], []).append((number, turns))

    def read(self, texts: Iterable[str]) -> None:
        """Look for the questions in the turns of a training dialogue."""
        folded = [fold(text) for text in texts]
        for start, text in enumerate(folded):
            self.candidates |= self._by_candidate.get(text, set())
            for number, turns in self._by_first_turn.get(text, ()):
                if folded[start : start + len(turns)] == turns:
                    self.contexts.add(number)
