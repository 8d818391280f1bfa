"""The way back into a survey: by the resume link, by a platform in another browser, and what a withdrawal leaves."""

import re

import pytest
from django.test import Client

from study.actions.survey import participants
from study.models import Participant, ParticipantKey
from tests.study import study_cases
from tests.study.views.survey.test_participate import CONSENT, read, send, take_part

SESSION = "6560a1b2c3d4e5f6a7b8c9d0"
PROLIFIC = {"PROLIFIC_PID": "5f3a", "STUDY_ID": "s1", "SESSION_ID": SESSION}

pytestmark = pytest.mark.every_database


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": None, "lab": 1})


@pytest.fixture
def link(study):
    return f"/take/{study.groups.get(name='crowd').token}/"


def resume_link(client: Client, link: str) -> str:
    """Return the path of the resume link on the page that follows the consent."""
    [found] = re.findall(r'id="resume-link"[^>]*>([^<]+)<', read(client.get(f"{link}on/", follow=True)))
    assert found.startswith("http://testserver/take/")
    return found.removeprefix("http://testserver")


def joined(client: Client, link: str) -> tuple[Participant, str]:
    client.post(f"{link}join/", CONSENT)
    return Participant.objects.latest("pk"), resume_link(client, link)


def test_the_link_after_the_consent_leads_back_from_another_browser(client, link):
    person, back = joined(client, link)
    take_part(client, link)  # in the browser of before, on to the questions
    send(client, link, person, 1, 0, 1)
    other = Client()
    assert "I take part" not in read(other.get(back))
    assert {*other.cookies} <= {"csrftoken"}  # programs that open links in messages change nothing
    assert other.post(f"{link}back/", {"link": f"http://testserver{back}"}).url == f"{link}on/"
    assert other.get(f"{link}on/", follow=True).context["position"] == 2
    assert send(other, link, person, 2, 0, 1).status_code == 302
    assert client.get(f"{link}questions/", follow=True).context["position"] == 3
    assert Participant.objects.count() == 1


def test_a_link_is_stored_as_a_digest_alone(client, link):
    _person, back = joined(client, link)
    secrets = (back.rstrip("/").rsplit("/", 1)[1], client.cookies.popitem()[1].value)
    stored = str([*ParticipantKey.objects.values(), *Participant.objects.values()])
    assert not any(secret in stored for secret in secrets)


@pytest.mark.parametrize("typed", ["", "0f3e", "https://example.org/take/x/back/0f3e/", "/", "x" * 300])
def test_a_link_that_is_none_leads_nowhere(client, link, typed):
    joined(Client(), link)
    answer = client.post(f"{link}back/", {"link": typed})
    assert answer.status_code == (404 if typed.strip("/") else 200)
    assert {*client.cookies} <= {"csrftoken"}
    assert client.get(f"{link}on/").url == link


def test_the_link_of_another_study_leads_nowhere(client, link, researcher):
    other = study_cases.study("other", by=researcher)
    _person, back = joined(Client(), f"/take/{other.groups.get().token}/")
    assert client.post(f"{link}back/", {"link": back}).status_code == 404


def test_the_link_of_a_person_of_another_group_leads_to_theirs(client, link, study):
    lab = f"/take/{study.groups.get(name='lab').token}/"
    _person, back = joined(Client(), lab)
    client.post(f"{link}back/", {"link": back})
    assert client.get(f"{link}on/").url == f"{lab}on/"


def test_a_cookie_is_no_link_and_a_link_no_cookie(client, link, study):
    joined(client, link)
    cookie = client.cookies[f"survey-{study.pk}"].value
    assert Client().post(f"{link}back/", {"link": cookie}).status_code == 404


def test_replacing_the_link_ends_the_old_one_and_all_other_browsers(client, link):
    _person, back = joined(client, link)
    other = Client()
    other.post(f"{link}back/", {"link": back})
    assert other.get(f"{link}on/").status_code == 200
    assert client.post(f"{link}back/renew/").url == f"{link}on/"
    assert other.get(f"{link}on/").url == link
    assert Client().post(f"{link}back/", {"link": back}).status_code == 404
    again = resume_link(client, link)
    assert again != back
    assert Client().post(f"{link}back/", {"link": again}).status_code == 302


