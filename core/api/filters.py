"""Filters of the API's query parameters."""

from collections.abc import Iterable

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request


def one_of(request: Request, name: str, known: Iterable[str]) -> str:
    """Return the value of a query parameter, "" when it is absent. Raises ValidationError for an unknown value.

    An unknown value is refused because an empty list would suggest that there are no rows.
    """
    asked = request.query_params.get(name, "")
    known = list(known)
    if asked and asked not in known:
        raise ValidationError({name: [f"{asked!r} is unknown. Known: {', '.join(known)}."]})
    return asked
