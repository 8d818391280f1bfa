"""Pages of one corpus: what is in it and where it comes from, and its dialogues to search and read."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import Corpus
from annotation.permissions import corpora_of, is_own_corpus
from annotation.presenters.corpora.ledger import ledger_of, left_kinds_of
from annotation.presenters.corpora.reading import AskedReading, reader_of
from annotation.presenters.corpora.statistics import histogram_of, published_of, statistics_of
from annotation.selectors.corpora import corpora as selectors
from annotation.selectors.corpora.corpus_pages import figures_of, position_in
from annotation.selectors.corpora.plans import counts_of, plan_of, planned_at
from annotation.selectors.corpora.reading import reading_page
from annotation.selectors.corpora.uses import uses_of
from core.permissions import AuthenticatedRequest, requires


@requires("corpus.read")
@require_safe
def corpus(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Show what a corpus is, and its dialogues below."""
    found = corpus_at(request, name)
    reader = _reader(request, found, None)
    split = reader["asked"].wanted.split
    context = {
        "draw_from": f"{name}:{split}" if split else name,
        "variant": Corpus.objects.filter(variant_of=found).first(),
        "figures": figures_of(found),
        "statistics": statistics_of(found),
        "published": published_of(found),
        "histogram": histogram_of(found),
        "ledger": ledger_of(found),
        "left_kinds": left_kinds_of(found),
        "formats": selectors.formats_of(found),
        "uses": uses_of(found, by=request.user),
        "is_own": is_own_corpus(found, request.user),
        "children": found.children.all(),
        "changes": counts_of(found.changes.all()) if found.parent else None,
        **reader,
    }
    return render(request, "annotation/corpora/corpus.html", context)


@requires("corpus.read")
@require_safe
def dialogues(request: AuthenticatedRequest, name: str, position: int | None = None) -> HttpResponse:
    """Show the dialogues that are asked for beside one of them: at the position, or the first of the list."""
    found = corpus_at(request, name)
    return render(request, "annotation/corpora/dialogues.html", _reader(request, found, position))


def corpus_at(request: AuthenticatedRequest, name: str) -> Corpus:
    """Return a corpus that the person may read, or raise 404."""
    corpora = corpora_of(request.user).select_related("created_by", "variant_of", "parent")
    return get_object_or_404(corpora, name=name)


def _reader(request: AuthenticatedRequest, found: Corpus, position: int | None) -> dict[str, Any]:
    asked = AskedReading.of(request.GET, found, position)
    page = reading_page(found, asked.wanted, before=asked.before, after=asked.after)
    chosen = next((row for row in page.rows if row.position == position), None)
    if position is not None and chosen is None:
        chosen = get_object_or_404(found.dialogues, position=position)
    elif chosen is None and page.rows:
        chosen = page.rows[-1 if asked.before is not None else 0]
    shown = {row.position for row in [*page.rows, *([chosen] if chosen else [])]}
    planned = planned_at(found, shown, by=request.user)
    first = position_in({"after": request.GET.get("turn", "")})["after"] or 1
    return {
        "corpus": found,
        "counts": counts_of(plan_of(found, by=request.user)),
        **reader_of(found, asked, page, chosen, planned, first=first),
    }
