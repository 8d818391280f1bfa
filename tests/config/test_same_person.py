"""A page sends for the person it was made for."""

import pytest
from django.test import Client

from annotation.models import Rating
from tests import factories
from tests.annotation.views.rating.rating_page import page_state_of, send, signed_in


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
