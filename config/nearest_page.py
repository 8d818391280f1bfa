"""Lead GET on POST-only addresses to the nearest page above.

A person can arrive there after a refusal, by reloading or by choosing another language.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

from core.views.errors import only_forms


class NearestPageMiddleware:
    """Redirect a browser, with the query: a list above is then as it was. Others read a page in words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "GET" or not isinstance(response, HttpResponseNotAllowed):
            return response
        above = _above(request.path)
        if "text/html" in request.headers.get("Accept", ""):
            query = request.META["QUERY_STRING"]
            return redirect(f"{above}?{query}" if query else above)
        shown = only_forms(request, above)
        shown.headers["Allow"] = response.headers["Allow"]
        return shown


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
