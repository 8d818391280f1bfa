"""Corpora for their pages: figures by split, and dialogues a page at a time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

from annotation.domain.releases.splitting import Split
from annotation.importers.reasons import RefusalReason, reason_text
from annotation.models import Corpus
from annotation.permissions import corpora_of
from core.domain.sorting import Sorting
from core.domain.text import letter_of
from core.models import Job, User
from core.permissions import jobs_of
from core.selectors import paging
from core.selectors.paging import RowsPage
from core.selectors.sorting import in_direction

PAGE = 20
LONGEST_POSITION = 18  # digits


def listed(by: User, *, search: str = "") -> QuerySet[Corpus]:
    """Return the corpora of the list: all but those that are archived; `search` is part of a name or of a source."""
    corpora = corpora_of(by).filter(archived_at=None).select_related("created_by", "variant_of", "variant")
    return corpora.filter(Q(name__icontains=search) | Q(source__icontains=search)) if search else corpora


def sorted_corpora(corpora: QuerySet[Corpus], order: Sorting) -> QuerySet[Corpus]:
    keys = {"made": F("created_at"), "name": F("name"), "dialogues": F("dialogues_count")}
    return corpora.order_by(in_direction(keys[order.column], order), "-created_at", "-pk")


@dataclass(frozen=True)
class SplitFigures:
    """The figures of one split; `split` is empty for dialogues without a split, "all" for the sum."""

    split: str
    dialogues: int
    instances: int
    answers: int
    turns: int

    @property
    def turns_mean(self) -> float:
        return self.turns / self.dialogues


def figures_of(corpus: Corpus) -> list[SplitFigures]:
    """Return one row for each split, and the sum at the end where there are several."""
    blocks = corpus.statistics
    rows = [SplitFigures(split, **blocks[split]) for split in [*map(str, Split), ""] if split in blocks]
    if len(rows) < 2:
        return rows
    return [*rows, SplitFigures("all", *(sum(getattr(row, name) for row in rows) for name in NUMBERS))]


NUMBERS = ("dialogues", "instances", "answers", "turns")


@dataclass(frozen=True)
class Option:
    letter: str
    text: str
    is_right: bool


def options_of(candidates: Iterable[str] | None, answer: int | None) -> list[Option]:
    """Return the candidates with their letters."""
    return [Option(letter_of(position), text, position == answer) for position, text in enumerate(candidates or ())]


def position_in(sent: Mapping[str, str]) -> dict[str, int | None]:
    """Return `before` and `after` of an address; None where it is not a position."""
    return {name: _position(sent.get(name, "")) for name in ("before", "after")}


def _position(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_POSITION else None


def page_of(rows: QuerySet[Any], *, before: int | None = None, after: int | None = None) -> RowsPage:
    """Return up to `PAGE` rows."""
    return paging.page_of(rows, size=PAGE, before=before, after=after)


def last_job(*kinds: str, by: User) -> Job | None:
    """Return the job of these kinds that the person started last."""
    return jobs_of(by).filter(kind__in=kinds, created_by=by).first()


def same_corpora(review: Job, *, by: User) -> QuerySet[Corpus]:
    """Return the corpora that have the content which a review read."""
    read = (review.result or {}).get("corpora", [])
    return corpora_of(by).filter(checksum__in=[corpus["checksum"] for corpus in read])


def refused_rows(job: Job) -> list[dict[str, Any]]:
    """Return the refused rows that an import told of, each with its reason in the reader's language."""
    rows = (job.result or {}).get("rows", [])
    return [{**row, "reason": reason_text(RefusalReason(row["code"], row["params"]))} for row in rows]
