"""Refusals in the answer to a request."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from core.actions.refusals import Refused
from core.forms.sent import Malformed


def status_of(refused: Refused | None) -> int:
    """Return the status of an answer: 400 for what cannot be read, 409 for what an action refused, else 200."""
    if refused is None:
        return 200
    return 400 if isinstance(refused, Malformed) else 409


@contextmanager
def refusals_shown(request: HttpRequest) -> Iterator[None]:
    """Show a refusal as a message on the next page."""
    try:
        yield
    except Refused as refused:
        messages.error(request, str(refused))
