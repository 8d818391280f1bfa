"""A list that sorts, filters and pages by number: its heads, its pages, and the addresses of both."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.http import urlencode

from core.domain.sorting import Sorting
from core.forms.lists import MOST, Column, ListForm


class ColumnHead(NamedTuple):
    """The head of a column: where a press leads to, and the value of `aria-sort` if the list is sorted by it."""

    name: str
    label: object
    query: str
    order: str


class ShownList:
    """One page of a list. `rows` makes what the template shows of the rows on the page."""

    def __init__(
        self,
        form: ListForm,
        found: QuerySet[Any],
        *,
        size: int,
        number: str | None,
        rows: Callable[[Sequence[Any]], Sequence[Any]],
    ) -> None:
        self.form = form
        self.page: Page[Any] = Paginator(found, size).get_page(number)
        self.rows = rows(list(self.page.object_list))
        self.most = MOST

    @property
    def is_filtered(self) -> bool:
        return bool(self.form.wanted())

    @property
    def heads(self) -> dict[str, ColumnHead]:
        return {name: self._head(name, column) for name, column in self.form.COLUMNS.items()}

    def _head(self, name: str, column: Column) -> ColumnHead:
        now = self.form.sorting()
        is_sorted = now.column == name
        following = now.reverse if is_sorted else Sorting(name, is_descending=column.highest_first)
        order = ("descending" if now.is_descending else "ascending") if is_sorted else ""
        return ColumnHead(name, column.label, urlencode({**self.form.sent(), "sort": str(following)}), order)

    @property
    def query(self) -> str:
        """Filters and order in an address, without the page."""
        return urlencode(self.form.sent())

    @property
    def here(self) -> str:
        """Filters, order and page in an address."""
        return urlencode({**self.form.sent(), "page": str(self.page.number)})
