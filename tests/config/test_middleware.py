"""Time zone of a page, told by a cookie; what a page sends for another person than the one who is signed in."""

from datetime import UTC, datetime

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from annotation.models import Rating
from config.middleware import LocalTimeMiddleware
from tests import factories
from tests.annotation.views.rating.rating_page import page_state_of, send, signed_in

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


def test_what_a_page_sends_for_another_person_is_refused_and_stored_for_nobody(project, annotator, partner):
    factories.pairs(project, 2)
    client = signed_in(partner)
    assignment = page_state_of(client)["pairs"][0]["assignment"]
    client.defaults["HTTP_X_PERSON"] = str(annotator.pk)
    answer = send(client, assignment, grade=4)
    assert (answer.status_code, answer.json()["code"]) == (403, "other_person")
    assert not Rating.objects.exists()
    client.defaults["HTTP_X_PERSON"] = str(partner.pk)
    assert send(client, assignment, grade=4).status_code == 200


@pytest.mark.django_db
def test_whoever_is_signed_out_is_asked_to_sign_in(project, annotator):
    answer = Client().post("/projects/weibo/rate/next/", headers={"X-Person": str(annotator.pk)})
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/signin/")
