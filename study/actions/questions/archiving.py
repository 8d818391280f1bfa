"""Archive a question set, and take it back."""

from django.db import transaction

from core.actions import archiving
from core.models.people import User
from study.models import QuestionSet


@transaction.atomic
def archive(*, question_set: QuestionSet, by: User) -> None:
    """Put a question set away: it is in no list and offered nowhere. It is read and named as before."""
    archiving.put_away(_locked(question_set), scope=None, by=by)


@transaction.atomic
def take_back(*, question_set: QuestionSet, by: User) -> None:
    """Take a question set out of the archive."""
    archiving.take_back(_locked(question_set), scope=None, by=by)


def _locked(question_set: QuestionSet) -> QuestionSet:
    return QuestionSet.objects.select_for_update(no_key=True).get(pk=question_set.pk)
