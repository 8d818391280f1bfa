"""Labels of answers by name: corpus, group, reasoning type, what a person says of themselves, place in the order."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import IntArray

TURNS = ("<=2", "3", "4", "5", ">=6")  # classes of context length in the MuTual study
WHOLE = "whole"  # the condition of a context to which nothing was done, where there are others
HALVES = ("first", "second")  # of the questions that a person was asked, in their own order
ORDERS: Mapping[str, Sequence[str]] = {"turns": TURNS, "half": HALVES}
LEAST_PLACES, MOST_CLASSES = 5, 8  # of a class of places; classes of a study
SAYS = "says_"  # before the key of a question about a person, as in exports


@dataclass(frozen=True)
class Label:
    """A label of answers: each has one of its names, several or none.

    `names` are in the order of their cells. Answers are of kinds that are alike in this label (of one person, of one
    question): `belongs` says which names each kind has, shape (names, kinds), and `kind` which each answer is of.
    The `inner` names are of some corpora alone: only crossings with the corpus have cells of them.
    """

    names: tuple[str, ...]
    belongs: NDArray[np.bool_]
    kind: IntArray
    inner: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, kinds: Sequence[str | Collection[str]], kind: IntArray | None = None, order: Sequence[str] = ()
    ) -> "Label":
        """Build a label from the name or names of each kind, "" for none; without `kind` each answer is one.

        Names in `order` come first, as they are there; the others follow sorted, numbers by size.
        """
        of_kinds = [{one} - {""} if isinstance(one, str) else {*one} for one in kinds]
        found = set().union(*of_kinds)
        place = {name: position for position, name in enumerate(order)}
        names = sorted(found, key=lambda name: (place.get(name, len(place)), name.isdigit() and len(name), name))
        belongs = np.array([[name in one for one in of_kinds] for name in names], dtype=np.bool_)
        return cls(
            tuple(names),
            belongs.reshape(len(names), len(of_kinds)),
            np.arange(len(of_kinds)) if kind is None else kind,
        )

    def are(self, name: str) -> NDArray[np.bool_]:
        """Return a mask of the answers with this name."""
        return self._masks[name] if name in self._masks else np.zeros(len(self.kind), dtype=np.bool_)

    @cached_property
    def _masks(self) -> dict[str, NDArray[np.bool_]]:
        return {name: belongs[self.kind] for name, belongs in zip(self.names, self.belongs, strict=True)}

    @cached_property
    def occurring(self) -> list[str]:
        """The names that an answer has."""
        times = self.belongs @ np.bincount(self.kind, minlength=self.belongs.shape[1])
        return [name for name, count in zip(self.names, times.tolist(), strict=True) if count]


@dataclass(frozen=True)
class ResultPart:
    """Answers of a cell: those with a name in each of some labels, sorted by label; none selects all."""

    labels: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, labels: Mapping[str, str]) -> "ResultPart":
        return cls(tuple(sorted(labels.items())))

    def name(self, label: str) -> str | None:
        """Return the name in a label; None for all."""
        return dict(self.labels).get(label)


def turns_class(turns: int) -> str:
    """Return one of TURNS; "" where the number is unknown."""
    if turns <= 2:
        return "<=2" if turns else ""
    return ">=6" if turns >= 6 else str(turns)


def places_of(people: IntArray, positions: IntArray) -> tuple[IntArray, IntArray]:
    """Return the place of each row in its person's own order, from 0, and how many rows the person has."""
    order = np.lexsort((positions, people))
    counts = np.bincount(people)
    starts = np.cumsum(counts) - counts
    places = np.empty(len(people), dtype=np.int64)
    places[order] = np.arange(len(people)) - starts[people[order]]
    return places, counts[people]


def halves_label(places: IntArray, counts: IntArray) -> Label:
    """Return the label of HALVES; where a person was asked an odd number, the middle one is in the first."""
    is_second: IntArray = (2 * places > counts - 1).astype(np.int64)
    return Label.of(HALVES, is_second, HALVES)


def places_label(places: IntArray) -> Label:
    """Return the label of classes of places, equally long, such as 1-5 and 6-10."""
    most = int(places.max(initial=0)) + 1
    length = max(LEAST_PLACES, -(-most // MOST_CLASSES))
    names = [f"{first + 1}-{first + length}" for first in range(0, most, length)]
    return Label.of(names, places // length, names)
