"""A page of rows that are of another model than the view that answers with them."""

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from rest_framework.generics import GenericAPIView

Row = TypeVar("Row", bound=Model)


def page_of(rows: QuerySet[Row], view: GenericAPIView[Any]) -> list[Row]:
    """Return the page of `rows` that is asked for, as the view divides them."""
    return view.paginate_queryset(rows) or []
