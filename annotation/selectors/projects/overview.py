"""The overview for researchers: their projects, progress, and what needs a person's decision."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Exists, Max, Min, OuterRef, QuerySet

from annotation.domain.workflow import ImportState, ItemState
from annotation.models import Flag, Import, Item, Membership, Project, Release
from core.domain.transitions import JobState
from core.models import Job, Role


@dataclass(frozen=True)
class ProjectProgress:
    """A project with the numbers of its pairs and people."""

    project: Project
    pairs: int
    settled: int  # kept or removed, with all grades or verdicts
    annotators: int
    release: int | None  # number of the newest release

    @property
    def share(self) -> float:
        return self.settled / self.pairs if self.pairs else 0.0

    @property
    def percent(self) -> int:
        """Whole percent, rounded down: 100 only when nothing is left."""
        return self.settled * 100 // self.pairs if self.pairs else 0


class ProjectNeed(StrEnum):
    """Reasons why a project needs a person."""

    IMPORT_CHECKED = "import_checked"
    JOB_FAILED = "job_failed"
    FLAGGED = "flagged"
    NO_PAIRS = "no_pairs"
    NO_ANNOTATORS = "no_annotators"
    ALL_RATED = "all_rated"


@dataclass(frozen=True)
class Need:
    """A need for a person's action. `subject` is the import or job, the number of flags, or the project's progress."""

    why: ProjectNeed
    project: Project
    subject: Import | Job | int | ProjectProgress
    since: datetime | None = None


def shared_titles(projects: Iterable[Project]) -> set[str]:
    """Return the titles that two or more projects have: only the short name tells these apart."""
    times = Counter(project.title for project in projects)
    return {title for title, count in times.items() if count > 1}


def progress_of(projects: QuerySet[Project]) -> list[ProjectProgress]:
    """Return the progress of all projects with four queries; pairs are counted once, on an index."""
    shown = projects.order_by()
    annotators = Membership.objects.filter(project__in=shown, role=Role.ANNOTATOR, person__is_active=True)
    annotators_of = dict(annotators.order_by().values_list("project").annotate(Count("pk")))
    releases = Release.objects.filter(project__in=shown)
    release_of = dict(releases.order_by().values_list("project").annotate(Max("number")))
    pairs_of = _pairs_by_state(shown)
    return [
        ProjectProgress(
            project=project,
            pairs=pairs_of[project.pk].total(),
            settled=pairs_of[project.pk][ItemState.KEPT] + pairs_of[project.pk][ItemState.REMOVED],
            annotators=annotators_of.get(project.pk, 0),
            release=release_of.get(project.pk),
        )
        for project in projects
    ]


def _pairs_by_state(projects: QuerySet[Project]) -> defaultdict[int, Counter[str]]:
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    items = Item.objects.counting().filter(project__in=projects).order_by()
    for project, state, count in items.values_list("project", "state").annotate(Count("pk")):
        counts[project][state] = count
    return counts


def needs(projects: QuerySet[Project], progress: list[ProjectProgress]) -> list[Need]:
    """Return what waits for a person, failed jobs first."""
    next_steps = filter(None, map(_next_step, progress))
    return [*_failed(progress), *_undecided(projects), *_flagged(progress), *next_steps]


def _failed(progress: list[ProjectProgress]) -> list[Need]:
    """Return failed jobs that were not started again."""
    same = {name: OuterRef(name) for name in ("scope_kind", "scope_id", "kind")}
    later = Job.objects.filter(**same, pk__gt=OuterRef("pk"))
    project_of: dict[int | None, Project] = {each.project.pk: each.project for each in progress}
    failed = Job.objects.filter(
        ~Exists(later), state=JobState.FAILED, scope_kind=Project._meta.label_lower, scope_id__in=project_of
    )
    return [Need(ProjectNeed.JOB_FAILED, project_of[job.scope_id], job, job.ended_at) for job in failed]


def _undecided(projects: QuerySet[Project]) -> list[Need]:
    """Return of each project the newest checked file with rows to store; for others there is nothing to decide."""
    checked = Import.objects.filter(state=ImportState.CHECKED, good__gt=0, project__in=projects.order_by())
    newest = {each.project_id: each for each in checked.select_related("project").order_by("pk")}
    return [Need(ProjectNeed.IMPORT_CHECKED, each.project, each, each.created_at) for each in newest.values()]


def _flagged(progress: list[ProjectProgress]) -> list[Need]:
    """Return the number of open flags of each project, since the oldest was raised."""
    project_of: dict[int | None, Project] = {each.project.pk: each.project for each in progress}
    flags = Flag.objects.open().filter(assignment__slot__queue__project__in=project_of).order_by()
    counts = flags.values_list("assignment__slot__queue__project").annotate(Count("pk"), Min("raised_at"))
    return [Need(ProjectNeed.FLAGGED, project_of[pk], count, since) for pk, count, since in sorted(counts)]


def _next_step(progress: ProjectProgress) -> Need | None:
    if not progress.pairs:
        return Need(ProjectNeed.NO_PAIRS, progress.project, progress)
    if progress.settled == progress.pairs:
        return None if progress.release else Need(ProjectNeed.ALL_RATED, progress.project, progress)
    return None if progress.annotators else Need(ProjectNeed.NO_ANNOTATORS, progress.project, progress)
