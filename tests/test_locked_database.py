"""A database that cannot be written for a while: pages say so, and what is sent again is stored once."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client

from annotation.models import Assignment, Rating, Rewrite
from study.models import Answer
from tests import factories, rewriting
from tests.annotation.views.rating.rating_page import PAGE, first_assignment
from tests.annotation.views.rewriting.rewriting_page import WRITE, draft
from tests.dialogues import rewriting_project
from tests.study import study_cases
from tests.study.test_blind_survey import begin

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]


@contextmanager
def locked() -> Iterator[None]:
    """Refuse every statement that writes, as a database does that another program keeps locked for too long."""

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            raise OperationalError("database is locked")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


@contextmanager
def away() -> Iterator[None]:
    """Refuse every statement, as when the database's server is started again."""

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        raise OperationalError("server closed the connection unexpectedly")

    with connection.execute_wrapper(refuse):
        yield


def send_twice(client: Client, address: str, sent: dict[str, Any], **options: Any) -> tuple[HttpResponse, HttpResponse]:
    """Return the answers to a request while the database is locked and to the same one afterwards."""
    client.raise_request_exception = False
    body = {"data": sent, **options}
    with locked():
        refused = client.post(address, **body)
    return refused, client.post(address, **body)


@pytest.fixture
def rating(project, annotator) -> tuple[Client, str, dict[str, Any]]:
    factories.pairs(project, 3)
    client = Client()
    client.force_login(annotator)
    return client, f"{PAGE}{first_assignment(client)}/grade/", {"grade": 4, "milliseconds": 900}


@pytest.fixture
def writing(researcher) -> tuple[Client, str, dict[str, Any]]:
    dream, client = rewriting_project(researcher), Client()
    rewriting.items(dream, 1)
    client.force_login(factories.person("lin", project=dream))
    client.get(WRITE)
    return client, f"{WRITE}{Assignment.objects.get().pk}/save/", draft()


@pytest.fixture
def survey(researcher) -> tuple[Client, str, dict[str, Any]]:
    client, link, person = begin(study_cases.study("spring", by=researcher, language="zh-hans"))
    first, second, *_others = person.presentations.get(position=1).tokens
    return client, f"{link}questions/1/answer/", {"first": first, "second": second, "milliseconds": 900}


@pytest.mark.parametrize(("page", "stored"), [("rating", Rating), ("writing", Rewrite), ("survey", Answer)])
def test_what_a_script_sends_is_refused_for_a_minute_and_stored_once_when_sent_again(page, stored, request):
    client, address, sent = request.getfixturevalue(page)
    body = json.dumps({**sent, "key": str(uuid4())})
    refused, taken = send_twice(client, address, body, content_type="application/json")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "60")
    assert refused.json()["code"] == "storage_trouble"
    assert taken.status_code == 200
    assert stored.objects.count() == 1


@pytest.mark.parametrize(("page", "stored"), [("rating", Rating), ("survey", Answer)])
def test_without_a_script_the_page_says_to_reload_which_sends_it_again(page, stored, request):
    client, address, sent = request.getfixturevalue(page)
    refused, taken = send_twice(client, address, sent)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "60")
    assert refused.headers["Content-Type"].startswith("text/html")
    assert 'href="/"' not in refused.content.decode().partition("<main")[2]
    assert (taken.status_code, stored.objects.count()) == (302, 1)


def test_while_the_database_is_away_a_participant_loses_nothing(survey):
    client, address, sent = survey
    client.raise_request_exception = False
    body = {"data": json.dumps({**sent, "key": str(uuid4())}), "content_type": "application/json"}
    page = address.removesuffix("answer/")
    with away():
        answers = [client.post(address, **body), client.get(page), client.post(address, **body)]
    assert [each.status_code for each in answers] == [503] * 3
    assert not Answer.objects.exists()
    assert [client.post(address, **body).status_code for _time in range(2)] == [200, 200]
    assert Answer.objects.count() == 1
    assert client.get(page).status_code == 200


def test_a_participant_is_told_in_the_language_of_the_study(survey):
    refused, _taken = send_twice(*survey)
    assert 'lang="zh-Hans"' in refused.content.decode()


@pytest.mark.django_db(transaction=True)  # the refused statement would break a transaction around the test
def test_signing_out_says_that_one_is_still_signed_in_and_works_when_sent_again(annotator):
    client = Client()
    client.force_login(annotator)
    client.raise_request_exception = False
    with locked():
        refused = client.post("/signout/")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "60")
    assert "You are not signed out yet." in refused.content.decode()
    assert client.get("/").status_code == 200
    assert client.post("/signout/").status_code == 302
    assert client.get("/").status_code == 302
