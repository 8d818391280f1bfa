"""Import corpora: read the whole input first, then store it under a name of its own in one transaction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from django.core.validators import slug_re
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.spooled import COLUMNS, SpooledCorpus
from annotation.domain.corpora.ledger import REFUSED, ImportLedger
from annotation.importers import archive, mutual, reasons
from annotation.importers.dialogues import DialogueRow, Reader, Recipe
from annotation.importers.formats import READERS, guessed
from annotation.importers.rows import BadRow
from annotation.models import Corpus, Dialogue
from core.actions import names
from core.actions.events import record
from core.actions.jobs import ProgressReport, begin_storing
from core.actions.refusals import Refused
from core.domain.text import normalise, one_line
from core.models import Job, User
from core.models.bulk import gather_statistics, insert

PLUS = "-plus"  # suffix of the name of a second variant
LONGEST_NAME = 60 - len(PLUS)
REFUSED_ROWS_KEPT = 10_000  # all are counted, only this many are shown
RECIPE = Recipe()
EVERY = 200  # rows between two progress reports
REFUSALS = {
    "format_unknown": _("There is no format %(format)s; these can be read: %(formats)s."),
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
    ledger: ImportLedger = field(default_factory=ImportLedger)

    @property
    def good(self) -> int:
        return sum(spooled.rows for spooled in self.corpora)

    def add(self, row: DialogueRow | BadRow) -> None:
        if isinstance(row, DialogueRow):
            self.corpora[row.is_variant].add(row)
            return
        self.refused += 1
        self.ledger.dropped[REFUSED] += 1
        if len(self.bad) < REFUSED_ROWS_KEPT:
            self.bad.append(row)


class LedgerOpen(ValueError):
    """A reader lost count: the records read are not those kept, joined and dropped. Nothing is stored."""


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
    format: str = "",
    recipe: Recipe = RECIPE,
    source: str = "",
    licence: str = "",
    partial: bool,
    report: ProgressReport,
    job: Job | None = None,
    by: User | None,
) -> Imported:
    """Store the dialogues of a file, a folder or an archive as a corpus; two variants become NAME and NAME-plus.

    Without a format the content tells it; `source` and `licence` are the words of the person who imports. If rows were
    refused, the others are stored only with `partial`. A job that runs twice stores them once. Raises NotImported with
    the rows, or LedgerOpen; nothing is stored then.
    """
    if not (made := _made_by(job)):
        must_be_free(name)
    if format:
        reader_of(format)
    with TemporaryFile() as one, TemporaryFile() as two:
        found = CorpusContents((SpooledCorpus(one), SpooledCorpus(two)))
        try:
            with archive.unpacked(path, file_name) as files:
                format = format or guessed(files)
                if not made and format == "mutual" and mutual.has_variant(files):
                    names.must_be_free(name + PLUS)
                _read(reader_of(format), files, recipe, found, report)
        except reasons.RowRefused as refused:
            raise NotImported("file_refused", reason=refused.reason) from refused
        _must_be_good(found, partial)
        if made:
            return Imported(made, Corpus.objects.filter(variant_of=made).first(), found)
        begin_storing(job)
        return _store(_Making(name, format, recipe, source, licence, found, job, by), report)


def _must_be_good(found: CorpusContents, partial: bool) -> None:
    if not found.good and not found.refused:
        raise NotImported("file_refused", reason=reasons.RefusalReason("no_dialogues"))
    if not found.good or (found.refused and not partial):
        raise NotImported("rows_refused" if found.good else "nothing_good", found=found)


def must_be_free(name: str) -> None:
    """Raise NotImported if the name is not valid or a corpus has it already, and Refused if another thing has it."""
    if not slug_re.match(name) or len(name) > LONGEST_NAME:
        raise NotImported("name_wrong")
    if Corpus.objects.filter(name=name).exists():
        raise NotImported("corpus_exists", name=name)
    names.must_be_free(name)


def reader_of(format: str) -> Reader:
    """Return the reader of a format. Raises NotImported for a format that cannot be read."""
    if format not in READERS:
        raise NotImported("format_unknown", format=format, formats=", ".join(READERS))
    return READERS[format]


def _read(
    reader: Reader, files: list[archive.Member], recipe: Recipe, found: CorpusContents, report: ProgressReport
) -> None:
    total = reader.total(files)
    for done, row in enumerate(reader.read(files, found.ledger, recipe), start=1):
        found.add(row)
        if done % EVERY == 0:
            report(min(done, total) // 2, total)  # reading is the first half of the progress, storing the second
    if not found.ledger.adds_up:
        raise LedgerOpen(str(found.ledger.as_mapping()))


class _Making(NamedTuple):
    """What is stored, under which name and made how."""

    name: str
    format: str
    recipe: Recipe
    source: str
    licence: str
    found: CorpusContents
    job: Job | None
    by: User | None


@transaction.atomic
def _store(making: _Making, report: ProgressReport) -> Imported:
    found = making.found
    first, second = found.corpora
    if not first.rows:
        first, second = second, first
    corpus = _one(making, first, None)
    insert(Dialogue, COLUMNS, reporting(first.values(corpus), found.good, 0, report))
    variant = None
    if second.rows:
        variant = _one(making, second, corpus)
        insert(Dialogue, COLUMNS, reporting(second.values(variant), found.good, first.rows, report))
    gather_statistics(Dialogue)
    report(found.good, found.good)
    return Imported(corpus, variant, found)


def _one(making: _Making, spooled: SpooledCorpus, of: Corpus | None) -> Corpus:
    name = making.name if of is None else making.name + PLUS
    if of is None:
        must_be_free(name)
    names.claim(name, "corpus")
    corpus = Corpus.objects.create(
        name=name,
        format=making.format,
        variant_of=of,
        checksum=spooled.checksum.hexdigest(),
        dialogues_count=spooled.rows,
        statistics=spooled.statistics,
        source=normalise(making.source),
        licence=one_line(making.licence),
        recipe=_recipe(making),
        ledger=making.found.ledger.as_mapping(),
        job=None if of else making.job,
        created_by=making.by,
    )
    record(corpus, became="imported", scope=None, by=making.by)
    return corpus


def _recipe(making: _Making) -> dict[str, Any]:
    zone, seed, leave = making.recipe
    return {"rules": dict(READERS[making.format].RULES), "zone": zone, "seed": seed, "leave": [*leave]}


def reporting(
    rows: Iterable[tuple[Any, ...]], total: int, before: int, report: ProgressReport
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows to store, and report how far that is: the second half of the progress."""
    for done, row in enumerate(rows, start=before):
        yield row
        if done % EVERY == 0:
            report((total + done) // 2, total)


def _made_by(job: Job | None) -> Corpus | None:
    """Return the corpus that an earlier run of the job stored before its process died."""
    return Corpus.objects.filter(job=job).first() if job is not None else None
