"""What holds a corpus, so that it cannot be deleted, as far as this app knows it."""

from collections.abc import Collection

from django.db.models import Q

from annotation.models import Corpus, DialogueEdit
from core.domain.transitions import UNDER_WAY
from core.models import Job


def numbers_of_use(corpora: Collection[Corpus]) -> dict[str, int]:
    """Return numbers of children, planned edits of all people, and jobs on these corpora or the files of them."""
    pks = [corpus.pk for corpus in corpora]
    files = [corpus.job.arguments["file"] for corpus in corpora if corpus.job and "file" in corpus.job.arguments]
    of_them = Q(arguments__corpus__in=pks) | Q(arguments__file__in=files)
    return {
        "children": Corpus.objects.filter(parent__in=pks).count(),
        "edits": DialogueEdit.objects.filter(corpus__in=pks, made=None).count(),
        "jobs": Job.objects.filter(of_them, state__in=UNDER_WAY).count(),
    }
