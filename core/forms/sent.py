"""What a page sends: a form, or JSON where its script does it."""

import json
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest


def is_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"


def texts_of(sent: object) -> dict[str, Any]:
    """The fields of JSON whose every value is a text; none of any other."""
    return sent if isinstance(sent, dict) and all(isinstance(value, str) for value in sent.values()) else {}


def fields_sent(request: HttpRequest, fields_of: Callable[[Any], dict[str, Any]] = texts_of) -> dict[str, Any]:
    """The fields for a form, of JSON those that `fields_of` finds in it; what it makes of nothing when that cannot be
    read, which the form then says."""
    if not is_json(request):
        return request.POST.dict()
    try:
        return fields_of(json.loads(request.body))
    except (ValueError, RecursionError):
        return fields_of(None)
