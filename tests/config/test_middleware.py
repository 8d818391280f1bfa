"""Time zone of a page, told by a cookie; what a page sends for another person than the one who is signed in."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from annotation.models import Rating
from config.middleware import LocalTimeMiddleware
from core.models import User
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


# ---- session and person in one statement ----------------------------------------------------------------------------
def asked(client: Client, person: User) -> tuple[int, int]:
    """Return the status of the second of two requests for a person's page, and how many statements asked who it is."""
    seen: list[str] = []

    def note(execute: Any, sql: str, *arguments: Any) -> Any:
        seen.append(sql)
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        answer = client.post("/nowhere/", headers={"x-person": str(person.pk), "accept": "application/json"})
        status = client.get("/account/", headers={"x-person": str(person.pk)}).status_code
    assert answer.status_code in (403, 404)
    return status, sum("django_session" in sql or 'FROM "core_user"' in sql for sql in seen)


@pytest.mark.every_database
def test_session_and_person_come_in_one_statement(annotator):
    assert asked(signed_in(annotator), annotator) == (200, 2)


def _end_session(client: Client, person: User) -> None:
    Session.objects.all().delete()


def _expire_session(client: Client, person: User) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def _change_password(client: Client, person: User) -> None:
    person.set_password("another long one")
    person.save()


def _deactivate(client: Client, person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_active=False)


def _forge(client: Client, person: User) -> None:
    """Put data into the session that no one has signed."""
    Session.objects.update(session_data=b64encode(b'{"_auth_user_id": "1"}').decode())


def _sign_out(client: Client, person: User) -> None:
    client.cookies.clear()


@pytest.mark.every_database
@pytest.mark.parametrize("end", [_end_session, _expire_session, _change_password, _deactivate, _forge, _sign_out])
def test_whoever_the_page_names_the_session_decides(end, annotator):
    client = signed_in(annotator)
    end(client, annotator)
    assert asked(client, annotator)[0] == 302


@pytest.mark.parametrize("named", ["", "0", "-1", "x", "9" * 18, "9" * 40, "٣", "1 OR 1=1"])
def test_a_page_that_names_no_person_there_is_is_nobodys(named, annotator):
    answer = signed_in(annotator).get("/account/", headers={"x-person": named})
    assert answer.status_code == (403 if named else 200)
