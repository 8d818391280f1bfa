"""Access of every role to every address. A new address fails here until it is in the table."""

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import Assignment, Membership
from core.models import Role, User
from study.actions.demo import demo
from tests import factories
from tests.addresses import (
    API,
    FOR_ALL_STAFF,
    GET,
    HANDING_OUT,
    LISTS,
    OF_ANSWERS,
    OF_CORPUS_IMPORT,
    OF_CORPUS_REVIEW,
    OF_QUESTIONS,
    OF_RUN,
    OF_UPLOAD,
    OWN_PAGES,
    OWN_WORK,
    PAGES,
    PROJECT_PAGES,
    STAFF,
    STUDY_PAGES,
    VISITS,
)

pytestmark = pytest.mark.django_db


def names_of(patterns: list[URLPattern | URLResolver]) -> set[str]:
    names: set[str] = set()
    for pattern in patterns:
        names |= names_of(pattern.url_patterns) if isinstance(pattern, URLResolver) else {str(pattern.name)}
    return names


@pytest.fixture
def address(sample):
    return sample.address


def status_of(client: Client, method: str, path: str) -> int:
    answer = getattr(client, method)(path)
    if answer.streaming:
        answer.getvalue()  # a download holds its file open until it is read
    return answer.status_code


def client_of(role: Role, *, member: bool) -> Client:
    """Return a client signed in with this role: the sample's person, or one who has it elsewhere or nowhere yet."""
    username = {"administrator": "admin", "researcher": "ines", "inspector": "amara", "annotator": "linyue"}.get(role)
    client = Client()
    if member and username:
        client.force_login(User.objects.get(username=username))
    else:
        elsewhere = factories.another_project("elsewhere", User.objects.get(username="admin"))
        client.force_login(factories.person(f"new-{role}", role, project=None if role in STAFF else elsewhere))
    return client


def test_every_address_is_in_the_table():
    assert names_of(get_resolver().url_patterns) == {*PAGES, *OWN_PAGES, *VISITS, *API}


@pytest.mark.every_database
@pytest.mark.parametrize("role", list(Role))
def test_a_role_opens_its_own_pages_and_no_others(role, address, monkeypatch):
    monkeypatch.setattr(demo, "load", lambda by: None)  # takes seconds; the test of the home page loads it
    client = client_of(role, member=True)
    for name, (method, allowed) in sorted({**PAGES, **OWN_PAGES}.items()):
        if name == "signout":
            continue  # it would end the session; the sign-in tests cover it
        status = status_of(client, method, address(name))
        is_member = role != Role.EXPERT  # the sample has no expert
        if allowed is not None and role not in allowed:
            assert status == 403, f"{role} at {name}: {status}"
        elif is_member or name in PAGES:
            assert status in {200, 302, 400, 404, 409, 422}, f"{role} at {name}: {status}"


@pytest.mark.parametrize("role", [Role.ADMINISTRATOR, Role.INSPECTOR, Role.ANNOTATOR])
def test_a_page_that_hands_no_work_out_answers_those_who_only_ask_for_its_head(role, address):
    client = client_of(role, member=True)
    for name, (method, allowed) in {**PAGES, **OWN_PAGES}.items():
        if method == GET and (allowed is None or role in allowed):
            asked = 405 if name in HANDING_OUT else status_of(client, "get", address(name))
            assert status_of(client, "head", address(name)) == asked, name


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.ANNOTATOR])
def test_a_stranger_to_the_project_finds_nothing_there(role, address):
    client = client_of(role, member=False)
    for name, (method, allowed) in OWN_PAGES.items():
        if role in allowed:
            assert status_of(client, method, address(name)) == 404, name


def sent_by_script(person: User, path: str) -> tuple[int, str]:
    """Return status and code of the answer to a script of the person."""
    client = Client()
    client.force_login(person)
    answer = client.post(path, "{}", content_type="application/json")
    is_json = answer.headers["Content-Type"] == "application/json"
    return answer.status_code, answer.json().get("code", "") if is_json else ""


@pytest.mark.parametrize("is_elsewhere", [False, True])
@pytest.mark.parametrize("name", sorted(OWN_WORK))
def test_a_script_with_own_work_alone_is_told_that_its_person_was_removed(sample, name, is_elsewhere):
    """Who has work there knows the project; a stranger does not learn of it."""
    assignment = Assignment.objects.get(pk=sample.arguments[name][1])
    project, person = assignment.slot.queue.project, assignment.person
    elsewhere = factories.another_project("elsewhere", User.objects.get(username="admin"))
    role = Membership.objects.get(project=project, person=person).role
    stranger = factories.person("stranger", role, project=elsewhere if is_elsewhere else None)
    person.memberships.all().delete()
    if is_elsewhere:
        Membership.objects.create(project=elsewhere, person=person, role=role)
    assert sent_by_script(person, sample.address(name)) == (403, "role_ended")
    assert sent_by_script(stranger, sample.address(name)) == (404, "")


