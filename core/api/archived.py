"""The filter `archived` of the API's lists of what can be archived."""

from typing import TypeVar

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.viewsets import GenericViewSet

from core.api.requests import one_of
from core.models.archived import ArchivableModel

Row = TypeVar("Row", bound=ArchivableModel)
ALSO, ONLY = "also", "only"
ARCHIVED = OpenApiParameter(
    "archived", str, enum=[ALSO, ONLY], description="Lists what is archived, too, or nothing else."
)


def as_asked(rows: QuerySet[Row], view: GenericViewSet[Row]) -> QuerySet[Row]:
    """Return the rows that a list shows: those in use, or as its parameter `archived` asks. One row is always found."""
    if view.action != "list":
        return rows
    asked = one_of(view.request, "archived", (ALSO, ONLY))
    if asked == ALSO:
        return rows
    return rows.exclude(archived_at=None) if asked == ONLY else rows.filter(archived_at=None)
