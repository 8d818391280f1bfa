"""Requests of the API: who may send them, which values their parameters have, which page of rows they ask for."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from core.models import User
from core.permissions import may

Row = TypeVar("Row", bound=Model)


class ApiRequest(Request):
    """The request that a view behind `MayReadApi` gets: its person is signed in."""

    user: User


class MayReadApi(BasePermission):
    """Permission to use the API and, if the view has a `permission`, the page that shows or does the same."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return may(request.user, "api.read") and may(request.user, getattr(view, "permission", "api.read"))


def one_of(request: Request, name: str, known: Iterable[str]) -> str:
    """Return the value of a query parameter, "" when it is absent. Raises ValidationError for an unknown value.

    An unknown value is refused because an empty list would suggest that there are no rows.
    """
    asked = request.query_params.get(name, "")
    known = list(known)
    if asked and asked not in known:
        raise ValidationError({name: [f"{asked!r} is unknown. Known: {', '.join(known)}."]})
    return asked


def page_of(rows: QuerySet[Row], view: GenericAPIView[Any]) -> list[Row]:
    """Return the page of `rows` that is asked for; they may be of another model than the view."""
    return view.paginate_queryset(rows) or []
