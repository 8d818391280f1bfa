"""Reviews of corpora that a person asked for, and what was imported of them."""

from django.db.models import QuerySet

from annotation.models import Corpus
from core.domain.transitions import JobState
from core.models import Job, User
from core.permissions import jobs_of

MOST = 10
LONGEST_NUMBER = 18  # digits


def imported_as(review: Job) -> Corpus | None:
    """Return the corpus that was imported of a review; None where there is none yet."""
    return Corpus.objects.filter(job__arguments__review=review.pk, variant_of=None).first()


def import_of(review: Job, kind: str, pk: str, *, by: User) -> Job | None:
    """Return the job with this number that was asked for on the page of a review; None where there is none."""
    imports: QuerySet[Job] = jobs_of(by).filter(kind=kind, arguments__review=review.pk)
    return imports.filter(pk=pk).first() if pk.isdecimal() and len(pk) <= LONGEST_NUMBER else None


def waiting(kind: str, *, by: User) -> list[Job]:
    """Return the newest reviews that the person may import: those with dialogues, not imported, not counted again."""
    read: QuerySet[Job] = jobs_of(by).filter(kind=kind, created_by=by, state=JobState.DONE, result__good__gt=0)
    counted_again = read.filter(arguments__has_key="before").values_list("arguments__before", flat=True)
    imported = Corpus.objects.filter(job__arguments__has_key="review").values_list("job__arguments__review", flat=True)
    return list(read.exclude(pk__in={*counted_again, *imported}).defer("result")[:MOST])
