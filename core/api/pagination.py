"""Cursor pagination of the API: page 10,000 costs as much as page 1."""

from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.pagination import CursorPagination

if TYPE_CHECKING:  # rest_framework.generics itself reads this module from the settings
    from rest_framework.generics import GenericAPIView

Row = TypeVar("Row", bound=Model)

PAGING = [
    OpenApiParameter("cursor", str, description="The part after cursor= in next or previous of an answer."),
    OpenApiParameter("page_size", int, description="At most 1,000."),
]


class Newest(CursorPagination):
    ordering = "-pk"
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1_000


class ByPosition(Newest):
    ordering = "position"


def page_of(rows: QuerySet[Row], view: "GenericAPIView[Any]") -> list[Row]:
    """Return the page of `rows` that is asked for; they may be of another model than the view."""
    return view.paginate_queryset(rows) or []
