"""What was done under each version of a project's guideline, and what a rater has not seen of it."""

from collections import Counter
from dataclasses import dataclass, field

from django.db.models import Count, Exists, Max, OuterRef
from django.utils import timezone

from annotation.domain.workflow import AssignmentState, AttemptState
from annotation.models import Assignment, Cursor, GuidelineVersion, Kind, Project, Rating, Rewrite, Step
from core.models import Role, User


@dataclass(frozen=True)
class GuidelineUses:
    """Numbers of grades, or of submitted texts, by version; of grades in force also by grade and by type."""

    versions: Counter[int] = field(default_factory=Counter)
    grades: Counter[int] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)


def uses_of(project: Project) -> GuidelineUses:
    """Count what names the project's guideline: every grade that counts, or every text that was submitted."""
    uses = GuidelineUses()
    if project.kind == Kind.REWRITING:
        submitted = Rewrite.objects.filter(
            assignment__slot__queue__project=project,
            assignment__state=AssignmentState.SUBMITTED,
            guideline__isnull=False,
        )
        uses.versions.update(dict(submitted.order_by().values_list("guideline").annotate(Count("pk"))))
        return uses
    given = Rating.objects.counting().filter(assignment__slot__queue__project=project).order_by()
    for version, grade, reason, times in given.values_list("guideline", "grade", "reason").annotate(Count("pk")):
        uses.versions[version] += times
        uses.grades[grade] += times
        uses.types[reason] += times
    return uses


@dataclass(frozen=True)
class Readers:
    """Whom a new version reaches: people who have graded, those of them who hold pairs now, and who passed practice."""

    raters: int
    at_work: int
    passed: int


def readers_of(project: Project) -> Readers:
    members = project.memberships.filter(role=Role.ANNOTATOR, person__is_active=True)
    queue = project.queues.filter(step=Step.RATE)
    own = Assignment.objects.filter(person=OuterRef("person"), slot__queue__in=queue)
    raters = members.filter(Exists(own.filter(state=AssignmentState.SUBMITTED)))
    held = own.filter(state=AssignmentState.HELD, lease_until__gt=timezone.now())
    passed = project.attempts.filter(state=AttemptState.PASSED) if project.chosen.practice else project.attempts.none()
    return Readers(
        raters.count(), raters.filter(Exists(held)).count(), passed.values("person").distinct().order_by().count()
    )


def last_known(project: Project, person: User) -> GuidelineVersion | None:
    """Return the version that a rater's page last showed, where one was announced since; None where nothing is unread.

    Where no page has shown any, because the grades came another way, it is that of their last grade. Who has given none
    reads the guideline as it is.
    """
    cursor = Cursor.objects.filter(queue__project=project, queue__step=Step.RATE, person=person).first()
    number = cursor.guideline_read if cursor else 0
    if not number:
        given = Rating.objects.filter(assignment__person=person, assignment__slot__queue__project=project)
        number = given.aggregate(number=Max("guideline__number"))["number"] or 0
    if not number:
        return None
    *since, known = project.guidelines.filter(number__gte=number)
    return known if any(version.is_announced for version in since) else None
