"""Answers to a page that asks again and again how far something is (static/js/core/poll.js)."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string


def parts(request: HttpRequest, template: str, context: dict[str, Any]) -> JsonResponse:
    """Return the rendered template; the script replaces each element that is marked `data-part` in it."""
    return JsonResponse({"html": render_to_string(template, context, request)})


def lead_to(address: str) -> JsonResponse:
    """Send the page to another one, or to itself to load again: there is nothing more to ask for."""
    return JsonResponse({"next": address})
