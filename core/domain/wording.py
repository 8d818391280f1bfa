"""Wording of the pure rules for users, and suggestions for a mistyped name.

Sentences are in English and marked for the catalogue, so that an action can translate them.
"""

from collections.abc import Sequence
from difflib import get_close_matches

MOST_ALIKE, MOST_NAMED = 3, 20


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for the catalogue, as Django's function of this name does, without importing Django."""
    return sentence


class ChoiceError(ValueError):
    """A chosen value that is not allowed: a marked sentence and its parameters. ``str()`` is English."""

    def __init__(self, sentence: str, **params: object) -> None:
        super().__init__(sentence % params)
        self.sentence, self.params = sentence, params


def alike(name: str, known: Sequence[str]) -> list[str]:
    """Return at most three of the known names that resemble `name`, the most similar first."""
    return get_close_matches(name, known, MOST_ALIKE)


def likely(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names that resemble `name`; where none does, the first twenty known."""
    return alike(name, known) or [*known[:MOST_NAMED]]
