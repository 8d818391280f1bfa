"""Why nothing of a file was stored, in the words of the pages that read it."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotation.actions.corpora.contents import sentence
from annotation.forms.corpora import FORMATS, TABLE
from annotation.importers.reasons import RefusalReason
from core.actions.refusals import sentence_space
from core.models import Job

WITHOUT_FORMAT = "format_unclear"  # its sentence names the formats by key, as commands take them


def why_not(job: Job) -> str:
    """Return in the reader's language why a job stored nothing; empty if it stored rows or has not ended."""
    result = job.result or {}
    if "refusal" not in result or "sentence" in result:
        return str(result.get("sentence", ""))
    reason = result["reason"] and RefusalReason(**result["reason"])
    if not reason or reason.code != WITHOUT_FORMAT:
        return sentence(result["refusal"], result["params"], reason)
    titles = pgettext("between things that are listed", ", ").join(str(title) for title in FORMATS.values())
    named = RefusalReason(WITHOUT_FORMAT, {"formats": titles})
    table = _("With “%(format)s” you can match the columns.") % {"format": FORMATS[TABLE]}
    return sentence(result["refusal"], result["params"], named) + sentence_space() + table
