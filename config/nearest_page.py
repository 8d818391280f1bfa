"""Addresses that only take what a form sends have no page. Whoever asks for one stands there after a refusal, and has
reloaded or chosen another language: they are led to the page above it."""

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
    """The first address on the way up that is one of ours."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return path
