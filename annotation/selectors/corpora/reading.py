"""Reading a corpus: dialogues of a split, flagged ones, or those with certain words, a bounded part at a time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from annotation.domain.corpora.search import as_in_json, folded, occur_in
from annotation.models import Corpus, Dialogue
from annotation.selectors.corpora.corpora import splits_of
from annotation.selectors.corpora.corpus_pages import PAGE, page_of
from core.selectors.paging import RowsPage

MOST = 10_000  # dialogues that one search looks at
BLOCK = 500  # of them are read together
ENOUGH = 10_000_000  # characters after which a search stops too; what has to be looked at closely counts more
CLOSELY = 4  # times, for a text whose JSON is read
NOT_ASCII = 6  # times, for a text whose width is folded


@dataclass(frozen=True)
class DialogueFilter:
    """Which dialogues a person wants to read; `words` are folded, and all must occur."""

    split: str = ""
    flagged: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadingPage(RowsPage):
    """Dialogues, and how far a search got: it looked up to the dialogue before position `looked_to`.

    `looked_to` is None where no words were searched for.
    """

    looked_to: int | None = None


def splits_to_choose(corpus: Corpus) -> list[str]:
    """Return the splits of a corpus, where it has more than one."""
    splits = splits_of(corpus)
    return [split for split in splits if split] if len(splits) > 1 else []


def filtered(corpus: Corpus, wanted: DialogueFilter) -> QuerySet[Dialogue]:
    """Return the dialogues of the split, or the flagged ones, whatever words they have."""
    rows = corpus.dialogues.filter(flagged=True) if wanted.flagged else corpus.dialogues.all()
    return rows.filter(split=wanted.split) if wanted.split else rows


def reading_page(
    corpus: Corpus,
    wanted: DialogueFilter,
    *,
    before: int | None = None,
    after: int | None = None,
    size: int = PAGE,
) -> ReadingPage:
    """Return up to `size` dialogues by position: those before or after a position, or the first.

    A search for words looks at so many dialogues that a page can wait for it, in this direction; it can be continued
    from `before` or `after`.
    """
    rows = filtered(corpus, wanted)
    if not wanted.words:
        page = page_of(rows, before=before, after=after)
        return ReadingPage(page.rows, page.before, page.after)
    is_back = before is not None
    start = before if is_back else after
    found, last, is_over = _search(rows, wanted.words, start, is_back, size)
    shown = list(corpus.dialogues.filter(position__in=found).order_by("position"))
    count = corpus.dialogues_count
    on = None if is_over or last == (0 if is_back else count - 1) else last
    if before is not None:
        return ReadingPage(shown, before=on, after=before - 1, looked_to=before)
    return ReadingPage(
        shown,
        before=None if start is None else start + 1,
        after=on,
        looked_to=count if on is None else on + 1,
    )


def _search(
    rows: QuerySet[Dialogue], words: Sequence[str], start: int | None, is_back: bool, size: int
) -> tuple[list[int], int | None, bool]:
    """Return the positions found, the last one looked at, and whether no dialogue is left in this direction."""
    rough = as_in_json(words)
    found: list[int] = []
    last, looked, read = start, 0, 0
    while looked < MOST and read < ENOUGH:
        block = _block(rows, last, is_back)
        for position, id, turns, candidates in block:
            text = f"{id} {turns} {candidates}"
            read += len(text) * (1 if text.isascii() else NOT_ASCII)
            last = position
            if occur_in(rough, folded(text)):
                read += CLOSELY * len(text)
                if occur_in(words, folded("\n".join(_texts(id, turns, candidates)))):
                    found.append(position)
                    if len(found) == size:
                        return found, last, False
        looked += len(block)
        if len(block) < BLOCK:
            return found, last, True
    return found, last, False


def _block(rows: QuerySet[Dialogue], last: int | None, is_back: bool) -> list[Any]:
    """Return the next dialogues in a direction, their JSON as text: reading all of it would take most of the time."""
    if is_back:
        rows = rows.filter(position__lt=last).order_by("-position")
    elif last is not None:
        rows = rows.filter(position__gt=last).order_by("position")
    else:
        rows = rows.order_by("position")
    json_as_text = {f"{name}_text": Cast(name, TextField()) for name in ("turns", "candidates")}
    return list(rows.values_list("position", "external_id", *json_as_text.values())[:BLOCK])


def _texts(id: str, turns: str, candidates: str | None) -> list[str]:
    return [id, *(turn["text"] for turn in json.loads(turns)), *(json.loads(candidates) if candidates else [])]
