"""Import corpora: read the whole input first, then store it under a name of its own in one transaction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.core.validators import slug_re
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.spooled import COLUMNS, SpooledCorpus
from annotation.importers import archive, dialogues_jsonl, mutual, reasons
from annotation.importers.dialogues import DialogueRow, Reader
from annotation.importers.rows import BadRow
from annotation.models import Corpus, Dialogue
from core.actions import names
from core.actions.events import record
from core.actions.jobs import ProgressReport, begin_storing
from core.actions.refusals import Refused
from core.models import Job, User
from core.models.bulk import insert

READERS: dict[str, Reader] = {"mutual": mutual, "jsonl": dialogues_jsonl}
LATER = ("irc", "twitter", "subtitles", "ubuntu-csv")
PLUS = "-plus"  # suffix of the name of a second variant
LONGEST_NAME = 60 - len(PLUS)
REFUSED_ROWS_KEPT = 10_000  # all are counted, only this many are shown
EVERY = 200  # rows between two progress reports
REFUSALS = {
    "format_later": _("The format %(format)s cannot be read yet. mutual and jsonl can."),
    "format_unknown": _("There is no format %(format)s. mutual and jsonl can be read."),
    "name_wrong": _("The name is made of letters, digits, - and _, at most 55 of them."),
    "corpus_exists": _(
        "There is a corpus “%(name)s” already. A corpus never changes: import the file under another name."
    ),
    "rows_refused": _("Nothing was stored: some rows were refused. Mend them, or store the good rows alone."),
    "nothing_good": _("Nothing was stored: all rows were refused. Mend them, or read the file in another format."),
    "file_refused": _("%(reason)s. Nothing was stored."),
}


@dataclass
class CorpusContents:
    """Content of an input: the rows of one corpus or of two variants, and the refused rows."""

    corpora: Sequence[SpooledCorpus] = ()
    refused: int = 0
    bad: list[BadRow] = field(default_factory=list)

    @property
    def good(self) -> int:
        return sum(spooled.rows for spooled in self.corpora)

    def add(self, row: DialogueRow | BadRow) -> None:
        if isinstance(row, DialogueRow):
            self.corpora[row.is_variant].add(row)
            return
        self.refused += 1
        if len(self.bad) < REFUSED_ROWS_KEPT:
            self.bad.append(row)


class NotImported(Refused):
    """Refusal of an import: nothing was stored. `found` holds the refused rows; `reason` says why a whole file was
    refused.
    """

    def __init__(
        self,
        code: str,
        *,
        found: CorpusContents | None = None,
        reason: reasons.RefusalReason | None = None,
        **params: str,
    ) -> None:
        super().__init__(code, sentence(code, params, reason))
        self.found, self.reason, self.params = found or CorpusContents(), reason, params


def sentence(code: str, params: Mapping[str, str], reason: reasons.RefusalReason | None) -> str:
    """Return in the active language why nothing was stored."""
    return str(REFUSALS[code]) % {**params, "reason": reasons.reason_text(reason) if reason else ""}


@dataclass(frozen=True)
class Imported:
    """Result of an import: the corpus, its second variant if any, and what was read."""

    corpus: Corpus
    variant: Corpus | None
    found: CorpusContents


def import_corpus(
    *,
    name: str,
    path: Path,
    file_name: str = "",
    format: str,
    partial: bool,
    report: ProgressReport,
    job: Job | None = None,
    by: User | None,
) -> Imported:
    """Store the dialogues of a file, a folder or an archive as a corpus; two variants become NAME and NAME-plus.

    If rows were refused, the others are stored only with `partial`. A job that runs twice stores them once. Raises
    NotImported with the rows; nothing is stored then.
    """
    if not (made := _made_by(job)):
        must_be_free(name)
    reader = reader_of(format)
    with TemporaryFile() as one, TemporaryFile() as two:
        found = CorpusContents((SpooledCorpus(one), SpooledCorpus(two)))
        try:
            with archive.unpacked(path, file_name) as files:
                _read(reader, files, found, report)
        except reasons.RowRefused as refused:
            raise NotImported("file_refused", reason=refused.reason) from refused
        _must_be_good(found, partial)
        if made:
            return Imported(made, Corpus.objects.filter(variant_of=made).first(), found)
        begin_storing(job)
        return _store(name, format, found, report, job, by=by)


def _must_be_good(found: CorpusContents, partial: bool) -> None:
    if not found.good and not found.refused:
        raise NotImported("file_refused", reason=reasons.RefusalReason("no_dialogues"))
    if not found.good or (found.refused and not partial):
        raise NotImported("rows_refused" if found.good else "nothing_good", found=found)


def must_be_free(name: str) -> None:
    """Raise NotImported if the name is not valid or a corpus has it already."""
    if not slug_re.match(name) or len(name) > LONGEST_NAME:
        raise NotImported("name_wrong")
    if Corpus.objects.filter(name=name).exists():
        raise NotImported("corpus_exists", name=name)


def reader_of(format: str) -> Reader:
    """Return the reader of a format. Raises NotImported for a format that cannot be read."""
    if format in LATER:
        raise NotImported("format_later", format=format)
    if format not in READERS:
        raise NotImported("format_unknown", format=format)
    return READERS[format]


def _read(reader: Reader, files: list[archive.Member], found: CorpusContents, report: ProgressReport) -> None:
    total = reader.total(files)
    for done, row in enumerate(reader.read(files), start=1):
        found.add(row)
        if done % EVERY == 0:
            report(min(done, total) // 2, total)  # reading is the first half of the progress, storing the second


@transaction.atomic
def _store(
    name: str, format: str, found: CorpusContents, report: ProgressReport, job: Job | None, *, by: User | None
) -> Imported:
    first, second = found.corpora
    if not first.rows:
        first, second = second, first
    corpus = _one(name, format, first, job, None, by=by)
    insert(Dialogue, COLUMNS, _told(first.values(corpus), found.good, 0, report))
    variant = None
    if second.rows:
        variant = _one(name + PLUS, format, second, None, corpus, by=by)
        insert(Dialogue, COLUMNS, _told(second.values(variant), found.good, first.rows, report))
    report(found.good, found.good)
    return Imported(corpus, variant, found)


def _one(
    name: str, format: str, spooled: SpooledCorpus, job: Job | None, of: Corpus | None, *, by: User | None
) -> Corpus:
    if of is None:
        must_be_free(name)
    names.claim(name, "corpus")
    corpus = Corpus.objects.create(
        name=name,
        format=format,
        variant_of=of,
        checksum=spooled.checksum.hexdigest(),
        dialogues_count=spooled.rows,
        statistics=spooled.statistics,
        job=job,
        created_by=by,
    )
    record(corpus, became="imported", scope=None, by=by)
    return corpus


def _told(
    rows: Iterable[tuple[Any, ...]], total: int, before: int, report: ProgressReport
) -> Iterator[tuple[Any, ...]]:
    for done, row in enumerate(rows, start=before):
        yield row
        if done % EVERY == 0:
            report((total + done) // 2, total)


def _made_by(job: Job | None) -> Corpus | None:
    """Return the corpus that an earlier run of the job stored before its process died."""
    return Corpus.objects.filter(job=job).first() if job is not None else None
