"""The list of people, and what an administrator does about accounts."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from core.models import Account, Event, Role, User
from tests import factories


@pytest.fixture
def admin(administrator: User) -> Client:
    client = Client()
    client.force_login(administrator)
    return client


@pytest.fixture
def host(researcher: User) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def history(person: User) -> list[tuple[str, str, str]]:
    return list(Event.objects.filter(subject="user", subject_id=person.pk).values_list("was", "became", "why"))


def test_everybody_is_listed_with_the_projects_one_has_a_right_to(host, project, annotator, administrator):
    secret = factories.person("stranger", Role.RESEARCHER)
    from annotation.actions.projects import projects

    hidden = projects.create(slug="hidden", kind="rating", title="Hidden project", by=secret)
    projects.add_member(project=hidden, person=annotator, role=Role.ANNOTATOR, by=secret)
    page = host.get(reverse("people")).content.decode()
    assert "Weibo pairs" in page
    assert "Stranger" in page
    assert "Hidden project" not in page


def test_the_list_costs_the_same_with_many_people(host, project, django_assert_max_num_queries):
    for number in range(30):
        factories.person(f"person{number}", project=project)
    with django_assert_max_num_queries(8):
        host.get(reverse("people"))


def test_people_are_found_by_name_or_user_name(host, annotator, partner):
    found = host.get(reverse("people"), {"q": "AN"}).context["people"]
    assert [person.username for person in found] == ["an"]


def test_annotators_do_not_see_the_list(client, annotator):
    client.force_login(annotator)
    assert client.get(reverse("people")).status_code == 403


@pytest.mark.parametrize("name", ["person", "person_account", "person_active", "person_password"])
def test_only_administrators_change_accounts(host, annotator, name):
    method = host.get if name == "person" else host.post
    assert method(reverse(name, args=[annotator.pk])).status_code == 403


def test_an_account_changes_with_its_reason(admin, annotator):
    admin.post(reverse("person_account", args=[annotator.pk]), {"account": "creator", "why": "passed the course"})
    annotator.refresh_from_db()
    assert annotator.account == Account.CREATOR
    assert history(annotator) == [("person", "creator", "passed the course")]


def test_without_a_reason_nothing_changes(admin, annotator):
    admin.post(reverse("person_account", args=[annotator.pk]), {"account": "creator", "why": " "})
    admin.post(reverse("person_active", args=[annotator.pk]), {"is_active": "no", "why": ""})
    annotator.refresh_from_db()
    assert (annotator.account, annotator.is_active, history(annotator)) == (Account.PERSON, True, [])


def test_each_reason_on_the_page_of_a_person_has_a_label_of_its_own(admin, annotator):
    page = admin.get(reverse("person", args=[annotator.pk])).content.decode()
    for marked in (r'\bid="([^"]+)"', r'<label[^>]*\bfor="([^"]+)"'):
        found = re.findall(marked, page)
        assert len(found) == len(set(found)) > 1


def test_an_ended_account_is_signed_out_at_once_and_can_be_opened_again(admin, annotator):
    theirs = Client()
    theirs.force_login(annotator)
    admin.post(reverse("person_active", args=[annotator.pk]), {"is_active": "no", "why": "left"})
    assert theirs.get("/").url == "/signin/?next=/"
    admin.post(reverse("person_active", args=[annotator.pk]), {"is_active": "yes", "why": "back"})
    assert theirs.get("/").url == "/signin/?next=/"
    theirs.force_login(annotator)
    assert theirs.get("/").status_code == 200
    assert history(annotator) == [("active", "inactive", "left"), ("inactive", "active", "back")]


@pytest.mark.parametrize(
    ("name", "typed"),
    [("person_account", {"account": "person"}), ("person_active", {"is_active": "no"}), ("person_password", {})],
)
def test_an_administrator_cannot_lock_themselves_out(admin, administrator, name, typed):
    password = administrator.password
    answer = admin.post(reverse(name, args=[administrator.pk]), {**typed, "why": "tired"}, follow=True)
    administrator.refresh_from_db()
    assert (administrator.account, administrator.is_active) == (Account.ADMINISTRATOR, True)
    assert administrator.password == password
    assert "another administrator has to do this" in answer.content.decode()


def test_a_new_password_is_shown_once_and_works(admin, client, annotator):
    password = admin.post(reverse("person_password", args=[annotator.pk])).context["new_password"]
    assert password not in admin.get(reverse("person", args=[annotator.pk])).content.decode()
    assert client.post("/signin/", {"username": annotator.username, "password": password}).status_code == 302
    assert history(annotator) == [("", "password replaced", "")]
