"""Progress of a project: from the rows of its files to the kept pairs, and the grades still missing."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
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
    cleaned: int  # stored, then removed by cleaning
    pairs: int
    untouched: int  # waiting for a first grade
    begun: int  # with some grades, not all
    rated: int
    removed: int
    disputed: int  # waiting for an adjudicator
    adjudicated: int  # those of the kept pairs that an adjudicator kept
    kept: int

    @property
    def stored(self) -> int:
        return self.pairs + self.cleaned

    @property
    def apart(self) -> int:
        """Number of pairs with too wide a gap, whatever their state."""
        return self.rated - self.kept + self.adjudicated


@dataclass(frozen=True)
class Pace:
    """The number of missing grades, and of grades in the last seven days, the first of them at `began_at`."""

    missing: int
    last_week: int
    began_at: datetime | None
    has_older: bool  # grades from before these days

    @property
    def days(self) -> float | None:
        """Days since the first grade of that week, at least one; None in the project's first day."""
        if self.began_at is None:
            return None
        days = (timezone.now() - self.began_at) / timedelta(days=1)
        return days if days >= 1 else 1.0 if self.has_older else None

    @property
    def days_left(self) -> int | None:
        """Days until the missing grades are given at this pace; None where none are missing or there is no pace yet."""
        return ceil(self.missing * self.days / self.last_week) if self.missing and self.days else None


def progress_of(project: Project) -> dict[str, int]:
    """Return the progress of a rating project in a few numbers."""
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
    """Return the number of items in each state, and of those accepted without inspection."""
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
    """Return the pace of people who can sign in: imported grades came all at once."""
    working = np.array([annotator.is_active for annotator in grades.raters], dtype=bool)
    given = grades.rows[working[grades.rows["rater"]]]
    recent = given[given["recent"]]
    free = _slots(project).aggregate(free=Sum("free"))["free"] or 0
    return Pace(
        missing=free + len(_held_slots(project)),
        last_week=len(recent),
        began_at=_time_of_first(recent) if len(recent) else None,
        has_older=len(given) > len(recent),
    )


def _time_of_first(rows: NDArray[Any]) -> datetime:
    return Rating.objects.get(pk=rows["rating"].min()).created_at  # keys follow time, and rows have no times


def _slots(project: Project) -> QuerySet[Slot]:
    in_queue = Slot.objects.filter(queue__project=project, queue__step=Step.RATE, item__purpose=Purpose.WORK)
    return in_queue.exclude(item__state=ItemState.CLEANED)


def _held_slots(project: Project, **graded: bool) -> list[int]:
    """Return the slots of held assignments; `graded` keeps those with, or without, a grade so far."""
    # Two statements: held assignments are few and indexed, but in one statement SQLite would begin with the slots.
    held = list(Assignment.objects.filter(state=AssignmentState.HELD).values_list("pk", flat=True))
    submitted = Assignment.objects.filter(slot=OuterRef("slot"), state=AssignmentState.SUBMITTED)
    assignments = Assignment.objects.filter(pk__in=held, slot__in=_slots(project)).annotate(graded=Exists(submitted))
    return list(assignments.filter(**graded).values_list("slot", flat=True))
