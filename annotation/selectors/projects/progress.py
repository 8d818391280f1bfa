"""Where a project stands: from the rows of its files to the pairs that were kept, and what is still missing."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any

import numpy as np
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Sum
from django.utils import timezone
from numpy.typing import NDArray

from annotation.domain.workflow import STATES_OF_REWRITING, AssignmentState, ImportState, ItemState
from annotation.models import Assignment, Project, Purpose, Rating, Slot, Step
from annotation.selectors.adjudication import adjudicated
from annotation.selectors.inspection.inspections import not_inspected
from annotation.selectors.rating.grades import Grades


@dataclass(frozen=True)
class Funnel:
    """Numbers of pairs, and of rows that did not become one."""

    imported: int
    duplicate: int
    refused: int
    cleaned: int  # stored, and removed by cleaning
    pairs: int
    untouched: int  # waiting for a first grade
    begun: int  # with a grade, and not yet all
    rated: int
    removed: int
    disputed: int  # waiting for an adjudicator
    adjudicated: int  # of those kept, the ones that an adjudicator kept
    kept: int

    @property
    def stored(self) -> int:
        return self.pairs + self.cleaned

    @property
    def apart(self) -> int:
        """Those whose grades lie too far apart, whatever became of them."""
        return self.rated - self.kept + self.adjudicated


@dataclass(frozen=True)
class Pace:
    """Grades that are missing, and grades of the last seven days."""

    missing: int
    last_week: int
    days: float | None  # since the first grade of that week, at least one; None in the project's first day

    @property
    def days_left(self) -> int | None:
        """How long the missing grades take at this pace; None where nothing is missing or there is no pace yet."""
        return ceil(self.missing * self.days / self.last_week) if self.missing and self.days else None


def progress_of(project: Project) -> dict[str, int]:
    """The project in a few numbers."""
    funnel = funnel_of(project)
    in_force = Rating.objects.counting().filter(assignment__slot__queue__project=project)
    return {
        "pairs": funnel.pairs,
        "cleaned": funnel.cleaned,
        "open": funnel.untouched + funnel.begun,
        "disputed": funnel.disputed,
        "kept": funnel.kept,
        "removed": funnel.removed,
        **in_force.aggregate(grades=Count("pk"), people=Count("assignment__person", distinct=True)),
    }


def rewriting_progress_of(project: Project) -> dict[str, int]:
    """How many items stand where: each in one of the states; and how many of the kept ones nobody inspected."""
    states = dict(project.items.counting().values_list("state").annotate(Count("pk")))
    by_state = {str(state): states.get(state, 0) for state in STATES_OF_REWRITING}
    return {"items": sum(states.values()), **by_state, "not_inspected": not_inspected(project)}


def funnel_of(project: Project) -> Funnel:
    states = Counter(dict(project.items.work().values_list("state").annotate(Count("pk"))))
    kept, removed, disputed, open_ = (
        states[state] for state in (ItemState.KEPT, ItemState.REMOVED, ItemState.DISPUTED, ItemState.OPEN)
    )
    files = project.imports.filter(state=ImportState.STORED).aggregate(
        duplicate=Sum("duplicate"), refused=Sum("refused")
    )
    duplicate, refused = files["duplicate"] or 0, files["refused"] or 0
    rated = kept + removed + disputed
    pairs, cleaned = rated + open_, states[ItemState.CLEANED]
    untouched = _slots(project).filter(free=F("required")).count() + len(set(_held_slots(project, graded=False)))
    return Funnel(
        imported=pairs + cleaned + duplicate + refused,
        duplicate=duplicate,
        refused=refused,
        cleaned=cleaned,
        pairs=pairs,
        untouched=untouched,
        begun=open_ - untouched,
        rated=rated,
        removed=removed,
        disputed=disputed,
        adjudicated=adjudicated(project).count(),
        kept=kept,
    )


def pace_of(project: Project, grades: Grades) -> Pace:
    """Only people who can sign in have a pace: grades brought in from elsewhere came all at once."""
    working = np.array([annotator.is_active for annotator in grades.raters], dtype=bool)
    given = grades.rows[working[grades.rows["rater"]]]
    recent = given[given["recent"]]
    free = _slots(project).aggregate(free=Sum("free"))["free"] or 0
    days = _days_since_first(recent) if len(recent) else None
    if days is not None and days < 1:
        days = 1.0 if len(given) > len(recent) else None
    return Pace(missing=free + len(_held_slots(project)), last_week=len(recent), days=days)


def _days_since_first(rows: NDArray[Any]) -> float:
    first = Rating.objects.get(pk=rows["rating"].min())  # keys follow time, and the rows hold no moments
    return (timezone.now() - first.created_at) / timedelta(days=1)


def _slots(project: Project) -> QuerySet[Slot]:
    in_queue = Slot.objects.filter(queue__project=project, queue__step=Step.RATE, item__purpose=Purpose.WORK)
    return in_queue.exclude(item__state=ItemState.CLEANED)


def _held_slots(project: Project, **graded: bool) -> list[int]:
    """The slots of assignments in somebody's hands; `graded` keeps those that have, or have not, a grade yet."""
    # Held assignments are few and found by an index of their own. Joined in one statement, SQLite begins with the
    # slots.
    held = list(Assignment.objects.filter(state=AssignmentState.HELD).values_list("pk", flat=True))
    submitted = Assignment.objects.filter(slot=OuterRef("slot"), state=AssignmentState.SUBMITTED)
    assignments = Assignment.objects.filter(pk__in=held, slot__in=_slots(project)).annotate(graded=Exists(submitted))
    return list(assignments.filter(**graded).values_list("slot", flat=True))
