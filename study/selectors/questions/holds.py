"""Where question sets, corpora and studies are used, which holds them: they cannot be deleted."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from core.domain.transitions import UNDER_WAY
from core.models.jobs import Job
from study.models import Presentation, QuestionSet, Run


def numbers_of_set(question_set: QuestionSet) -> dict[str, int]:
    """Return numbers of studies, answers (presentations), runs, revisions and jobs of a set."""
    return {
        "studies": question_set.studies.count(),
        "answers": Presentation.objects.filter(question__question_set=question_set).count(),
        "runs": runs_on([question_set.name]).count(),
        "revisions": question_set.revisions.count(),
        "jobs": jobs_on({question_set.name}),
    }


def numbers_on_corpora(names: Collection[str]) -> dict[str, int]:
    """Return numbers of question_sets, runs and study_jobs that use one of these corpora."""
    recipes = QuestionSet.objects.values_list("recipe", flat=True)
    return {
        "question_sets": sum(bool(_own_names(recipe.get("sources", [])) & {*names}) for recipe in recipes),
        "runs": runs_on(names).count(),
        "study_jobs": jobs_on({*names}),
    }


def runs_on(names: Collection[str]) -> QuerySet[Run]:
    """Return the runs, trials too, that were asked about these or a split of them, trained on it, or tuned on it."""
    found = Q()
    for name in names:
        for field in ("on", "train", "dev"):
            found |= Q(**{field: name}) | Q(**{f"{field}__startswith": f"{name}:"})
    return Run.objects.filter(found)


def _own_names(sources: Collection[dict[str, str]]) -> set[str]:
    return {source["name"].partition(":")[0] for source in sources}


def jobs_on(names: set[str]) -> int:
    """Return how many jobs wait or run that draw from these, audit them, or import predictions or answers for them.

    They have no scope: a study that they name need not exist yet.
    """
    waiting = Job.objects.filter(state__in=UNDER_WAY, scope_kind="").values_list("arguments", flat=True)
    named = ([*map(arguments.get, ("name", "on", "study")), *arguments.get("sources", ())] for arguments in waiting)
    return sum(any(str(name).partition(":")[0] in names for name in each) for each in named)
