"""What should not reach annotators (5-grade study, 2.2): rules that point a person to it, and what the person may
decide.

A rule is a list of words, a pattern of private details, or a hint at a prompt that only particular outside knowledge
answers. It finds spans; what becomes of a pair is a person's verdict alone.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from annotation.domain.cleaning.cleaning_patterns import HINTS, PATTERNS, PRIVATE
from annotation.domain.cleaning.cleaning_words import WordLists, fold_letters
from annotation.domain.cleaning.dirty_words import DIRTY_WORDS
from core.domain.draws import uniforms
from core.domain.wording import gettext_noop

OWN_WORDS = "coarse"
OWN_LISTS: dict[str, tuple[str, tuple[str, ...]]] = {
    OWN_WORDS: (gettext_noop("Coarse words, our own list"), DIRTY_WORDS)
}
OWN_RULES = (OWN_WORDS, *PATTERNS)


class CleaningVerdict(StrEnum):
    """What a person decides about a marked pair."""

    KEEP = "keep"
    SENSITIVE = "sensitive"  # removes the pair
    KNOWLEDGE = "knowledge"  # removes the prompt with all its responses


class PairPart(StrEnum):
    """Which of a pair's two texts."""

    PROMPT = "prompt"
    RESPONSE = "response"


class Span(NamedTuple):
    """The characters ``start`` up to, not including, ``end`` of one of a pair's two texts."""

    part: str
    start: int
    end: int


Findings = dict[str, list[Span]]  # by rule


class Scanner:
    """The rules of a project that are in use, ready to look at many pairs."""

    def __init__(self, patterns: Collection[str], lists: Mapping[str, Iterable[str]]) -> None:
        self._private = [(key, PRIVATE[key]) for key in PRIVATE if key in patterns]
        self._hints = [(key, HINTS[key]) for key in HINTS if key in patterns]
        self._words = WordLists(lists)

    def find(self, prompt: str, response: str) -> Findings:
        """What the rules find in a pair; hints look at the prompt alone."""
        found: dict[str, list[Span]] = defaultdict(list)
        for part, text in ((PairPart.PROMPT, fold_letters(prompt)), (PairPart.RESPONSE, fold_letters(response))):
            for name, start, end in self._words.find(text):
                found[name].append(Span(part.value, start, end))
            patterns = self._private if _LATIN_OR_DIGIT.search(text) else []
            for key, pattern in patterns + (self._hints if part is PairPart.PROMPT else []):
                found[key] += (Span(part.value, *ends) for ends in pattern.spans(text))
        return {rule: spans for rule, spans in found.items() if spans}


_LATIN_OR_DIGIT = re.compile("[a-z0-9]")  # no private detail is without one


def suggested(rules: Collection[str]) -> CleaningVerdict | None:
    """What the rules that mark a pair point at: knowledge-dependent only where nothing sensitive was found."""
    if not rules:
        return None
    return CleaningVerdict.KNOWLEDGE if all(rule in HINTS for rule in rules) else CleaningVerdict.SENSITIVE


def is_covered(found: Mapping[str, Sequence[Sequence[object]]], seen: Mapping[str, Sequence[Sequence[object]]]) -> bool:
    """Whether somebody who saw ``seen`` in a pair saw all of ``found`` in it: then there is nothing to ask again."""
    return all({*map(tuple, spans)} <= {*map(tuple, seen.get(rule, ()))} for rule, spans in found.items())


def cut_up(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is marked; put together again they are the text."""
    marked = sorted(spans)
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in marked:
        if end <= at:
            continue
        start = max(start, at)
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    pieces.append((text[at:], False))
    return [(piece, is_marked) for piece, is_marked in pieces if piece]


FOLLOWED = {
    CleaningVerdict.SENSITIVE: 0.7,
    CleaningVerdict.KNOWLEDGE: 0.5,
}  # how often a bot does what the rules point at


def simulated_verdict(seed: int, item: str, suggested: CleaningVerdict | None) -> CleaningVerdict:
    """What a bot decides about an item: the same for the same seed, whichever bot it is."""
    if suggested is None:
        return CleaningVerdict.KEEP
    [chance] = uniforms(seed, "clean", item)[:1]
    return suggested if chance < FOLLOWED[suggested] else CleaningVerdict.KEEP
