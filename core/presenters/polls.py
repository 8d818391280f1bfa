"""Responses to a page that polls for progress (static/js/core/poll.js)."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string


def parts(request: HttpRequest, template: str, context: dict[str, Any]) -> JsonResponse:
    """Return the rendered template; the script replaces each element that is marked `data-part` in it."""
    return JsonResponse({"html": render_to_string(template, context, request)})


def lead_to(address: str) -> JsonResponse:
    """Tell the page to go to an address, or to load itself again: polling ends."""
    return JsonResponse({"next": address})
