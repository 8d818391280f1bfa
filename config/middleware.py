"""Middleware of the product: caches, the language and time zone of a page, and the person that a page belongs to."""

from collections.abc import Callable
from contextlib import nullcontext
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

PERSON_HEADER = "X-Person"  # the key of the page's person, sent by static/js/core/outbox.js


class NoStoreMiddleware:
    """Keep pages, data and downloads out of every cache: of a shared computer, of a proxy, of the button Back.

    A page from a cache would also offer work that is done. A view that sets the header itself keeps its own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class LanguageMiddleware:
    """Choose the language of a page: the person's own choice, else the cookie, else the browser's preference."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        own = getattr(request.user, "language", "")
        with translation.override(own or translation.get_language_from_request(request)):
            request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
            patch_vary_headers(response, ("Accept-Language",))
        return response


class LocalTimeMiddleware:
    """Show times in the person's own zone, which the browser sends in a cookie (static/js/core/page.js).

    Storage, exports and the API stay in UTC.
    """

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


class SamePersonMiddleware:
    """Refuse what a page sends when another person is now signed in in the same browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        meant = request.headers.get(PERSON_HEADER)
        if meant and request.user.is_authenticated and meant != str(request.user.pk):
            message = _("Not saved: this page belongs to a person who is no longer signed in.")
            return JsonResponse({"code": "other_person", "message": message}, status=403)
        return self.get_response(request)
