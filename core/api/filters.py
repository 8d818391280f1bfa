"""What an answer is narrowed down by."""

from collections.abc import Iterable

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request


def one_of(request: Request, name: str, known: Iterable[str]) -> str:
    """What is asked for under this name, "" for nothing. Raises ValidationError for what is not known.

    A misspelt value would else be answered with an empty list, which says that there is nothing.
    """
    asked = request.query_params.get(name, "")
    known = list(known)
    if asked and asked not in known:
        raise ValidationError({name: [f"{asked!r} is unknown. Known: {', '.join(known)}."]})
    return asked
