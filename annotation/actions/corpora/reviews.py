"""Review a corpus before it is imported: a job reads the whole input, counts what becomes of it, and stores nothing."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.core.files import File
from django.core.files.storage import default_storage
from django.utils.translation import gettext_lazy as _

from annotation.actions.cleaning.cleaning_rules import words_of
from annotation.actions.corpora import contents, corpora, corpus_jobs
from annotation.actions.corpora.contents import CorpusContents, NotImported
from annotation.actions.corpora.samples import ImportSamples
from annotation.selectors.corpora.reviews import imported_as
from core.actions import jobs
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.domain.transitions import JobState
from core.models import Job, User

KIND = "review_corpus"
MOST_LISTS = 20
REFUSALS = {
    "nothing_to_import": _("There is no dialogue to import: read the file in another way, or choose another one."),
    "imported_before": _("The content of this page has already been imported. Count again to import it once more."),
    "too_many_lists": _("An import can use at most %(most)s word lists. Merge some of them."),
}


def receive(*, name: str, file: "File[bytes]", format: str, by: User) -> Job:
    """Keep an uploaded file under a generated name, and request a job that reads it for a review. Raises Refused.

    Without a format the content tells it.
    """
    corpora.must_be_free(name)
    if format:
        contents.reader_of(format)
    kept = default_storage.save("corpora/file", file)
    file_name = one_line(Path(file.name or "").name)
    arguments = {"name": name, "file": kept, "file_name": file_name, "format": format, "lists": []}
    arguments |= {"source": "", "licence": "", **corpora.RECIPE._asdict()}
    return jobs.ask_for(kind=KIND, arguments=arguments, scope=None, by=by)


def count_again(*, review: Job, changes: Mapping[str, Any], words: "File[bytes] | None" = None, by: User) -> Job:
    """Request a job that reads the file of a review with other choices. Raises Refused.

    `words` is a list by which dialogues are flagged, beside our own and those of the review.
    """
    lists = _with_list(review.arguments["lists"], words)
    arguments = {**review.arguments, **changes, "lists": lists, "before": review.pk}
    return jobs.ask_for(kind=KIND, arguments=arguments, scope=None, by=by)


def ask_for_import(*, review: Job, name: str, source: str, licence: str, by: User) -> Job:
    """Request the import of what a review showed: the good rows, since the others were shown. Raises Refused."""
    if not (has_good_rows(review) and review.result):
        raise Refused("nothing_to_import", REFUSALS["nothing_to_import"])
    if imported_as(review):
        raise Refused("imported_before", REFUSALS["imported_before"])
    corpora.must_be_free(name)
    arguments = {key: value for key, value in review.arguments.items() if key != "before"}
    arguments |= {"name": name, "source": source, "licence": licence, "format": review.result["format"]}
    arguments["review"] = review.pk
    return jobs.ask_for(kind=corpus_jobs.KIND, arguments={**arguments, "partial": True}, scope=None, by=by)


def has_good_rows(review: Job) -> bool:
    """Tell whether a review has ended with dialogues that can be imported."""
    return review.state == JobState.DONE and bool((review.result or {}).get("good"))


def _with_list(lists: Sequence[Mapping[str, str]], words: "File[bytes] | None") -> list[Mapping[str, str]]:
    """Return the lists with the new one, which is kept as a file and takes the place of one of the same name."""
    if words is None:
        return [*lists]
    words_of(cast("BinaryIO", words))
    name = one_line(Path(words.name or "").name)
    others = [each for each in lists if each["name"] != name]
    if len(others) == MOST_LISTS:
        raise Refused("too_many_lists", REFUSALS["too_many_lists"] % {"most": MOST_LISTS})
    return [*others, {"name": name, "file": default_storage.save("corpora/words", words)}]


def _page(job: Job) -> tuple[str, list[Any]]:
    return "corpus_review", [job.pk]


@handles(KIND, title=_("Reading the file"), page=_page, refusals=REFUSALS)
def run_review(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Read the file and return what would become of it; a refusal is a result too."""
    samples = ImportSamples(corpus_jobs.recipe_of(job).seed)
    try:
        with contents.contents_of(**corpus_jobs.reading_of(job), samples=samples, report=report) as found:
            return {**_counts(found), **samples.as_mapping()}
    except NotImported as refused:
        return corpus_jobs.refusal(refused)
    except contents.LedgerOpen as wrong:
        return corpus_jobs.refusal(NotImported("ledger_open", difference=str(wrong)))


def _counts(found: CorpusContents) -> dict[str, Any]:
    return {
        "format": found.format,
        "files": found.files,
        "flagged": found.flagged,
        "ledger": found.ledger.as_mapping(),
        "corpora": [
            {"dialogues": each.rows, "checksum": each.checksum.hexdigest(), "statistics": each.statistics}
            for each in found.corpora
            if each.rows
        ],
        **corpus_jobs.told(found),
    }
