"""Contexts in more than one split: a model would be tested on contexts that it was trained on."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

import numpy as np
import scipy

from annotation.domain.corpora.dialogue import Turn
from core.domain.text import fold
from core.domain.words import words_of

RUN = 4  # words in a row
ALIKE = 0.8  # the share of the shorter context's runs that the longer one has
FEWEST_RUNS = 8  # a context with fewer is common small talk: only equality counts
MOST_HOLDERS = 200  # contexts; a run in more of them is a common phrase, not a copy
ROWS = 1_000  # contexts compared with all others at a time


class Likeness(StrEnum):
    """Degrees of likeness of contexts in different splits."""

    EXACT = "exact"  # letter by letter, at least two of them
    NEAR = "near"  # but for case, width, punctuation and space: what puts two texts into one split
    SIMILAR = "similar"  # the longer has most of the shorter: words changed, or one dialogue cut twice


@dataclass(frozen=True)
class Context:
    """The context of one instance. Without a split it is never a leak."""

    split: str
    turns: Sequence[Turn]


@dataclass(frozen=True)
class Leak:
    """Instances with like contexts: their positions in the material, ascending, from two splits or more."""

    likeness: Likeness
    indices: tuple[int, ...]


class Leaks(NamedTuple):
    """All leaks, the most alike first, then in the order of the material.

    `phrases` counts the runs of words that were ignored because too many contexts share them.
    """

    found: list[Leak]
    phrases: int


def leaks(contexts: Sequence[Context]) -> Leaks:
    """Return every context that is in several splits.

    An exact or a near leak has all instances of its context, a similar one those of two contexts.
    """
    folded = (fold(" ".join(f"{turn['speaker']} {turn['text']}" for turn in each.turns)) for each in contexts)
    groups = _alike(enumerate(folded))
    found = [
        Leak(Likeness.EXACT if _has_exact(contexts, indices) else Likeness.NEAR, indices)
        for indices in groups
        if _is_across(contexts, indices)
    ]
    runs, phrases = _runs([contexts[indices[0]] for indices in groups])
    found += (
        Leak(Likeness.SIMILAR, tuple(sorted((*groups[one], *groups[other]))))
        for one, other in _similar(runs)
        if _is_across(contexts, (*groups[one], *groups[other]))
    )
    return Leaks(sorted(found, key=lambda leak: (list(Likeness).index(leak.likeness), leak.indices)), phrases)


def _alike(keys: Iterable[tuple[int, Hashable]]) -> list[tuple[int, ...]]:
    """Group the positions of equal keys."""
    indices: dict[Hashable, list[int]] = {}
    for index, key in keys:
        indices.setdefault(key, []).append(index)
    return [tuple(group) for group in indices.values()]


def _is_across(contexts: Sequence[Context], indices: Iterable[int]) -> bool:
    return len({contexts[index].split for index in indices} - {""}) > 1


def _has_exact(contexts: Sequence[Context], indices: Iterable[int]) -> bool:
    written = ((index, tuple((turn["speaker"], turn["text"]) for turn in contexts[index].turns)) for index in indices)
    return any(_is_across(contexts, group) for group in _alike(written))


def _similar(runs: "scipy.sparse.csr_array") -> Iterator[tuple[int, int]]:
    """Yield pairs of rows in which the longer has most of the shorter (Broder 1997: containment)."""
    sizes = np.diff(runs.indptr)
    others = runs.T.tocsr()
    for start in range(0, runs.shape[0], ROWS):
        common = (runs[start : start + ROWS] @ others).tocoo()
        one, other = common.row + start, common.col
        shorter = np.minimum(sizes[one], sizes[other])
        is_similar = (one < other) & (shorter >= FEWEST_RUNS) & (common.data >= ALIKE * shorter)
        yield from zip(one[is_similar].tolist(), other[is_similar].tolist(), strict=True)


def _runs(contexts: Sequence[Context]) -> tuple["scipy.sparse.csr_array", int]:
    """Return a 0/1 matrix, contexts by runs of words without speakers, and the number of common phrases left out."""
    texts = [words_of(" ".join(turn["text"] for turn in each.turns)) for each in contexts]
    own = [{hash(tuple(words[index : index + RUN])) for index in range(len(words) - RUN + 1)} for words in texts]
    row = np.repeat(np.arange(len(texts)), [len(runs) for runs in own])
    _runs, column, holders = np.unique(
        np.fromiter(chain.from_iterable(own), np.int64, len(row)), return_inverse=True, return_counts=True
    )
    is_own = holders[column] <= MOST_HOLDERS
    ones = np.ones(np.count_nonzero(is_own), np.int32)
    shape = (len(texts), max(1, len(holders)))
    return scipy.sparse.csr_array((ones, (row[is_own], column[is_own])), shape=shape), int(
        np.sum(holders > MOST_HOLDERS)
    )
