"""The facts that the next step of a project depends on."""

from annotation.domain.next_step import ProjectFacts
from annotation.domain.workflow import ItemState
from annotation.models import Cursor, Item, Kind, Project, Step
from annotation.selectors.cleaning.cleaning import has_scanned, waiting_in
from annotation.selectors.projects.overview import ProjectProgress, progress_of
from annotation.selectors.qualification.gold import gold_of
from annotation.selectors.qualification.qualification import missing_items


def facts_of(project: Project) -> ProjectFacts:
    """Return the facts with a fixed number of queries, each on an index."""
    [progress] = progress_of(Project.objects.filter(pk=project.pk))
    disputed = project.items.work().filter(state=ItemState.DISPUTED).count()
    is_rating = project.kind == Kind.RATING
    return ProjectFacts(
        items=progress.pairs,
        people_missing=max(0, (project.rating.raters if is_rating else 1) - progress.annotators),
        is_scanned=not is_rating or has_scanned(project),
        has_begun=_has_begun(project, progress),
        to_clean=waiting_in(project) if is_rating else 0,
        gold_missing=_gold_missing(project),
        open=progress.pairs - progress.settled - disputed,
        disputed=disputed,
        has_kept=Item.objects.to_release().filter(project=project).exists(),
        release=progress.release,
    )


def _has_begun(project: Project, progress: ProjectProgress) -> bool:
    """Return whether an annotator was assigned anything, or grades came with a file."""
    cursors = Cursor.objects.filter(queue__project=project, queue__step__in=(Step.RATE, Step.WRITE))
    return progress.settled > 0 or cursors.exists()


def _gold_missing(project: Project) -> int:
    """Return how many gold pairs or practice items are wanted and not there: for practice, or one to mix in."""
    missing = missing_items(project)
    if missing or project.kind != Kind.RATING:
        return missing
    return int(project.rating.gold_first > 0 and not gold_of(project).exists())
