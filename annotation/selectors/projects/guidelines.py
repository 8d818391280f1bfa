"""What was done under each version of a project's guideline."""

from collections import Counter
from dataclasses import dataclass, field

from django.db.models import Count

from annotation.domain.workflow import AssignmentState
from annotation.models import Kind, Project, Rating, Rewrite


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
