"""What would go with a corpus that is deleted."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Corpus


def contents_of(corpora: Sequence[Corpus]) -> list[str]:
    """Return what a corpus and its variant have: their dialogues, and the file that they came from."""
    contents = [_dialogues_of(corpus) for corpus in corpora]
    return [*contents, _("the uploaded file, where no other corpus came from it")] if corpora[0].job else contents


def _dialogues_of(corpus: Corpus) -> str:
    count = corpus.dialogues_count
    text = ngettext("%(n)s dialogue of %(name)s", "%(n)s dialogues of %(name)s", count)
    return text % {"n": f"{count:,}", "name": corpus.name}
