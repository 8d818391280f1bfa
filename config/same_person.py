"""Refuse what a page sends when another person is now signed in in the same browser."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

HEADER = "X-Person"  # the key of the page's person, sent by static/js/core/outbox.js


class SamePersonMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        meant = request.headers.get(HEADER)
        if meant and request.user.is_authenticated and meant != str(request.user.pk):
            message = _("Not saved: this page belongs to somebody who is not signed in any more.")
            return JsonResponse({"code": "other_person", "message": message}, status=403)
        return self.get_response(request)
