"""Flags over HTTP: raised beside a pair, listed for researchers alone, resolved with a note."""

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from annotation.models import Flag, Item, Rating
from tests import factories
from tests.annotation.views.rating.rating_page import PAGE, first_assignment, page_state_of, send, signed_in

FLAGS = "/projects/weibo/flags/"


@pytest.fixture(autouse=True)
def pairs(project) -> list[Item]:
    return factories.pairs(project, 3)


@pytest.fixture
def flag(annotator) -> Flag:
    client = signed_in(annotator)
    send(client, first_assignment(client), "flag", comment="缺了半句")
    return Flag.objects.get()


def test_a_flag_is_stored_and_the_pair_stays_in_hand(annotator):
    client = signed_in(annotator)
    assignment = first_assignment(client)
    answer = send(client, assignment, "flag", comment="缺了半句")
    assert answer.status_code == 200
    assert answer.json()["saved_at"]
    assert answer.json()["pairs"][0]["assignment"] == assignment
    assert (Flag.objects.get().comment, Rating.objects.count()) == ("缺了半句", 0)


def test_what_is_sent_twice_is_one_flag(annotator):
    client = signed_in(annotator)
    assignment, key = first_assignment(client), str(uuid4())
    assert [send(client, assignment, "flag", comment="?", key=key).status_code for _ in range(2)] == [200, 200]
    assert Flag.objects.count() == 1


@pytest.mark.parametrize("comment", [7, None, ["?"]])
def test_what_is_no_text_is_refused_and_not_taken_for_a_flag_without_words(annotator, comment):
    client = signed_in(annotator)
    assert send(client, first_assignment(client), "flag", comment=comment).status_code == 400
    assert not Flag.objects.exists()


def test_the_plain_form_flags_too(annotator, pairs):
    client = signed_in(annotator)
    answer = client.post(f"{PAGE}{first_assignment(client)}/flag/", {"comment": "缺了半句"}, follow=True)
    assert Flag.objects.get().comment == "缺了半句"
    assert pairs[0].content["response"] in answer.content.decode()


def test_nobody_flags_on_somebody_elses_assignment(annotator, partner):
    assignment = first_assignment(signed_in(annotator))
    assert send(signed_in(partner), assignment, "flag", comment="?").status_code == 404
    assert not Flag.objects.exists()


def test_a_partner_learns_nothing_of_a_flag(flag, partner):
    client = signed_in(partner)
    assert "缺了半句" not in client.get(PAGE).content.decode() + json.dumps(page_state_of(client))
    assert client.get(FLAGS).status_code == 403


def test_researchers_see_the_pair_the_words_and_the_person(flag, pairs, researcher):
    page = signed_in(researcher).get(FLAGS).content.decode()
    for said in ("缺了半句", "An", pairs[0].content["prompt"], pairs[0].content["response"], pairs[0].key):
        assert said in page


def test_a_flag_is_resolved_with_a_note(flag, researcher):
    client = signed_in(researcher)
    path = reverse("resolve_flag", args=["weibo", flag.pk])
    refused = client.post(path, {f"{flag.pk}-note": ""})
    assert refused.status_code == 422
    assert "Describe the outcome" in refused.content.decode()
    done = client.post(path, {f"{flag.pk}-note": "It stays."}, follow=True).content.decode()
    assert "Resolved." in done
    assert "No flag is open." in done
    assert "It stays." in client.get(FLAGS, {"state": "resolved"}).content.decode()


def test_without_a_flag_the_page_says_how_one_is_made(researcher):
    assert "No one has flagged a pair." in signed_in(researcher).get(FLAGS).content.decode()


def test_a_flag_of_another_project_is_not_there(flag, researcher):
    factories.another_project("tieba", researcher)
    path = reverse("resolve_flag", args=["tieba", flag.pk])
    assert signed_in(researcher).post(path, {f"{flag.pk}-note": "?"}).status_code == 404
