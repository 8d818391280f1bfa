"""Delete a question set that nothing uses; say what of this app holds a corpus."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import ngettext

from core.actions import deleting, names
from core.actions.deleting import Words
from core.domain.deletion import Hold
from core.models.jobs import Job
from core.models.people import User
from study.actions.questions import audits
from study.models import Question, QuestionAudit, QuestionSet
from study.selectors.questions.holds import numbers_of_set, numbers_on_corpora

WORDS: Words = {
    "studies": lambda n: ngettext("%(n)s study", "%(n)s studies", n),
    "question_sets": lambda n: ngettext("%(n)s question set", "%(n)s question sets", n),
    "answers": lambda n: ngettext("%(n)s question shown to a person", "%(n)s questions shown to people", n),
    "runs": lambda n: ngettext("%(n)s run of a model", "%(n)s runs of models", n),
    "revisions": lambda n: ngettext("%(n)s revision of it", "%(n)s revisions of it", n),
    "jobs": lambda n: ngettext("%(n)s background job", "%(n)s background jobs", n),
    "study_jobs": lambda n: ngettext("%(n)s background job", "%(n)s background jobs", n),
}


def holds_of(question_set: QuestionSet) -> list[Hold]:
    """Return what holds a set; one that nothing holds can be deleted."""
    return deleting.holds_in_words(numbers_of_set(question_set), WORDS)


def holds_on_corpora(names: Collection[str]) -> list[Hold]:
    """Return what of this app holds one of these corpora."""
    return deleting.holds_in_words(numbers_on_corpora(names), WORDS)


@transaction.atomic
def delete(*, question_set: QuestionSet, by: User) -> None:
    """Delete a set with its questions and its audit. Raises Refused where a study, a run or another set uses it."""
    names.lock(question_set.name)
    locked = QuestionSet.objects.select_for_update(of=("self",)).get(pk=question_set.pk)
    deleting.must_not_be_held(holds_of(locked))
    jobs = [locked.job_id] if locked.job_id else []
    jobs += Job.objects.filter(kind=audits.KIND, arguments={"name": locked.name}).values_list("pk", flat=True)
    # Frozen rows refuse to be deleted; the base manager is the one way around that.
    QuestionAudit._base_manager.filter(question_set=locked).delete()
    Question.objects.filter(question_set=locked).delete()
    QuestionSet._base_manager.filter(pk=locked.pk).delete()
    Job.objects.filter(pk__in=jobs).delete()
    deleting.free_name(question_set.name, of=question_set, by=by)
