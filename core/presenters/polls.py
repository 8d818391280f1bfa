"""Responses to a page that polls for progress (static/js/core/poll.js)."""

from django.http import JsonResponse


def parts(html: str) -> JsonResponse:
    """Return a rendered template; the script replaces each element that is marked `data-part` in it."""
    return JsonResponse({"html": html})


def lead_to(address: str) -> JsonResponse:
    """Tell the page to go to an address, or to load itself again: polling ends."""
    return JsonResponse({"next": address})
