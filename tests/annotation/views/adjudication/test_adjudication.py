"""The adjudication page: what it shows, what it hides, how it responds."""

import json
import re

import pytest
from django.test import Client

from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.models import Adjudication, Assignment, Step
from core.models import Role
from tests import factories
from tests.annotation.actions.queue.assigned_work import state

PAGE = "/projects/weibo/adjudicate/"


@pytest.fixture
def disputed(project, annotator, partner, researcher):
    items = factories.pairs(project, 3)
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=researcher)
    factories.grade_next(project, annotator, 1, 1)
    factories.grade_next(project, partner, 5, 5)
    return items[0]


@pytest.fixture
def third(inspector) -> Client:
    client = Client()
    client.force_login(inspector)
    return client


def assignment_of(client: Client) -> int:
    client.get(PAGE)
    held = Assignment.objects.filter(slot__queue__step=Step.ADJUDICATE, state="held")
    return held.order_by("pk")[0].pk


def send(client: Client, act: str = "decide", **body: str):
    path = f"{PAGE}{assignment_of(client)}/{act}/"
    return client.post(path, json.dumps(body), content_type="application/json")


def test_the_page_shows_the_pair_and_the_same_whatever_was_graded_by_whom(third, disputed, annotator, newcomer):
    before = shown(third)
    assert disputed.content["response"] in before
    assert "2 are waiting" in before
    own = Assignment.objects.get(person=annotator, slot__item=disputed)
    ratings.change(assignment=own, grade=2, reason="echoing", by=annotator)
    assert shown(third) == before
    Assignment.objects.filter(pk=own.pk).update(person=newcomer)
    assert shown(third) == before


def shown(client: Client) -> str:
    """Return the page without the parts that are random in every response."""
    return re.sub(r'nonce="[^"]*"|[A-Za-z0-9]{64}', "", client.get(PAGE).content.decode())


def test_a_grade_with_its_reason_decides(third, disputed):
    answer = send(third, grade="3", reason="versatile").json()
    assert [(each["grade"], each["reason"], each["remove"]) for each in answer["past"]] == [("3", "versatile", "")]
    assert (len(answer["pairs"]), answer["left"]) == (1, 1)
    assert state(disputed) == "kept"
    assert Adjudication.objects.get().grade == 3


def test_a_removal_decides(third, disputed):
    assert send(third, remove="ambiguous").status_code == 200
    assert state(disputed) == "removed"


def test_the_plain_form_works_too_and_says_what_is_missing(third, disputed):
    assignment = assignment_of(third)
    answer = third.post(f"{PAGE}{assignment}/decide/", {"reason": ""}, follow=True)
    assert "Choose a grade first, or remove the pair with a reason." in answer.content.decode()
    third.post(f"{PAGE}{assignment}/decide/", {"grade": "4"})
    assert state(disputed) == "kept"


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"grade": "9", "reason": ""}, 409, "9 is not on the scale 1..5"),
        ({"grade": "3", "reason": "echoing"}, 409, "does not belong to grade 3"),
        ({"grade": "x"}, 400, "whole number"),
        ({"remove": "boring"}, 409, "Choose one of the reasons shown."),
    ],
)
def test_what_cannot_be_stored_is_answered_with_what_to_do(third, disputed, body, status, says):
    answer = send(third, **body)
    assert answer.status_code == status
    assert says in answer.json()["message"]
    assert state(disputed) == "disputed"


def test_a_skip_brings_the_next_pair(third, disputed):
    first = assignment_of(third)
    assert send(third, "skip", reason="unclear").status_code == 200
    assert assignment_of(third) != first


def test_the_script_is_sent_what_is_held_and_what_can_be_taken_back(third, disputed):
    skipped = send(third, "skip", reason="unclear").json()
    assert [each["skipped"] for each in skipped["past"]] == ["unclear"]
    address = f"{PAGE}{skipped['assignment']}/undo-skip/"
    again = third.post(address, "{}", content_type="application/json").json()
    assert (again["past"], again["left"]) == ([], 2)
    assert sorted(each["assignment"] for each in again["pairs"]) == sorted(
        Assignment.objects.filter(slot__queue__step=Step.ADJUDICATE, state="held").values_list("pk", flat=True)
    )
    assert third.post(f"{PAGE}next/", "{}", content_type="application/json").json()["pairs"] == again["pairs"]


def test_an_earlier_decision_is_shown_to_be_changed(third, disputed):
    assignment = assignment_of(third)
    send(third, remove="ambiguous")
    page = third.get(PAGE, {"change": assignment}).content.decode()
    assert "removed, Can be read in several ways" in page
    address = re.search(r'action="([^"]*/decide/[^"]*)"', page)[1]
    third.post(address, {"grade": "4"})
    assert state(disputed) == "kept"


def test_a_page_that_was_open_before_the_decision_does_not_change_it(third, disputed):
    assignment = assignment_of(third)
    send(third, remove="ambiguous")
    answer = third.post(f"{PAGE}{assignment}/decide/", {"grade": "4"}, follow=True)
    assert "you have decided about this pair already" in answer.content.decode()
    assert state(disputed) == "removed"


def test_with_nothing_to_decide_the_page_says_what_will_stand_here(third, project, researcher):
    answer = third.get(PAGE)
    assert answer.status_code == 404
    assert "Adjudication is off in this project." in answer.content.decode()
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=researcher)
    answer = third.get(PAGE)
    assert answer.status_code == 200
    assert "No pair is waiting for adjudication." in answer.content.decode()


def test_switched_off_the_page_is_there_for_those_alone_who_may_change_a_decision(third, disputed, project, researcher):
    send(third, grade="3", reason="versatile")
    projects.change_settings(project=project, settings={"adjudicate": False}, by=researcher)
    other = Client()
    other.force_login(factories.person("ivo", Role.INSPECTOR, project=project))
    assert (third.get(PAGE).status_code, other.get(PAGE).status_code) == (200, 404)


def test_the_home_of_an_inspector_leads_there(third, disputed):
    html = third.get("/").content.decode()
    assert "2 pairs are waiting" in html
    assert f'href="{PAGE}"' in html


def test_an_assignment_of_somebody_else_is_not_there(third, disputed, project):
    other = factories.person("ivo", Role.INSPECTOR, project=project)
    [assignment] = assignments.claim(project=project, step=Step.ADJUDICATE, by=other)
    assert third.post(f"{PAGE}{assignment.pk}/decide/", {"grade": "4"}).status_code == 404


def test_the_pairs_page_says_what_the_third_person_decided(third, disputed, researcher, client):
    send(third, grade="3", reason="versatile")
    send(third, remove="ambiguous")
    client.force_login(researcher)
    html = client.get("/projects/weibo/pairs/").content.decode()
    assert "adjudicated by Ines: 3" in html
    assert "adjudicated by Ines: Can be read in several ways" in html


def test_the_setting_stands_on_the_settings_page(client, project, researcher):
    client.force_login(researcher)
    page = client.get("/projects/weibo/settings/")
    assert "An adjudicator decides about pairs with a wider gap" in page.content.decode()
    form = page.context["form"]
    sent = {name: form[name].value() for name in form.fields} | {"why": "", "adjudicate": "on"}
    sent["seen"] = page.context["seen"]
    client.post("/projects/weibo/settings/", sent)
    project.refresh_from_db()
    assert project.rating.adjudicate is True
