"""The grades of a project that are in force, as arrays: the input of every figure about raters."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np
from django.db.models import Case, Value, When
from django.utils import timezone
from numpy.typing import NDArray

from annotation.domain.agreement import Patterns, grade_patterns
from annotation.domain.workflow import ItemState
from annotation.models import Project, Rating
from core.models import User

CHUNK = 10_000
RECENT = timedelta(days=7)
STATES = list(ItemState)
ROW = np.dtype(
    [
        ("rating", "i8"),
        ("item", "i8"),
        ("rater", "i8"),
        ("grade", "i8"),
        ("milliseconds", "f8"),
        ("state", "i1"),
        ("recent", "?"),
    ]
)


@dataclass(frozen=True)
class Grades:
    """One row a grade, of dtype `ROW`.

    `rating` and `item` are keys of the database, `rater` is a position in `raters`, `state` (of the item) one in
    `STATES`; `milliseconds` is NaN where not measured, `recent` marks the last seven days. Raters are sorted by their
    `labels`, in Python, because databases collate differently. `gap` is the widest that the filter keeps.
    """

    scale: tuple[int, ...]
    gap: int
    raters: tuple[User, ...]
    labels: tuple[str, ...]
    rows: NDArray[Any]

    def patterns(self) -> Patterns:
        return grade_patterns(self.rows["item"], self.rows["rater"], self.rows["grade"], self.scale)

    def of_items(self, state: ItemState) -> "Grades":
        """Return only the grades of items in this state."""
        return replace(self, rows=self.rows[self.rows["state"] == STATES.index(state)])

    def items(self) -> int:
        """Return the number of items that have a grade."""
        return len(np.unique(self.rows["item"]))


def grades_in_force(project: Project) -> Grades:
    """Return every counting grade of the project, read by one statement so that all are of one moment."""
    states = [When(assignment__slot__item__state=state, then=Value(code)) for code, state in enumerate(STATES)]
    recent = When(created_at__gte=timezone.now() - RECENT, then=Value(1))
    read = (
        Rating.objects.counting()
        .filter(assignment__slot__item__project=project)
        .annotate(state=Case(*states), recent=Case(recent, default=Value(0)))
        .values_list("pk", "assignment__slot__item", "assignment__person", "grade", "milliseconds", "state", "recent")
    )
    rows = np.fromiter(read.iterator(chunk_size=CHUNK), dtype=ROW)
    people, person = np.unique(rows["rater"], return_inverse=True)
    labelled = labels_of(list(User.objects.in_bulk(people.tolist()).values()))
    position_of = {rater.pk: position for position, (_label, rater) in enumerate(labelled)}
    rows["rater"] = np.array([position_of[pk] for pk in people.tolist()], dtype=np.int64)[person]
    labels, raters = zip(*labelled, strict=True) if labelled else ((), ())
    return Grades(project.rating.grades.grades, project.rating.gap, raters, labels, rows)


def labels_of(people: list[User]) -> list[tuple[str, User]]:
    """Return each person with a unique name, sorted by it: people with the same name get their user name."""
    times = Counter(str(person) for person in people)
    labelled = [(str(person) if times[str(person)] == 1 else person.username, person) for person in people]
    return sorted(labelled, key=lambda each: (each[0], each[1].pk))
