"""Redirect GET on POST-only addresses to the nearest page above.

A person can arrive there after a refusal, by reloading or by choosing another language.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import Resolver404, resolve


class NearestPageMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_person = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
        if is_person and isinstance(response, HttpResponseNotAllowed):
            return redirect(_above(request.path))
        return response


def _above(path: str) -> str:
    """Return the first existing address on the way up."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return path
