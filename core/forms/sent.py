"""Data that a page sends: a form, or JSON from its script."""

import json
from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.functional import Promise

from core.actions.refusals import Refused


class Malformed(Refused):
    """Refusal of what a page sent, before any action."""


def is_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"


def texts_of(sent: object) -> dict[str, Any]:
    """Return the fields of a JSON object whose values are all texts; an empty mapping for any other JSON."""
    return sent if isinstance(sent, dict) and all(isinstance(value, str) for value in sent.values()) else {}


def fields_sent(request: HttpRequest, fields_of: Callable[[Any], dict[str, Any]] = texts_of) -> dict[str, Any]:
    """Return the fields for a form; for JSON those that `fields_of` finds in it.

    For JSON that cannot be read it is `fields_of(None)`, which the form then refuses.
    """
    if not is_json(request):
        return request.POST.dict()
    try:
        return fields_of(json.loads(request.body))
    except (ValueError, RecursionError):
        return fields_of(None)


def checked(form: forms.Form, message: str | Promise = "") -> dict[str, Any]:
    """Return the values of a form. Raises Malformed with this message, else with the form's first error."""
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise Malformed("malformed", message or str(errors[0]), field=field)
    return form.cleaned_data
