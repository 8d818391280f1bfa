"""Figures of other studies beside the results of one: what was published on its corpora, and what researchers quote."""

from collections.abc import Iterator, Sequence
from typing import Any

from study.domain.results.published import METRICS_QUOTED, Published, published_for
from study.models import QuotedFigure, Study


def as_published(quoted: QuotedFigure) -> Published:
    """Return what a researcher quotes in the form of what is published."""
    return Published(
        source=quoted.source,
        corpus=quoted.corpus,
        who=quoted.label,
        candidates=quoted.candidates,
        r1=quoted.r1,
        r2=quoted.r2,
        mrr=quoted.mrr,
        is_model=quoted.is_of_model,
        n=quoted.n,
    )


def published_beside(study: Study, candidates: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows as JSON: figures are texts as printed, null where the source has none.

    `candidates` has how many the questions of each corpus have. `corpus` is null for rows beside all questions,
    `quoted` the key of a row that a researcher typed in. `impossible` says why figures cannot be; MRR would lie
    between the ends of `possible`.
    """
    return [*_rows(study, {row["corpus"]: None if row["guessed"] else row["candidates"] for row in candidates})]


def _rows(study: Study, candidates: dict[str | None, int | None]) -> Iterator[dict[str, Any]]:
    for corpus in filter(None, candidates):
        for row in published_for(corpus):
            yield _as_json(row, corpus, candidates)
    for quoted in study.quoted_figures.order_by("pk"):
        yield _as_json(as_published(quoted), quoted.corpus or None, candidates) | {"quoted": quoted.pk}


def _as_json(row: Published, corpus: str | None, candidates: dict[str | None, int | None]) -> dict[str, Any]:
    check = row.check
    return {
        "who": row.who,
        "is_model": row.is_model,
        "corpus": corpus,
        "source": row.source,
        "table": row.table or None,
        "published_corpus": row.corpus_title or None,
        "split": row.split or None,
        "n": row.n,
        "instances": row.instances,
        "candidates": row.candidates,
        "comparable": row.comparable(candidates.get(corpus)),
        **{metric: getattr(row, field) or None for field, metric in METRICS_QUOTED.items()},
        "half_widths": list(row.half_widths) if row.half_widths else None,
        "impossible": check.why,
        "possible": list(check.between) if check.between and check.why else None,
        "quoted": None,
    }
