"""What is in an input of a corpus: read whole and kept on disk, with its ledger, before anything is stored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile

from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.samples import ImportSamples
from annotation.actions.corpora.spooled import SpooledCorpus
from annotation.domain.cleaning.cleaning import OWN_WORDS, own_words
from annotation.domain.cleaning.cleaning_words import WordLists
from annotation.domain.corpora.ledger import REFUSED, ImportLedger
from annotation.domain.languages import BOTH
from annotation.importers import archive, mutual, reasons
from annotation.importers.dialogues import DialogueRow, Reader, Recipe
from annotation.importers.formats import READERS, guessed
from annotation.importers.rows import BadRow
from core.actions import names
from core.actions.refusals import Refused

REFUSED_ROWS_KEPT = 10_000  # all are counted, only this many are shown
EVERY = 200  # records between two progress reports
NO_WORDS = WordLists({})
REFUSALS = {
    "format_unknown": _("There is no format %(format)s; these can be read: %(formats)s."),
    "name_wrong": _("Use letters, digits, - and _, at most 55 characters."),
    "corpus_exists": _("There is a corpus “%(name)s” already. A corpus never changes: choose another name."),
    "rows_refused": _("Nothing was stored: some rows were refused. Correct them, or import only the good rows."),
    "nothing_good": _("Nothing was stored: all rows were refused. Correct them, or read the file in another format."),
    "ledger_open": _(
        "Nothing was stored: the records read do not equal those kept, joined and dropped "
        "(%(difference)s). Send us the file."
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


@contextmanager
def contents_of(
    *,
    path: Path,
    file_name: str,
    format: str,
    recipe: Recipe,
    lists: Mapping[str, Sequence[str]],
    samples: ImportSamples | None = None,
    variant_name: str = "",
    report: Callable[[int, int | None], None],
) -> Iterator[CorpusContents]:
    """Yield what is in a file, a folder or an archive, read whole and kept on disk as long as the block lasts.

    A dialogue is flagged by the words of `lists` and of our own list. `variant_name` is looked up before the reading
    where there is a second variant. Raises NotImported and LedgerOpen, and Refused for a name that is taken.
    """
    if format:
        reader_of(format)
    words = WordLists({OWN_WORDS: own_words(BOTH), **lists})
    with TemporaryFile() as one, TemporaryFile() as two:
        found = CorpusContents((SpooledCorpus(one), SpooledCorpus(two)), words, samples)
        try:
            with archive.unpacked(path, file_name) as files:
                found.format, found.files = format or guessed(files), len(files)
                if variant_name and found.format == "mutual" and mutual.has_variant(files):
                    names.must_be_free(variant_name)
                _read(files, recipe, found, report)
        except reasons.RowRefused as refused:
            raise NotImported("file_refused", reason=refused.reason) from refused
        yield found


def reader_of(format: str) -> Reader:
    """Return the reader of a format. Raises NotImported for a format that cannot be read."""
    if format not in READERS:
        raise NotImported("format_unknown", format=format, formats=", ".join(READERS))
    return READERS[format]


def _read(
    files: list[archive.Member], recipe: Recipe, found: CorpusContents, report: Callable[[int, int | None], None]
) -> None:
    reader = READERS[found.format]
    total = reader.total(files)
    if found.samples:
        found.samples.begin(found.format, files, found.ledger, found.words)

    def on_read(records: int) -> None:
        if records % EVERY == 0:
            report(min(records, total) if total else records, total or None)

    found.ledger.on_read = on_read
    for row in reader.read(files, found.ledger, recipe):
        found.add(row)
    if not found.ledger.adds_up:
        raise LedgerOpen(f"{found.ledger.read:,} ≠ {found.ledger.accounted:,}")
