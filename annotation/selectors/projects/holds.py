"""How much work there is in a project, which holds it: it cannot be deleted."""

from django.db.models import Q

from annotation.domain.deletion import AT_WORK, DONE
from annotation.models import Assignment, Attempt, Project
from core.selectors.jobs import jobs_under_way

WRITTEN = Q(draft__isnull=False) | Q(rewrite__revision__gt=0) | Q(transcript__revision__gt=0) | Q(flags__isnull=False)


def numbers_of_work(project: Project) -> dict[str, int]:
    """Return numbers of at_work, done (assignments), practice (attempts), models (that graded), releases and jobs."""
    assignments = Assignment.objects.filter(slot__queue__project=project)
    return {
        "at_work": assignments.filter(state__in=AT_WORK).count(),
        "done": assignments.filter(Q(state__in=DONE) | (~Q(state__in=AT_WORK) & WRITTEN)).distinct().count(),
        "practice": Attempt.objects.filter(project=project).count(),
        "models": project.grading_models.count(),
        "releases": project.releases.count(),
        "jobs": jobs_under_way(project),
    }
