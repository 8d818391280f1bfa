"""Flags over HTTP while one writes: raised beside an item, seen by researchers, answered to the author alone."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Assignment, Flag, Rewrite
from core.models import User
from tests import factories
from tests.annotation.views.rewriting.rewriting_page import (
    INSPECT,
    WRITE,
    author,
    draft,
    dream,
    form_of,
    judge,
    send,
    signed_in,
)
from tests.dialogues import QUESTION, items

__all__ = ["author", "dream", "judge"]
FLAGS, OWN = "/projects/dream/flags/", f"{WRITE}flags/"
SAID = "缺了一句"


@pytest.fixture
def client(dream, author):
    items(dream, 2)
    client = signed_in(author)
    client.get(WRITE)
    return client


@pytest.fixture
def address(client) -> str:
    return f"{WRITE}{Assignment.objects.get().pk}/flag/"


@pytest.fixture
def flag(client, address) -> Flag:
    send(client, address, {"comment": SAID, "key": str(uuid4())})
    return Flag.objects.get()


def test_an_item_is_flagged_and_stays_in_hand_as_it_is(client, address):
    answer = send(client, address, {"comment": SAID, "key": str(uuid4())})
    assert answer.json()["saved_at"]
    assert (Flag.objects.get().comment, Flag.objects.get().assignment) == (SAID, Assignment.objects.get())
    assert (Rewrite.objects.get().revision, Assignment.objects.get().state) == (0, "held")


def test_what_is_sent_twice_is_one_flag(client, address):
    body = {"comment": SAID, "key": str(uuid4())}
    assert [send(client, address, body).status_code for _time in range(2)] == [200, 200]
    assert Flag.objects.count() == 1


@pytest.mark.parametrize("body", ["no json", {"comment": SAID}, {"comment": SAID, "key": "?"}])
def test_what_cannot_be_read_is_no_comment(client, address, body):
    assert send(client, address, body).status_code == 400
    assert not Flag.objects.exists()


def test_the_plain_form_flags_once_and_keeps_what_was_typed(client, address):
    sent = {**form_of(draft(candidates=["Not saved yet.", "", "", ""])), "comment": SAID, "key": str(uuid4())}
    for _time in range(2):  # the page is loaded again
        page = client.post(address, sent).content.decode()
        assert "Your flag has arrived." in page
        assert "Not saved yet." in page
    assert Flag.objects.get().comment == SAID
    assert Rewrite.objects.get().revision == 0


def test_a_comment_that_is_too_long_is_refused_with_the_text_kept(client, address):
    sent = {**form_of(draft(candidates=["Not saved yet.", "", "", ""])), "comment": "x" * 1001}
    answer = client.post(address, sent)
    assert answer.status_code == 409
    assert "Not saved yet." in answer.content.decode()
    assert not Flag.objects.exists()


def test_nobody_flags_on_the_assignment_of_another(address, dream, judge):
    other = signed_in(factories.person("bo", project=dream))
    assert send(other, address, {"comment": SAID, "key": str(uuid4())}).status_code == 404
    assert send(signed_in(judge), address, {"comment": SAID, "key": str(uuid4())}).status_code == 403
    assert not Flag.objects.exists()


def test_neither_another_author_nor_an_inspector_learns_of_a_flag(flag, dream, judge):
    other, inspector = signed_in(factories.person("bo", project=dream)), signed_in(judge)
    assert all(SAID not in other.get(page).content.decode() for page in (WRITE, OWN))
    assert SAID not in inspector.get(INSPECT).content.decode()
    assert [each.get(FLAGS).status_code for each in (other, inspector)] == [403, 403]


def test_a_researcher_sees_the_item_and_the_words_and_the_author_reads_the_note(flag, client, researcher: User):
    staff = signed_in(researcher)
    page = staff.get(FLAGS).content.decode()
    assert all(said in page for said in (SAID, QUESTION, "Number 1.", "Items that authors want looked at."))
    assert "One flag is open" in staff.get("/").content.decode()
    assert "waiting for a researcher" in client.get(OWN).content.decode()
    path = reverse("resolve_flag", args=["dream", flag.pk])
    staff.post(path, {f"{flag.pk}-note": "The line is back."})
    assert "The line is back." in client.get(OWN).content.decode()
    assert "One flag is open" not in staff.get("/").content.decode()


def test_the_pages_of_flags_cost_the_same_with_many(client, flag, researcher):
    staff = signed_in(researcher)
    before = [queries_of(client, OWN), queries_of(staff, FLAGS)]
    Flag.objects.bulk_create(Flag(assignment=flag.assignment, comment=f"{number}") for number in range(40))
    assert [queries_of(client, OWN), queries_of(staff, FLAGS)] == before


def queries_of(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
        return len(captured)


def test_an_author_without_flags_is_told_how_one_is_made(client):
    assert "You have not flagged any item." in client.get(OWN).content.decode()
