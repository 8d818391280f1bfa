"""What is compressed on its way to the browser."""

import gzip

import pytest
from django.http import FileResponse, HttpResponse, JsonResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from config.compression import CompressionMiddleware

LONG = "a line of a page " * 100


def sent(response, accepted: str = "gzip, br"):
    request = RequestFactory().get("/", headers={"accept-encoding": accepted})
    return CompressionMiddleware(lambda _request: response)(request)


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(LONG),
        JsonResponse({"said": LONG}),
        HttpResponse(LONG, content_type="text/csv; charset=utf-8"),
        HttpResponse(LONG, content_type="image/svg+xml"),
    ],
)
def test_what_is_read_on_a_page_is_compressed(response):
    whole = response.content
    answer = sent(response)
    assert answer["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer["Vary"]
    assert gzip.decompress(answer.content) == whole
    assert len(answer.content) < len(whole)


@pytest.mark.parametrize(
    "response",
    [
        lambda: StreamingHttpResponse([LONG.encode()], content_type="application/json"),
        lambda: FileResponse([LONG.encode()], content_type="application/zip"),
        lambda: HttpResponse(LONG, content_type="image/png"),
        lambda: HttpResponse("saved"),
    ],
    ids=["a streamed export", "an archive", "a picture", "a short answer"],
)
def test_downloads_and_short_answers_go_out_as_they_are(response):
    assert "Content-Encoding" not in sent(response())


def test_a_browser_that_takes_none_gets_none():
    assert "Content-Encoding" not in sent(HttpResponse(LONG), accepted="identity")


def test_one_page_has_a_different_length_each_time():
    """The guard against BREACH: the length of a page tells nothing of what stands in it."""
    assert len({len(sent(HttpResponse(LONG)).content) for _time in range(50)}) > 10


def test_the_pages_of_the_product_are_compressed(db):
    answer = Client(headers={"accept-encoding": "gzip"}).get("/signin/")
    assert answer["Content-Encoding"] == "gzip"
    assert b"<!doctype html>" in gzip.decompress(answer.content)
