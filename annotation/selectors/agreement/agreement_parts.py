"""Agreement by source, by topic and over time, and the pairs that their raters should discuss."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from annotation.domain.agreement import Block, ItemGrades
from annotation.domain.agreement.patterns import IntArray
from annotation.domain.workflow import ItemState
from annotation.models import Project, Rating
from annotation.selectors.adjudication import adjudicated
from annotation.selectors.rating.grades import STATES, Grades
from annotation.selectors.rating.pairs import PairHistory, graded

MOST_PARTS = 50  # sources or topics with most pairs; the others are one part together
STRETCHES = 10  # parts of the work, in the order of pairs' last grades
LEAST = 20  # pairs in a stretch; a small project has fewer stretches
WIDEST = 20  # pairs to discuss
TYPE_CONFUSIONS = 12  # most frequent kinds of disagreement


@dataclass(frozen=True)
class AgreementPart:
    """A part of the pairs: `settled` have all their grades, and `apart` of these have too wide a gap.

    `name` is None for the sources or topics that are taken together. A stretch of time has the times of its first and
    last pair.
    """

    name: str | None
    block: Block
    settled: int
    apart: int
    began_at: datetime | None = None
    ended_at: datetime | None = None


Reading = tuple[int, str]  # a grade and the key of its type


@dataclass(frozen=True)
class TypeConfusion:
    """The number of times two raters read a pair in these two ways, the lower grade first, with too wide a gap."""

    low: Reading
    high: Reading
    pairs: int


@dataclass(frozen=True)
class Parts:
    """Agreement in parts, before the filter. Parts without a pair that two people have graded are left out."""

    sources: list[AgreementPart]
    topics: list[AgreementPart]
    stretches: list[AgreementPart]
    type_confusions: list[TypeConfusion]
    discussions: list[PairHistory]


def parts_of(project: Project, grades: Grades) -> Parts:
    """Return the agreement of a project in parts; `grades` are those of its raters, or of some of them."""
    item_grades = ItemGrades.of(grades.rows["item"], grades.rows["grade"], grades.scale, grades.rows["unit"])
    elsewhere = np.isin(item_grades.keys, grades.rows["item"][grades.elsewhere()])
    pairs = _Pairs(item_grades, *_last_of(grades, item_grades), elsewhere, grades.gap)
    names = dict(_names(project))
    known = [names.get(key, ("", "")) for key in item_grades.keys.tolist()]
    return Parts(
        sources=_named_parts(pairs, [source for source, _topic in known]),
        topics=_named_parts(pairs, [topic for _source, topic in known]),
        stretches=_stretches(pairs),
        type_confusions=_type_confusions(project, {rater.pk for rater in grades.raters}),
        discussions=_discussions(project, pairs),
    )


@dataclass(frozen=True)
class _Pairs:
    """For each item, in the order of `grades.keys`, its last grade (a key of Rating), and its state.

    `elsewhere` marks items with imported grades, whose order is that of a file and says nothing about time.
    """

    grades: ItemGrades
    last: IntArray
    state: NDArray[np.int8]
    elsewhere: NDArray[np.bool_]
    gap: int

    def settled(self) -> NDArray[np.bool_]:
        is_settled: NDArray[np.bool_] = (self.state != STATES.index(ItemState.OPEN)) & (self.grades.raters() >= 2)
        return is_settled

    def apart(self) -> NDArray[np.bool_]:
        return self.settled() & (self.grades.gaps() > self.gap)

    def parts(self, part: IntArray, names: Sequence[str | None]) -> list[AgreementPart]:
        blocks = self.grades.agreement(part, len(names))
        settled, apart = (
            np.bincount(part[some & (part >= 0)], minlength=len(names)) for some in (self.settled(), self.apart())
        )
        rows = zip(names, blocks, settled.tolist(), apart.tolist(), strict=True)
        return [AgreementPart(*row) for row in rows]


def _last_of(grades: Grades, item_grades: ItemGrades) -> tuple[IntArray, NDArray[np.int8]]:
    position = np.searchsorted(item_grades.keys, grades.rows["item"])
    last = np.zeros(len(item_grades.keys), dtype=np.int64)
    np.maximum.at(last, position, grades.rows["rating"])
    state = np.zeros(len(item_grades.keys), dtype=np.int8)
    state[position] = grades.rows["state"]
    return last, state


def _names(project: Project) -> Iterable[tuple[int, tuple[str, str]]]:
    """Return source and topic of every pair, by key."""
    items = project.items.counting().values_list("pk", "source", "topic")
    return ((pk, (source, topic)) for pk, source, topic in items.iterator(chunk_size=10_000))


def _named_parts(pairs: _Pairs, names: list[str]) -> list[AgreementPart]:
    """Return the parts, the largest first, then by name; pairs without a name belong to the rest."""
    paired = pairs.grades.raters() >= 2
    times = Counter(name for name, counts in zip(names, paired.tolist(), strict=True) if counts and name)
    largest = sorted(times, key=lambda name: (-times[name], name))[:MOST_PARTS]
    position = {name: number for number, name in enumerate(largest)}
    part = np.array([position.get(name, len(largest)) for name in names], dtype=np.int64)
    found = [each for each in pairs.parts(part, [*largest, None]) if each.block.n]
    return found if largest else []


def _stretches(pairs: _Pairs) -> list[AgreementPart]:
    """Return stretches of equally many pairs, in the order of their last grades."""
    [paired] = np.nonzero((pairs.grades.raters() >= 2) & ~pairs.elsewhere)
    in_order = paired[np.argsort(pairs.last[paired], kind="stable")]
    count = min(STRETCHES, max(1, len(in_order) // LEAST), len(in_order))
    part = np.full(len(pairs.last), -1, dtype=np.int64)
    part[in_order] = np.arange(len(in_order)) * count // max(len(in_order), 1)
    ends = [pairs.last[in_order[part[in_order] == number]][[0, -1]].tolist() for number in range(count)]
    at = dict(Rating.objects.filter(pk__in={pk for both in ends for pk in both}).values_list("pk", "created_at"))
    parts = pairs.parts(part, [str(number + 1) for number in range(count)])
    return [
        AgreementPart(each.name, each.block, each.settled, each.apart, at.get(first), at.get(last))
        for each, (first, last) in zip(parts, ends, strict=True)
    ]


def _type_confusions(project: Project, raters: Collection[int]) -> list[TypeConfusion]:
    """Return the confusions among these raters (keys of people), the most frequent first."""
    kept_all_the_same = adjudicated(project).values("assignment__slot__item")
    apart = Q(assignment__slot__item__state__in=(ItemState.REMOVED, ItemState.DISPUTED)) | Q(
        assignment__slot__item__in=kept_all_the_same
    )
    given: dict[int, list[Reading]] = defaultdict(list)
    read = Rating.objects.counting().filter(apart, assignment__slot__item__project=project)
    columns = ("assignment__slot__item", "assignment__person", "grade", "reason")
    for item, person, grade, reason in read.values_list(*columns).iterator(chunk_size=10_000):
        if person in raters:
            given[item].append((grade, reason))
    gap = project.rating.gap
    times = Counter(
        (low, high)
        for readings in given.values()
        for low, high in combinations(sorted(readings), 2)
        if high[0] - low[0] > gap
    )
    ordered = sorted(times.items(), key=lambda row: (-row[1], row[0]))
    return [TypeConfusion(low, high, pairs) for (low, high), pairs in ordered[:TYPE_CONFUSIONS]]


def _discussions(project: Project, pairs: _Pairs) -> list[PairHistory]:
    """Return the pairs with the widest gaps, the newest first among equal ones."""
    [apart] = np.nonzero(pairs.apart())
    widest = apart[np.lexsort((-pairs.last[apart], -pairs.grades.gaps()[apart]))][:WIDEST]
    keys = pairs.grades.keys[widest].tolist()
    items = project.items.in_bulk(keys)
    return graded([items[key] for key in keys])
