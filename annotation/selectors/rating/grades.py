"""The grades of a project that are in force, as arrays: the input of every figure about raters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from django.db.models import Case, Value, When
from numpy.typing import NDArray

from annotation.domain.agreement import Patterns, grade_patterns
from annotation.domain.workflow import ItemState
from annotation.models import Project, Rating
from core.models import User

CHUNK = 10_000
STATES = list(ItemState)


class ResampledUnit(StrEnum):
    """The unit that is resampled for the intervals of agreement."""

    ITEM = "item"
    PROMPT = "prompt"
    DIALOGUE = "dialogue"


class DialoguesUnnamed(Exception):
    """Raised where no pair names its dialogue."""


class RaterUnknown(Exception):
    """Raised for a name that no rater has; `known` are the user names of all, and of imported raters their names."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(name)
        self.name, self.known = name, known


class RatersTooFew(Exception):
    """Raised where fewer than two raters are named."""


ROW = np.dtype(
    [
        ("rating", "i8"),
        ("item", "i8"),
        ("unit", "i8"),
        ("rater", "i8"),
        ("grade", "i8"),
        ("milliseconds", "f8"),
        ("state", "i1"),
    ]
)


@dataclass(frozen=True)
class Grades:
    """One row a grade, of dtype `ROW`.

    `rating` and `item` are keys of the database, `unit` is the number of what the item is resampled with, `rater` a
    position in `raters`, `state` (of the item) one in `STATES`; `milliseconds` is NaN where not measured. Raters are
    sorted by their `labels`, in Python, because databases collate differently. `gap` is the widest that the filter
    keeps, `resampled` says what a unit is.
    """

    scale: tuple[int, ...]
    gap: int
    raters: tuple[User, ...]
    labels: tuple[str, ...]
    rows: NDArray[Any]
    resampled: ResampledUnit

    def patterns(self) -> Patterns:
        rows = self.rows
        return grade_patterns(rows["item"], rows["rater"], rows["grade"], self.scale, rows["unit"])

    def elsewhere(self) -> NDArray[np.bool_]:
        """Return a mask of the grades given elsewhere: they come in the order of a file, which was not drawn."""
        imported = np.array([is_from_elsewhere(rater) for rater in self.raters], dtype=np.bool_)
        mask: NDArray[np.bool_] = imported[self.rows["rater"]]
        return mask

    def of_items(self, state: ItemState) -> "Grades":
        """Return only the grades of items in this state."""
        return replace(self, rows=self.rows[self.rows["state"] == STATES.index(state)])

    def of_raters(self, names: Iterable[str]) -> "Grades":
        """Return only the grades of the named raters, of items that two of them graded.

        A name is a label or a user name. Raises RaterUnknown and RatersTooFew.
        """
        named = sorted(set(map(self._position, names)))
        if len(named) < 2:
            raise RatersTooFew
        rows = self.rows[np.isin(self.rows["rater"], named)]
        items, grades = np.unique(rows["item"], return_counts=True)
        rows = rows[np.isin(rows["item"], items[grades >= 2])]
        rows["rater"] = np.searchsorted(named, rows["rater"])
        raters = tuple(self.raters[position] for position in named)
        labels = tuple(self.labels[position] for position in named)
        return replace(self, raters=raters, labels=labels, rows=rows)

    def _position(self, name: str) -> int:
        if name in self.labels:
            return self.labels.index(name)
        logins = [rater.username for rater in self.raters]
        if name not in logins:
            known = zip(self.raters, self.labels, strict=True)
            raise RaterUnknown(name, [label if is_from_elsewhere(each) else each.username for each, label in known])
        return logins.index(name)

    def items(self) -> int:
        """Return the number of items that have a grade."""
        return len(np.unique(self.rows["item"]))


def grades_in_force(project: Project, by: ResampledUnit | None = None) -> Grades:
    """Return every counting grade of the project, read by one statement so that all are of one moment.

    `by` says what is resampled; without it the dialogue or else the prompt, where several items have the same one, or
    the item. Raises DialoguesUnnamed.
    """
    states = [When(assignment__slot__item__state=state, then=Value(code)) for code, state in enumerate(STATES)]
    read = (
        Rating.objects.counting()
        .filter(assignment__slot__item__project=project)
        .annotate(state=Case(*states))
        .values_list(
            "pk",
            "assignment__slot__item",
            Value(0),
            "assignment__person",
            "grade",
            "milliseconds",
            "state",
        )
    )
    rows = np.fromiter(read.iterator(chunk_size=CHUNK), dtype=ROW)
    people, person = np.unique(rows["rater"], return_inverse=True)
    labelled = labels_of(list(User.objects.in_bulk(people.tolist()).values()))
    position_of = {rater.pk: position for position, (_label, rater) in enumerate(labelled)}
    rows["rater"] = np.array([position_of[pk] for pk in people.tolist()], dtype=np.int64)[person]
    labels, raters = zip(*labelled, strict=True) if labelled else ((), ())
    items, item = np.unique(rows["item"], return_inverse=True)
    resampled, units = _units(project, items.tolist(), by)
    rows["unit"] = np.array(units, dtype=np.int64)[item]
    return Grades(project.rating.grades.grades, project.rating.gap, raters, labels, rows, resampled)


def _units(project: Project, items: list[int], by: ResampledUnit | None) -> tuple[ResampledUnit, list[int]]:
    """Return what is resampled, and the number of each item's unit."""
    names = {pk: (group, name) for pk, group, name in project.items.values_list("pk", "group", "dialogue")}
    of_item = [names[item] for item in items]
    has_dialogues = any(dialogue for _group, dialogue in of_item)
    if by == ResampledUnit.DIALOGUE and not has_dialogues:
        raise DialoguesUnnamed
    keys: dict[ResampledUnit, list[Any]] = {
        ResampledUnit.DIALOGUE: [dialogue or (group,) for group, dialogue in of_item] if has_dialogues else items,
        ResampledUnit.PROMPT: [group for group, _dialogue in of_item],
        ResampledUnit.ITEM: items,
    }
    shared = (unit for unit, own in keys.items() if len(set(own)) < len(items))
    resampled = by or next(shared, ResampledUnit.ITEM)
    numbers: dict[Any, int] = {}
    return resampled, [numbers.setdefault(key, len(numbers)) for key in keys[resampled]]


def is_from_elsewhere(rater: User) -> bool:
    """Return whether a rater's grades were imported: no sign-in, and no bot (annotation.actions.projects.bots)."""
    _project, slash, login = rater.username.partition("/")
    return bool(slash) and not login.startswith("bot-")


def labels_of(people: list[User]) -> list[tuple[str, User]]:
    """Return each person with a unique name, sorted by it: people with the same name get their user name."""
    times = Counter(str(person) for person in people)
    labelled = [(str(person) if times[str(person)] == 1 else person.username, person) for person in people]
    return sorted(labelled, key=lambda each: (each[0], each[1].pk))