def test_a_browser_that_came_by_the_link_shows_none_until_it_replaces_it(client, link):
    _person, back = joined(Client(), link)
    client.post(f"{link}back/", {"link": back})
    assert "resume-link" not in read(client.get(f"{link}on/"))


def test_by_the_link_a_person_withdraws_later_in_another_browser_and_only_the_tombstone_is_left(client, link):
    person, back = joined(client, link)
    other = Client()
    assert other.post(f"{link}back/", {"link": back, "withdraw": "1"}).url == f"{link}withdraw/"
    assert "Withdraw and delete" in read(other.get(f"{link}withdraw/"))
    other.post(f"{link}withdraw/", {"person": person.public_id})
    person.refresh_from_db()
    assert person.state == "withdrawn"
    assert not ParticipantKey.objects.exists()
    assert Client().post(f"{link}back/", {"link": back}).status_code == 404
    assert client.get(f"{link}on/").url == link


def test_in_a_shared_browser_the_link_makes_its_person_the_present_one(client, link):
    person, back = joined(Client(), link)
    first = take_part(client, link)
    client.post(f"{link}back/", {"link": back})
    assert client.get(f"{link}on/?person={person.public_id}").status_code == 200
    assert client.get(f"{link}on/?person={first.public_id}").url == link  # Back shows no page of the one before


def test_a_person_of_a_platform_gets_their_place_back_in_another_browser(client, link):
    person = take_part(Client(), link, **PROLIFIC)
    assert client.get(link, PROLIFIC).url == f"{link}on/"
    assert client.get(f"{link}on/", follow=True).context["position"] == 1
    assert send(client, link, person, 1, 0, 1).status_code == 302
    assert (Participant.objects.count(), person.keys.filter(kind="browser").count()) == (1, 2)
    client.get(link, PROLIFIC)  # known now: no further key
    assert person.keys.filter(kind="browser").count() == 2


@pytest.mark.parametrize(
    "sent",
    [
        {"PROLIFIC_PID": "5f3a"},
        {"PROLIFIC_PID": "5f3a", "SESSION_ID": SESSION[::-1]},
        {"PROLIFIC_PID": "5f3b", "SESSION_ID": SESSION},
        {"workerId": "5f3a", "assignmentId": SESSION},
        {"PROLIFIC_PID": ["5f3a", "5f3b"], "SESSION_ID": SESSION},
    ],
)
def test_an_id_alone_or_another_visit_is_no_way_back(client, link, sent):
    take_part(Client(), link, **PROLIFIC)
    assert client.get(link, sent).status_code == 200
    assert {*client.cookies} <= {"csrftoken"}
    assert client.get(f"{link}on/").url == link


@pytest.mark.parametrize("visit", ["x9", "", "{{%SESSION_ID%}}_0123456789"])
def test_a_visit_that_can_be_guessed_is_no_way_back(client, link, visit):
    sent = {"PROLIFIC_PID": "5f3a", "SESSION_ID": visit}
    take_part(Client(), link, **sent)
    assert client.post(f"{link}join/", CONSENT, query_params=sent).status_code == 409


def test_who_withdrew_does_not_come_back_by_a_platforms_visit(client, link):
    person = take_part(Client(), link, **PROLIFIC)
    participants.withdraw(participant=person)
    assert "has withdrawn" in read(client.get(link, PROLIFIC))
    assert Participant.objects.count() == 1


def test_a_person_has_so_many_browsers_and_no_more(client, link):
    person, back = joined(client, link)
    for _browser in range(12):
        Client().post(f"{link}back/", {"link": back})
    assert person.keys.filter(kind="browser").count() == 10
    assert person.keys.filter(kind="resume").count() == 1