@pytest.mark.parametrize("name", sorted(set(OWN_WORK) - {"decide_cleaning", "take_back_cleaning"}))  # of both roles
def test_a_script_with_own_work_is_told_that_its_person_has_another_role(sample, name):
    assignment = Assignment.objects.get(pk=sample.arguments[name][1])
    mine = Membership.objects.filter(project=assignment.slot.queue.project, person=assignment.person)
    mine.update(role=Role.ANNOTATOR if mine.get().role == Role.INSPECTOR else Role.INSPECTOR)
    assert sent_by_script(assignment.person, sample.address(name)) == (403, "role_ended")


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.INSPECTOR])
def test_research_in_another_project_opens_nothing_in_this_one(role, address):
    client = client_of(role, member=True)
    person = User.objects.get(pk=client.session["_auth_user_id"])
    elsewhere = factories.another_project("elsewhere", User.objects.get(username="admin"))
    Membership.objects.create(project=elsewhere, person=person, role=Role.RESEARCHER)
    for name, (method, allowed) in PROJECT_PAGES.items():
        if role not in allowed:
            assert status_of(client, method, address(name)) in {403, 404}, name
    for name, (method, _allowed) in STUDY_PAGES.items():
        assert status_of(client, method, address(name)) == 404, name
    for name in set(API) - FOR_ALL_STAFF - LISTS:
        assert status_of(client, "get", address(name)) == 404, name


def test_an_administrator_needs_no_membership(address):
    User.objects.get(username="admin").memberships.all().delete()
    client = client_of(Role.ADMINISTRATOR, member=True)
    for name, (method, allowed) in OWN_PAGES.items():
        if method == GET and Role.ADMINISTRATOR in allowed:
            assert status_of(client, "get", address(name)) == 200, name


def test_who_has_not_signed_in_is_sent_to_the_sign_in_page(address, client):
    for name, (method, allowed) in {**PAGES, **OWN_PAGES}.items():
        answer = getattr(client, method)(address(name))
        if allowed is not None:
            assert answer.status_code == 302, name
            assert answer.url.startswith(reverse("signin")), name


@pytest.mark.parametrize("content_type", ["multipart/form-data; boundary=x", "text/plain", "application/json"])
def test_nothing_is_taken_from_a_form_of_another_site(address, content_type):
    client = Client(enforce_csrf_checks=True, headers={"Origin": "https://elsewhere.example"})
    client.force_login(User.objects.get(username="admin"))
    for name in (*PAGES, *OWN_PAGES, *VISITS, *API):
        answer = client.post(address(name), b"", content_type=content_type)
        is_home = name == "signin" and answer.status_code == 302  # who is signed in already is led home
        assert answer.status_code == 403 or is_home, f"{name}: {answer.status_code}"


def test_a_visit_without_a_participants_cookie_leads_to_the_surveys_first_page(address, client):
    for name, method in VISITS.items():
        answer = getattr(client, method)(address(name), follow=True)
        if name != "take_join":  # without the consent ticked, the consent page is shown again
            assert answer.redirect_chain[-1] == (address("take"), 302), name


@pytest.mark.parametrize("role", list(Role))
def test_the_api_answers_researchers_and_administrators_alone(role, address):
    client = client_of(role, member=True)
    for name in API:
        assert status_of(client, "get", address(name)) == (200 if role in STAFF else 403), f"{role} at {name}"


def test_the_api_gives_a_stranger_nothing_of_a_project(address):
    client = client_of(Role.RESEARCHER, member=False)
    for name in set(API) - FOR_ALL_STAFF - LISTS:
        assert status_of(client, "get", address(name)) == 404, name
    for name in LISTS:
        assert client.get(address(name)).json()["results"] == [], name


def test_what_somebody_else_drew_sent_or_ran_is_not_there(address):
    client = client_of(Role.RESEARCHER, member=False)
    for name in (*OF_QUESTIONS, *OF_CORPUS_IMPORT, *OF_CORPUS_REVIEW, *OF_RUN, *OF_UPLOAD, *OF_ANSWERS):
        assert status_of(client, PAGES.get(name, (GET,))[0], address(name)) == 404, name


@pytest.mark.parametrize("visitor", [None, Role.RESEARCHER, Role.ANNOTATOR])
def test_no_answer_is_kept_by_a_cache(visitor, address, monkeypatch):
    monkeypatch.setattr(demo, "load", lambda by: None)
    client = client_of(visitor, member=True) if visitor else Client()
    visits = {name: (method, None) for name, method in VISITS.items()}
    for name, (method, _allowed) in {**PAGES, **OWN_PAGES, **visits, **dict.fromkeys(API, (GET, None))}.items():
        answer = getattr(client, method)(address(name))
        if answer.streaming:
            answer.getvalue()
        directives = set(answer.headers["Cache-Control"].split(", "))
        assert directives >= {"private", "no-store"}, name
        if visitor and name == "signout":
            client = client_of(visitor, member=True)


def test_the_api_answers_nobody_without_a_name(address, client):
    for name in API:
        assert status_of(client, "get", address(name)) == 401, name
