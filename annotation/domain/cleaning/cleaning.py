"""Rules that mark pairs which should not reach annotators (5-grade study, 2.2), and the verdicts on them.

A rule is a list of words, a pattern of private details, or a hint at a prompt that only particular outside knowledge
answers. It finds spans; only a person decides about the pair.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from annotation.domain.cleaning.cleaning_patterns import HINTS, PATTERNS, PRIVATE
from annotation.domain.cleaning.cleaning_words import WordLists, fold_letters
from annotation.domain.cleaning.dirty_words import DIRTY_WORDS
from annotation.domain.languages import WRITTEN
from core.domain.draws import uniforms
from core.domain.wording import gettext_noop

OWN_WORDS = "coarse"
OWN_LISTS = {OWN_WORDS: gettext_noop("Coarse words, our own list")}  # names by key
OWN_RULES = (OWN_WORDS, *PATTERNS)


def own_rules(language: str) -> tuple[str, ...]:
    """Return the built-in rules for texts in the language of a project, one of LANGUAGES."""
    wanted = ("", *WRITTEN[language])
    return (OWN_WORDS, *(key for key, pattern in PATTERNS.items() if pattern.language in wanted))


def own_words(language: str) -> tuple[str, ...]:
    """Return the words of the built-in list in the language of a project."""
    return tuple(word for written in WRITTEN[language] for word in DIRTY_WORDS[written])


class CleaningVerdict(StrEnum):
    """Verdicts that a person may give on a marked pair."""

    KEEP = "keep"
    SENSITIVE = "sensitive"  # removes the pair
    KNOWLEDGE = "knowledge"  # removes the prompt with all its responses


class PairPart(StrEnum):
    """The two texts of a pair."""

    PROMPT = "prompt"
    RESPONSE = "response"


class Span(NamedTuple):
    """The characters from ``start`` up to, not including, ``end`` of one of a pair's two texts."""

    part: str
    start: int
    end: int


Findings = dict[str, list[Span]]  # by rule


class Scanner:
    """The rules that a project uses, prepared for scanning many pairs."""

    def __init__(self, patterns: Collection[str], lists: Mapping[str, Iterable[str]]) -> None:
        self._private = [(key, PRIVATE[key]) for key in PRIVATE if key in patterns]
        self._hints = [(key, HINTS[key]) for key in HINTS if key in patterns]
        self._words = WordLists(lists)

    def find(self, prompt: str, response: str) -> Findings:
        """Return the findings of the rules in a pair; hints look at the prompt only."""
        found: dict[str, list[Span]] = defaultdict(list)
        for part, text in ((PairPart.PROMPT, fold_letters(prompt)), (PairPart.RESPONSE, fold_letters(response))):
            for name, start, end in self._words.find(text):
                found[name].append(Span(part.value, start, end))
            patterns = self._private if _LATIN_OR_DIGIT.search(text) else []
            for key, pattern in patterns + (self._hints if part is PairPart.PROMPT else []):
                found[key] += (Span(part.value, *ends) for ends in pattern.spans(text))
        return {rule: spans for rule, spans in found.items() if spans}


_LATIN_OR_DIGIT = re.compile("[a-z0-9]")  # every private detail has one


def suggested(rules: Collection[str]) -> CleaningVerdict | None:
    """Return the verdict that the rules suggest: knowledge-dependent only where nothing sensitive was found."""
    if not rules:
        return None
    return CleaningVerdict.KNOWLEDGE if all(rule in HINTS for rule in rules) else CleaningVerdict.SENSITIVE


def is_covered(found: Mapping[str, Sequence[Sequence[object]]], seen: Mapping[str, Sequence[Sequence[object]]]) -> bool:
    """Return whether every span of ``found`` is in ``seen``, which a person was shown: then nothing is asked again."""
    return all({*map(tuple, spans)} <= {*map(tuple, seen.get(rule, ()))} for rule, spans in found.items())


def cut_up(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Split the text into pieces, each with whether it is marked; joined they are the text."""
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


AROUND = 60  # characters beside a mark that are shown of a long text


def around_marks(pieces: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return the pieces of a long text with "…" for what is far from every mark; without a mark, its beginning."""
    if not any(is_marked for _piece, is_marked in pieces):
        return [(piece[: 4 * AROUND] + "…", False) for piece, _is_marked in pieces[:1]]
    last = len(pieces) - 1
    return [
        (piece if is_marked else _shortened(piece, begins=number == 0, ends=number == last), is_marked)
        for number, (piece, is_marked) in enumerate(pieces)
    ]


def _shortened(piece: str, *, begins: bool, ends: bool) -> str:
    """Return the ends of an unmarked piece that are beside a mark: the first and the last piece have one such end."""
    head, tail = 0 if begins else AROUND, 0 if ends else AROUND
    return piece if len(piece) <= head + tail else piece[:head] + "…" + piece[len(piece) - tail :]


FOLLOWED = {
    CleaningVerdict.SENSITIVE: 0.7,
    CleaningVerdict.KNOWLEDGE: 0.5,
}  # how often a bot gives the suggested verdict


def simulated_verdict(seed: int, item: str, suggested: CleaningVerdict | None) -> CleaningVerdict:
    """Return a bot's verdict on an item: it depends on the seed and the item, not on the bot."""
    if suggested is None:
        return CleaningVerdict.KEEP
    [chance] = uniforms(seed, "clean", item)[:1]
    return suggested if chance < FOLLOWED[suggested] else CleaningVerdict.KEEP
