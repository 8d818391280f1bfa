"""Archive a corpus, and take it back."""

from django.db import transaction

from annotation.models import Corpus
from core.actions import archiving
from core.models import User


@transaction.atomic
def archive(*, corpus: Corpus, by: User) -> None:
    """Put a corpus away: it is in no list and offered nowhere. It is read and named as before."""
    archiving.put_away(_locked(corpus), scope=None, by=by)


@transaction.atomic
def take_back(*, corpus: Corpus, by: User) -> None:
    """Take a corpus out of the archive."""
    archiving.take_back(_locked(corpus), scope=None, by=by)


def _locked(corpus: Corpus) -> Corpus:
    return Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
