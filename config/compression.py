"""Middleware that compresses what is read on a page; downloads go out as they are."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED = ("text/", "application/json", "image/svg+xml")


class CompressionMiddleware(GZipMiddleware):
    """Django's compression, with its guard against BREACH: a random length of each answer.

    What streams is left out: recordings are compressed and asked for in parts, and releases are long files, on which
    the server would work for as long as it sends them. So is what is short or compressed already (an archive, a PNG).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "")
        is_compressed = kind.startswith(COMPRESSED) and not response.streaming
        return super().process_response(request, response) if is_compressed else response
