"""Import a corpus in the background: the uploaded file, the job, and its result."""

from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora import corpora
from annotation.actions.corpora.corpora import CorpusContents, Imported, NotImported
from annotation.importers.reasons import RefusalReason
from annotation.importers.rows import BadRow
from annotation.models import Corpus
from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.domain.transitions import JobState
from core.models import Job, User

KIND = "import_corpus"
ROWS_TOLD = 1_000  # refused rows listed in the result of a job
REFUSALS = {"not_waiting": _("There are no good rows of this file that wait to be stored.")}


def receive(*, name: str, file: "File[bytes]", format: str, source: str = "", licence: str = "", by: User) -> Job:
    """Keep an uploaded file under a generated name, and request a job that imports it. Raises Refused.

    Without a format the content tells it.
    """
    corpora.must_be_free(name)
    if format:
        corpora.reader_of(format)
    kept = default_storage.save("corpora/file", file)
    file_name = one_line(Path(file.name or "").name)
    arguments = {"name": name, "file": kept, "file_name": file_name, "format": format, "partial": False}
    arguments |= {"source": source, "licence": licence}
    return jobs.ask_for(kind=KIND, arguments=arguments, scope=None, by=by)


@transaction.atomic
def ask_for_good_rows(*, job: Job, by: User) -> Job:
    """Request a job that stores the good rows of a file with refused rows. Raises Refused."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if not _waits(job):
        raise Refused("not_waiting", REFUSALS["not_waiting"])
    corpora.must_be_free(job.arguments["name"])
    return jobs.ask_for(kind=KIND, arguments={**job.arguments, "partial": True}, scope=None, by=by)


def has_good_rows(job: Job) -> bool:
    """Tell whether the job left good rows to store, under a name that is still free."""
    return _waits(job) and not Corpus.objects.filter(name=job.arguments["name"]).exists()


def _waits(job: Job) -> bool:
    return job.state == JobState.DONE and (job.result or {}).get("refusal") == "rows_refused"


def _page(job: Job) -> tuple[str, list[Any]]:
    if job.state == JobState.DONE and job.result and not job.result["refused"] and job.result["stored"]:
        return "corpus", [job.arguments["name"]]
    return "corpus_import", [job.pk]


@handles(KIND, title=_("Importing the corpus"), page=_page, refusals=REFUSALS)
def run_import(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Import the file and return the outcome; a refusal is a result too, because the job's page shows the rows."""
    wanted = job.arguments
    try:
        imported = corpora.import_corpus(
            name=wanted["name"],
            path=Path(default_storage.path(wanted["file"])),
            file_name=wanted["file_name"],
            format=wanted["format"],
            source=wanted.get("source", ""),
            licence=wanted.get("licence", ""),
            partial=wanted["partial"],
            report=report,
            job=job,
            by=job.created_by,
        )
    except NotImported as refused:
        reason = refused.reason and {"code": refused.reason.code, "params": dict(refused.reason.params)}
        why = {"refusal": refused.code, "params": refused.params, "reason": reason}
        return {**why, **told(refused.found), "stored": 0}
    except Refused as taken:
        return {"refusal": taken.code, "sentence": str(taken), **told(CorpusContents()), "stored": 0}
    return {**told(imported.found), **stored(imported)}


def why_not(job: Job) -> str:
    """Return in the reader's language why a job stored nothing; empty if it stored rows or has not ended."""
    result = job.result or {}
    if "refusal" not in result or "sentence" in result:
        return str(result.get("sentence", ""))
    reason = result["reason"] and RefusalReason(**result["reason"])
    return corpora.sentence(result["refusal"], result["params"], reason)


def stored(imported: Imported) -> dict[str, Any]:
    """Describe what was stored, for the job's result."""
    corpus, variant = imported.corpus, imported.variant
    return {
        "corpus": corpus.name,
        "variant": variant.name if variant else None,
        "checksum": corpus.checksum,
        "ledger": corpus.ledger,
        "stored": imported.found.good,
    }


def told(found: CorpusContents) -> dict[str, Any]:
    """Return the counts and the first refused rows."""
    rows = [_told(row) for row in found.bad[:ROWS_TOLD]]
    return {"good": found.good, "refused": found.refused, "rows": rows}


def _told(row: BadRow) -> dict[str, Any]:
    reason = row.reason
    return {
        "file": row.file,
        "line": row.line,
        "code": reason.code,
        "params": dict(reason.params),
        "excerpt": row.excerpt,
    }
