"""Middleware of the product: caches, the language and time zone of a page, and the person that a page belongs to."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.contrib.sessions.backends.base import SessionBase
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from core.models import User
from core.models.sql import Columns, rows_of

PERSON = Columns(person=User)
LONGEST_KEY = 19  # digits; a longer one is no key of the database
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


class PersonMiddleware(AuthenticationMiddleware):
    """Load session and person in one statement where a script says whose page it is. The session alone decides who is
    signed in; whatever is not as usual Django finds out in its own way.
    """

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: _meant_person(request) or get_user(request))  # type: ignore[assignment]


def _meant_person(request: HttpRequest) -> User | None:
    """Return the person that the page belongs to, if the session says that they are signed in."""
    session, meant = request.session, request.headers.get(PERSON_HEADER, "")
    if not (session.session_key and meant.isascii() and meant.isdigit() and len(meant) < LONGEST_KEY):
        return None
    found = rows_of(
        f"SELECT session_data, {PERSON} FROM django_session JOIN core_user person ON person.id = %s "  # noqa: S608
        "WHERE session_key = %s AND expire_date > %s",
        [int(meant), session.session_key, connection.ops.adapt_datetimefield_value(timezone.now())],
    )
    for data, *row in found:
        session._session_cache = session.decode(data)  # type: ignore[attr-defined]  # set where Django has loaded it
        [person] = PERSON.read(row)
        if _is_signed_in(session, person):
            return cast(User, person)
    return None


def _is_signed_in(session: SessionBase, person: User) -> bool:
    """Tell whether the session is this person's, of an active account with the present password."""
    is_theirs = session.get(SESSION_KEY) == str(person.pk) and person.is_active
    is_known = session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    stored = str(session.get(HASH_SESSION_KEY))
    return is_theirs and is_known and constant_time_compare(stored, person.get_session_auth_hash())


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
            message = _("Not saved: this page belongs to someone who is no longer signed in.")
            return JsonResponse({"code": "other_person", "message": message}, status=403)
        return self.get_response(request)
