"""Progress of a project: from the rows of its files to the kept pairs, and the grades still missing."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.domain.quality.pace import working_days_left
from annotation.domain.workflow import STATES_OF_REWRITING, AssignmentState, ImportState, ItemState
from annotation.models import Assignment, Project, Purpose, Rating, Slot, Step
from annotation.selectors.adjudication import adjudicated
from annotation.selectors.inspection.inspections import not_inspected

DAYS = 14  # shown on the board


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
    only_grades: int  # rows that brought grades of pairs in other rows

    @property
    def stored(self) -> int:
        return self.pairs + self.cleaned

    @property
    def apart(self) -> int:
        """Number of pairs with too wide a gap, whatever their state."""
        return self.rated - self.kept + self.adjudicated


@dataclass(frozen=True)
class DayOfGrades:
    """The number of grades given on a `day`, as in 2018-05-31."""

    day: str
    grades: int


@dataclass(frozen=True)
class Pace:
    """The number of missing grades, and of those given on each of the last `DAYS` days, today the last of them."""

    missing: int
    days: list[DayOfGrades]

    @property
    def working_days_left(self) -> int | None:
        """Working days that the missing grades take; None where none are missing or there is no pace yet."""
        return working_days_left(self.missing, [each.grades for each in self.days])


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
        rows=Sum("rows"), good=Sum("good"), duplicate=Sum("duplicate"), refused=Sum("refused")
    )
    rows, good, duplicate, refused = (files[name] or 0 for name in ("rows", "good", "duplicate", "refused"))
    only_grades = max(0, rows - good - duplicate - refused)
    rated = kept + removed + disputed
    pairs, cleaned = rated + open_, states[ItemState.CLEANED]
    untouched = _slots(project).filter(free=F("required")).count() + len(set(_held_slots(project, graded=False)))
    return Funnel(
        imported=pairs + cleaned + only_grades + duplicate + refused,
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
        only_grades=only_grades,
    )


def last_days() -> list[date]:
    """Return the last days of the installation's time zone, today the last of them."""
    today = timezone.localdate(timezone=timezone.get_default_timezone())
    return [today - timedelta(days=before) for before in reversed(range(DAYS))]


def start_of(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=timezone.get_default_timezone())


def pace_of(project: Project) -> Pace:
    """Return the pace of people who can sign in: imported grades came all at once."""
    zone, days = timezone.get_default_timezone(), last_days()
    given = Rating.objects.counting().filter(
        assignment__slot__item__project=project,
        assignment__person__is_active=True,
        created_at__gte=start_of(days[0]),
    )
    by_day = given.annotate(day=TruncDate("created_at", tzinfo=zone)).order_by().values_list("day")
    counts = dict(by_day.annotate(Count("pk")))
    free = _slots(project).aggregate(free=Sum("free"))["free"] or 0
    return Pace(free + len(_held_slots(project)), [DayOfGrades(str(day), counts.get(day, 0)) for day in days])


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
