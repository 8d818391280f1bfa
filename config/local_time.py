"""Time zone of pages: the person's own, which the browser sends in a cookie (static/js/core/page.js).

Storage, exports and the API stay in UTC.
"""

from collections.abc import Callable
from contextlib import nullcontext
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class LocalTimeMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = None if request.path.startswith("/api/") else _zone(request.COOKIES.get("timezone", ""))
        with timezone.override(zone) if zone else nullcontext():
            return self.get_response(request)


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a cookie can hold anything, even the name of a folder
        return None
