"""Where a corpus is used in this app: question sets, the studies that ask them, and runs of models."""

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.selectors.corpora.uses import CorpusUse
from core.models import User
from study.models import QuestionSet, Run
from study.permissions import question_sets_of, runs_of, studies_of
from study.presenters.runs.words import run_name

NEWEST = 200  # question sets that are looked through
MOST = 10  # of each kind


def uses_of_corpus(corpus: str, by: User) -> list[CorpusUse]:
    """Return the newest sets, studies and runs that the person may see, of a corpus by its name."""
    sets = [found for found in question_sets_of(by)[:NEWEST] if _draws_from(found, corpus)]
    studies = studies_of(by).filter(question_sets__in=sets).distinct()
    runs = runs_of(by).counting().filter(Q(on=corpus) | Q(on__startswith=f"{corpus}:"))
    return [
        *(CorpusUse(_("Question set"), found.name, _href("question_set", found.name), _count(found)) for found in sets),
        *(CorpusUse(_("Study"), str(study), _href("study", study.slug)) for study in studies[:MOST]),
        *(CorpusUse(_("Run"), run_name(run), _href("run", run.pk), _figure(run)) for run in runs[:MOST]),
    ]


def _draws_from(found: QuestionSet, corpus: str) -> bool:
    names = {source["name"].partition(":")[0] for source in found.recipe.get("sources", [])}
    return corpus in names


def _href(name: str, key: str | int) -> str:
    return reverse(name, args=[key])


def _count(found: QuestionSet) -> str:
    count = found.recipe["count"]
    return ngettext("%(n)s question", "%(n)s questions", count) % {"n": f"{count:,}"}


def _figure(run: Run) -> str:
    value = run.figures.get("R@1")
    return "" if value is None else f"R@1 {value:.3f}"
