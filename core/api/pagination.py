"""Cursor pagination of the API: page 10,000 costs as much as page 1."""

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

MOST = 1_000
PAGING = [
    OpenApiParameter("cursor", str, description="The part after cursor= in next or previous of an answer."),
    OpenApiParameter("page_size", {"type": "integer", "minimum": 1, "maximum": MOST}, description="At most 1,000."),
]


class Newest(CursorPagination):
    ordering = "-pk"
    page_size = 100
    page_size_query_param = "page_size"

    def get_page_size(self, request: Request) -> int:
        """Return the size that is asked for. Raises ValidationError: a shorter page would look like all there is."""
        asked = request.query_params.get(self.page_size_query_param, str(self.page_size))
        if not re.fullmatch("[0-9]{1,4}", asked) or not 1 <= int(asked) <= MOST:
            raise ValidationError({self.page_size_query_param: [f"{asked!r} is no whole number from 1 to {MOST:,}."]})
        return int(asked)


class ByPosition(Newest):
    ordering = "position"
