"""Pages of long lists by position: each page costs the same, however long the list is."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet


@dataclass(frozen=True)
class RowsPage:
    """One page of rows. `before` and `after` are positions to continue from, None at either end."""

    rows: list[Any]
    before: int | None
    after: int | None


def page_of(rows: QuerySet[Any], *, size: int, before: int | None = None, after: int | None = None) -> RowsPage:
    """Return up to `size` rows by position: those before or after a position, or the first."""
    if before is not None:
        found = list(rows.filter(position__lt=before).order_by("-position")[: size + 1])
    elif after is not None:
        found = list(rows.filter(position__gt=after).order_by("position")[: size + 1])
    else:
        found = list(rows.order_by("position")[: size + 1])
    shown, more = found[:size], len(found) > size
    if before is not None:
        return _page(shown[::-1], has_before=more, has_after=True)
    return _page(shown, has_before=after is not None, has_after=more)


def _page(rows: list[Any], *, has_before: bool, has_after: bool) -> RowsPage:
    return RowsPage(
        rows,
        before=rows[0].position if rows and has_before else None,
        after=rows[-1].position if rows and has_after else None,
    )
