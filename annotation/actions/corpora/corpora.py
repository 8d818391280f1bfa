"""Import corpora: read the whole input first, then store it under a name of its own in one transaction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.core.validators import slug_re
from django.db import transaction

from annotation.actions.corpora.contents import EVERY, CorpusContents, NotImported, contents_of
from annotation.actions.corpora.spooled import COLUMNS, SpooledCorpus
from annotation.importers import reasons
from annotation.importers.dialogues import Recipe
from annotation.importers.formats import READERS
from annotation.models import Corpus, Dialogue
from core.actions import names
from core.actions.events import record
from core.actions.jobs import ProgressReport, begin_storing
from core.domain.text import normalise, one_line
from core.models import Job, User
from core.models.bulk import gather_statistics, insert

PLUS = "-plus"  # suffix of the name of a second variant
LONGEST_NAME = 60 - len(PLUS)
RECIPE = Recipe()
NO_LISTS: Mapping[str, Sequence[str]] = {}


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

    def first_half(done: int, total: int | None) -> None:
        report(done // 2, total)

    with contents_of(
        path=path,
        file_name=file_name,
        format=format,
        recipe=recipe,
        lists=lists,
        variant_name="" if made else name + PLUS,
        report=first_half,
    ) as found:
        _must_be_good(found, partial)
        if made:
            return Imported(made, Corpus.objects.filter(variant_of=made).first(), found)
        begin_storing(job)
        return _store(_Making(name, recipe, lists, source, licence, found, job, by), report)


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
    reader, (zone, seed, leave, choice) = READERS[making.found.format], making.recipe
    recipe = {"rules": dict(reader.RULES), "zone": zone, "seed": seed, "leave": [*leave]}
    if "choice" in reader.HEEDS:
        recipe["choice"] = dict(choice)
    return {**recipe, "word_lists": [*making.lists]} if making.lists else recipe


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
