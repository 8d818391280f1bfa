"""Import corpora: read the whole input first, then store it under a name of its own in one transaction."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from django.core.validators import slug_re
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.samples import ImportSamples
from annotation.actions.corpora.spooled import COLUMNS, SpooledCorpus
from annotation.domain.cleaning.cleaning import OWN_WORDS
from annotation.domain.cleaning.cleaning_words import WordLists
from annotation.domain.cleaning.dirty_words import DIRTY_WORDS
from annotation.domain.corpora.ledger import REFUSED, ImportLedger
from annotation.importers import archive, reasons
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
from core.models.bulk import insert

PLUS = "-plus"  # suffix of the name of a second variant
LONGEST_NAME = 60 - len(PLUS)
REFUSED_ROWS_KEPT = 10_000  # all are counted, only this many are shown
RECIPE = Recipe()
NO_LISTS: Mapping[str, Sequence[str]] = {}
NO_WORDS = WordLists(NO_LISTS)
EVERY = 200  # rows between two progress reports
REFUSALS = {
    "format_unknown": _("There is no format %(format)s; these can be read: %(formats)s."),
    "name_wrong": _("The name is made of letters, digits, - and _, at most 55 of them."),
    "corpus_exists": _(
        "There is a corpus “%(name)s” already. A corpus never changes: import the file under another name."
    ),
    "rows_refused": _("Nothing was stored: some rows were refused. Mend them, or store the good rows alone."),
    "nothing_good": _("Nothing was stored: all rows were refused. Mend them, or read the file in another format."),
    "ledger_open": _(
        "Nothing was stored: what was read is not what was kept, joined and dropped (%(difference)s). Send us the file."
    ),
    "file_refused": _("%(reason)s. Nothing was stored."),
}


@dataclass
class CorpusContents:
    """Content of an input: the rows of one corpus or of two variants, and the refused rows.

    Dialogues in which a word of `words` occurs are flagged. `samples`, for a review, keep a few of them.
    """

    corpora: Sequence[SpooledCorpus] = ()
    words: WordLists = NO_WORDS
    samples: ImportSamples | None = None
    format: str = ""
    files: int = 0
    flagged: int = 0
    refused: int = 0
    bad: list[BadRow] = field(default_factory=list)
    ledger: ImportLedger = field(default_factory=ImportLedger)

    @property
    def good(self) -> int:
        return sum(spooled.rows for spooled in self.corpora)

    def add(self, row: DialogueRow | BadRow) -> None:
        if isinstance(row, DialogueRow):
            self._add(row)
            return
        self.refused += 1
        self.ledger.dropped[REFUSED] += 1
        if len(self.bad) < REFUSED_ROWS_KEPT:
            self.bad.append(row)

    def _add(self, row: DialogueRow) -> None:
        if self.words.occur_in(row.texts):
            row = row._replace(flagged=True)
            self.flagged += 1
        self.corpora[row.is_variant].add(row)
        if self.samples:
            self.samples.offer(row)


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
    lists: Mapping[str, Sequence[str]] = NO_LISTS,
    source: str = "",
    licence: str = "",
    partial: bool,
    report: ProgressReport,
    job: Job | None = None,
    by: User | None,
) -> Imported:
    """Store the dialogues of a file, a folder or an archive as a corpus; two variants become NAME and NAME-plus.

    Without a format the content tells it; `lists` are words by which dialogues are flagged, beside our own list;
    `source` and `licence` are the words of the person who imports. If rows were refused, the others are stored only
    with `partial`. A job that runs twice stores them once. Raises NotImported with
    the rows, or LedgerOpen; nothing is stored then.
    """
    if not (made := _made_by(job)):
        must_be_free(name)

    def first_half(done: int, total: int) -> None:
        report(done // 2, total)

    with contents_of(
        path=path, file_name=file_name, format=format, recipe=recipe, lists=lists, report=first_half
    ) as found:
        _must_be_good(found, partial)
        if made:
            return Imported(made, Corpus.objects.filter(variant_of=made).first(), found)
        begin_storing(job)
        return _store(_Making(name, recipe, lists, source, licence, found, job, by), report)


@contextmanager
def contents_of(
    *,
    path: Path,
    file_name: str,
    format: str,
    recipe: Recipe,
    lists: Mapping[str, Sequence[str]],
    samples: ImportSamples | None = None,
    report: Callable[[int, int], None],
) -> Iterator[CorpusContents]:
    """Yield what is in a file, a folder or an archive, read whole and kept on disk as long as the block lasts.

    A dialogue is flagged by the words of `lists` and of our own list. Raises NotImported and LedgerOpen.
    """
    if format:
        reader_of(format)
    words = WordLists({OWN_WORDS: DIRTY_WORDS, **lists})
    with TemporaryFile() as one, TemporaryFile() as two:
        found = CorpusContents((SpooledCorpus(one), SpooledCorpus(two)), words, samples)
        try:
            with archive.unpacked(path, file_name) as files:
                found.format, found.files = format or guessed(files), len(files)
                _read(files, recipe, found, report)
        except reasons.RowRefused as refused:
            raise NotImported("file_refused", reason=refused.reason) from refused
        yield found


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
    if format not in READERS:
        raise NotImported("format_unknown", format=format, formats=", ".join(READERS))
    return READERS[format]


def _read(
    files: list[archive.Member], recipe: Recipe, found: CorpusContents, report: Callable[[int, int], None]
) -> None:
    reader = READERS[found.format]
    total = reader.total(files)
    if found.samples:
        found.samples.begin(found.format, files, found.ledger, found.words)
    for done, row in enumerate(reader.read(files, found.ledger, recipe), start=1):
        found.add(row)
        if done % EVERY == 0:
            report(min(done, total), total)
    if not found.ledger.adds_up:
        raise LedgerOpen(f"{found.ledger.read:,} ≠ {found.ledger.accounted:,}")


class _Making(NamedTuple):
    """What is stored, under which name and made how."""

    name: str
    recipe: Recipe
    lists: Mapping[str, Sequence[str]]
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
    insert(Dialogue, COLUMNS, _told(first.values(corpus), found.good, 0, report))
    variant = None
    if second.rows:
        variant = _one(making, second, corpus)
        insert(Dialogue, COLUMNS, _told(second.values(variant), found.good, first.rows, report))
    report(found.good, found.good)
    return Imported(corpus, variant, found)


def _one(making: _Making, spooled: SpooledCorpus, of: Corpus | None) -> Corpus:
    name = making.name if of is None else making.name + PLUS
    if of is None:
        must_be_free(name)
    names.claim(name, "corpus")
    corpus = Corpus.objects.create(
        name=name,
        format=making.found.format,
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
    recipe = {"rules": dict(READERS[making.found.format].RULES), "zone": zone, "seed": seed, "leave": [*leave]}
    return {**recipe, "word_lists": [*making.lists]} if making.lists else recipe


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
