"""Refusals of the rating page, in words; its access; and nothing of the partner."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Item, Project, Rating, Step
from core.models import Role, User
from tests import factories
from tests.annotation.views.rating.rating_page import PAGE, expire_all, first_assignment, send, signed_in


@pytest.fixture(autouse=True)
def pairs(project: Project) -> list[Item]:
    return factories.pairs(project, 12)


@pytest.fixture
def rating_client(annotator: User) -> Client:
    return signed_in(annotator)


# ---- blind ----------------------------------------------------------------------------------------------------------
def test_a_page_and_its_answers_are_the_same_whatever_the_partner_did(rating_client, annotator, partner, project):
    def seen() -> list[str]:
        page = rating_client.get(PAGE).content.decode()
        more = rating_client.post(PAGE + "next/", "{}", content_type="application/json").content.decode()
        return [re.sub(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")\w+', "", text) for text in (page, more)]

    factories.grade_next(project, annotator, 4)
    before = seen()
    factories.grade_next(project, partner, 1, 5, 2)
    assert seen() == before


# ---- refusals -------------------------------------------------------------------------------------------------------
def test_the_second_grade_of_one_pair_is_refused(rating_client):
    assignment = first_assignment(rating_client)
    send(rating_client, assignment, grade=4, key=str(uuid4()))
    answer = send(rating_client, assignment, grade=5, reason="interesting", key=str(uuid4()))
    assert (answer.status_code, answer.json()["code"]) == (409, "already_rated")
    assert "graded this pair already" in answer.json()["message"]
    assert Rating.objects.get().grade == 4


def test_a_grade_after_the_slot_went_to_others_is_refused_and_told(rating_client, partner, newcomer, project):
    assignment = first_assignment(rating_client)
    expire_all()
    for other in (partner, newcomer):
        assignments.claim(project=project, step=Step.RATE, count=12, by=other)
    answer = send(rating_client, assignment, grade=4)
    assert (answer.status_code, answer.json()["code"]) == (409, "slot_taken")
    assert "Your grade was 4" in answer.json()["message"]
    assert Assignment.objects.get(pk=assignment).draft == {"grade": 4, "reason": ""}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"grade": 6}, "grade_outside"),
        ({"grade": 0}, "grade_outside"),
        ({"grade": 5}, "reason_missing"),
        ({"grade": 5, "reason": ""}, "reason_missing"),
        ({"grade": 5, "reason": "versatile"}, "reason_wrong"),
        ({"grade": 4, "reason": "versatile"}, "reason_wrong"),
    ],
)
def test_a_grade_or_reason_that_does_not_exist_is_refused(rating_client, body, code):
    answer = send(rating_client, first_assignment(rating_client), **body)
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"4",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"grade": "four"}',
        b'{"grade": true}',
        b'{"grade": 3.5}',
        b'{"grade": 1e999}',
        b'{"grade": ' + b"9" * 5000 + b"}",
        b'{"grade": 4, "key": "k"}',
        b'{"grade": 4, "milliseconds": -1}',
        b'{"grade": 4, "milliseconds": 99999999999}',
        b'{"grade": 4, "reason": "\\u0000"}',
        b'{"grade": 4, "reason": {"a": "a long reason that nobody wrote"}}',
    ],
)
def test_what_cannot_be_read_is_refused_in_words(rating_client, body):
    assignment = first_assignment(rating_client)
    answer = rating_client.post(f"{PAGE}{assignment}/grade/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert "Reload the page" in answer.json()["message"]
    assert not Rating.objects.exists()


@pytest.mark.parametrize("act", ["grade", "change"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"grade": "5"},
        {"grade": 2.0},
        {"grade": True},
        {"grade": None},
        {"milliseconds": "9"},
        {"milliseconds": None},
        {"key": None},
        {"key": ""},
        {"key": "k"},
        {"key": 7},
        {"reason": None},
    ],
)
def test_json_has_whole_numbers_and_a_key(wrong, act, rating_client, annotator, project):
    [graded] = factories.grade_next(project, annotator, 4)
    assignment = graded.pk if act == "change" else first_assignment(rating_client)
    answer = send(rating_client, assignment, act, **{"grade": 4, "reason": "", **wrong})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert Rating.objects.count() == 1


def test_json_without_a_key_is_refused(rating_client):
    assignment = first_assignment(rating_client)
    for act, body in (("grade", '{"grade": 4}'), ("skip", '{"reason": "other"}')):
        answer = rating_client.post(f"{PAGE}{assignment}/{act}/", body, content_type="application/json")
        assert answer.status_code == 400
    assert Assignment.objects.get(pk=assignment).state == AssignmentState.HELD


def test_a_refused_change_by_plain_form_is_told_on_the_next_page_and_nowhere_else(rating_client, annotator, project):
    [graded] = factories.grade_next(project, annotator, 4)
    answer = rating_client.post(f"{PAGE}{graded.pk}/change/", {"grade": "3"}, follow=True)
    assert "grade 3 needs a reason" in answer.content.decode()
    assert "needs a reason" not in rating_client.get("/").content.decode()


@pytest.mark.parametrize("act", ["grade", "change", "skip"])
def test_nobody_works_on_another_persons_assignment(act, annotator, partner):
    theirs = first_assignment(signed_in(partner))
    assert send(signed_in(annotator), theirs, act, grade=4, reason="other").status_code == 404
    assert Assignment.objects.get(pk=theirs).state == AssignmentState.HELD


@pytest.mark.parametrize("act", ["grade", "change", "skip"])
def test_an_assignment_is_found_in_its_own_project_alone(act, rating_client, annotator, researcher):
    other = projects.create(slug="other", kind="rating", by=researcher)
    projects.add_member(project=other, person=annotator, role=Role.ANNOTATOR, by=researcher)
    assignment = first_assignment(rating_client)
    address = reverse("change_grade" if act == "change" else act, args=["other", assignment])
    assert rating_client.post(address, {"grade": 4, "reason": "other"}).status_code == 404


def test_a_project_is_closed_to_those_who_do_not_belong_to_it(outsider):
    client = signed_in(outsider)
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE + "next/").status_code == 404


@pytest.mark.parametrize("role", [Role.INSPECTOR, Role.EXPERT, Role.RESEARCHER, Role.ADMINISTRATOR])
def test_only_annotators_rate(role, project):
    assert signed_in(factories.person("somebody", role, project=project)).get(PAGE).status_code == 403
