"""Import a corpus in the background: the job, how it reads its file, and its result."""

from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.utils.translation import gettext_lazy as _

from annotation.actions.cleaning.cleaning_rules import words_of
from annotation.actions.corpora import corpora
from annotation.actions.corpora.contents import CorpusContents, NotImported
from annotation.actions.corpora.corpora import Imported
from annotation.actions.imports.refused_rows import kept_row
from annotation.importers.dialogues import Recipe
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Job

KIND = "import_corpus"
ROWS_TOLD = 1_000  # refused rows listed in the result of a job


def recipe_of(job: Job) -> Recipe:
    """Return the recipe that an import or a review was asked for with."""
    return Recipe(*(job.arguments.get(name, default) for name, default in corpora.RECIPE._asdict().items()))


def reading_of(job: Job) -> dict[str, Any]:
    """Return what an import and a review of a file have in common: the file, and how it is read."""
    return {
        "path": Path(default_storage.path(job.arguments["file"])),
        "file_name": job.arguments["file_name"],
        "format": job.arguments["format"],
        "recipe": recipe_of(job),
        "lists": {each["name"]: words_in(each["file"]) for each in job.arguments.get("lists", ())},
    }


def words_in(name: str) -> list[str]:
    """Return the words of a kept list."""
    with Path(default_storage.path(name)).open("rb") as file:
        return words_of(file)


def _page(job: Job) -> tuple[str, list[Any]]:
    if job.state == JobState.DONE and job.result and not job.result["refused"] and job.result["stored"]:
        return "corpus", [job.arguments["name"]]
    return "corpus_import", [job.pk]


@handles(KIND, title=_("Importing the corpus"), page=_page, refusals={})
def run_import(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Import the file and return the outcome; a refusal is a result too, because the job's page shows the rows."""
    wanted = job.arguments
    try:
        imported = corpora.import_corpus(
            **reading_of(job),
            name=wanted["name"],
            source=wanted.get("source", ""),
            licence=wanted.get("licence", ""),
            partial=wanted["partial"],
            report=report,
            job=job,
            by=job.created_by,
        )
    except NotImported as refused:
        return refusal(refused)
    except Refused as taken:
        return {"refusal": taken.code, "sentence": str(taken), **told(CorpusContents()), "stored": 0}
    return {**told(imported.found), **stored(imported)}


def refusal(refused: NotImported) -> dict[str, Any]:
    """Describe why nothing was stored, for the job's result."""
    reason = refused.reason and {"code": refused.reason.code, "params": dict(refused.reason.params)}
    return {
        "refusal": refused.code,
        "params": refused.params,
        "reason": reason,
        **told(refused.found),
        "stored": 0,
    }


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
    rows = [kept_row(row) for row in found.bad[:ROWS_TOLD]]
    return {"good": found.good, "refused": found.refused, "rows": rows}
