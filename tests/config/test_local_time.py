"""The person's time zone, told by a cookie."""

from datetime import UTC, datetime

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from config.local_time import LocalTimeMiddleware

NOON = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)


def hour_of_noon(request: HttpRequest) -> HttpResponse:
    return HttpResponse(timezone.localtime(NOON).hour)


def hour(cookie: str, path: str = "/") -> str:
    request = RequestFactory().get(path)
    request.COOKIES["timezone"] = cookie
    return LocalTimeMiddleware(hour_of_noon)(request).content.decode()


def test_a_page_is_in_the_time_of_whoever_reads_it():
    assert hour("Asia/Shanghai") == "20"
    assert hour("America/Los_Angeles") == "4"


@pytest.mark.parametrize(
    "nonsense", ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "Asia", "a\x00b", "x" * 5000]
)
def test_a_zone_that_there_is_not_is_utc(nonsense):
    assert hour(nonsense) == "12"


def test_the_api_is_always_in_utc():
    assert hour("Asia/Shanghai", "/api/v1/projects/") == "12"


def test_the_next_request_is_not_in_this_ones_time():
    hour("Asia/Shanghai")
    assert hour("") == "12"
