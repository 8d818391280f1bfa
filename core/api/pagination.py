"""Cursor pagination of the API: page 10,000 costs as much as page 1."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.pagination import CursorPagination

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
