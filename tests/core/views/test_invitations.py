"""Invitations: made, opened once, withdrawn, too old."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.actions import people
from core.models import Event, Invitation, Role, User
from tests import factories

ACCOUNT = {"name": "林悦", "username": "linyue", "password": "correct horse battery", "again": "correct horse battery"}


@pytest.fixture
def link(project, researcher) -> str:
    _invitation, token = people.invite(role=Role.ANNOTATOR, scope=project, note="Lin", by=researcher)
    return reverse("invitation", args=[token])


@pytest.fixture
def host(researcher: User) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def test_an_invitation_makes_an_account_in_its_project_and_signs_in(client, link, project):
    assert client.post(link, ACCOUNT).url == reverse("home")
    person = client.get("/").context["user"]
    assert (person.username, person.name) == ("linyue", "林悦")
    assert project.memberships.get(person=person).role == Role.ANNOTATOR
    assert Event.objects.filter(subject="invitation", became="accepted", by=person).exists()


def test_the_browser_of_an_invitation_is_known_to_its_account(client, link):
    client.post(link, ACCOUNT)
    client.post(reverse("signout"))
    for _attempt in range(5):
        Client().post("/signin/", {"username": "linyue", "password": "wrong"})
    typed = {name: ACCOUNT[name] for name in ("username", "password")}
    assert Client().post("/signin/", typed).status_code == 429
    assert client.post("/signin/", typed).url == reverse("home")


def test_the_page_says_who_invites_to_what(client, link):
    page = client.get(link).content.decode()
    assert "<bdi>Rui</bdi> invites you to “<bdi>Weibo pairs</bdi>”. Role: Annotator." in page


def test_a_used_invitation_makes_no_second_account(client, link):
    client.post(link, ACCOUNT)
    second = Client().post(link, {**ACCOUNT, "username": "zhou"})
    assert second.status_code == 410
    assert "This invitation has been used." in second.content.decode()
    assert not User.objects.filter(username="zhou").exists()


def test_an_invitation_that_is_too_old_says_so_and_what_to_do(client, link):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    for answer in (client.get(link), client.post(link, ACCOUNT)):
        page = answer.content.decode()
        assert answer.status_code == 410
        assert "This invitation has expired." in page
        assert "Ask the person who invited you for a new one." in page
    assert not User.objects.filter(username="linyue").exists()


def test_a_withdrawn_invitation_leads_nowhere(client, link, host):
    host.post(reverse("withdraw_invitation", args=[Invitation.objects.get().pk]))
    answer = client.post(link, ACCOUNT)
    assert (answer.status_code, User.objects.filter(username="linyue").exists()) == (410, False)
    assert "This invitation was withdrawn." in answer.content.decode()


def test_an_incomplete_link_says_so(client, link):
    answer = client.get(link[:-3] + "/")
    assert answer.status_code == 410
    assert "This link does not belong to any invitation." in answer.content.decode()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"username": "rui"}, "username"),
        ({"username": "RUI"}, "username"),
        ({"username": "-linyue"}, "username"),
        ({"username": "lin yue"}, "username"),
        ({"username": "x" * 151}, "username"),
        ({"password": "linyue2024", "again": "linyue2024"}, "password"),
        ({"again": "something else"}, "again"),
    ],
    ids=[
        "taken",
        "taken but for capitals",
        "a hyphen first",
        "a space",
        "too long",
        "like the name",
        "not the same twice",
    ],
)
def test_what_does_not_do_is_said_at_its_field_and_the_link_stays_open(client, link, typed, field):
    answer = client.post(link, ACCOUNT | typed)
    assert list(answer.context["form"].errors) == [field]
    assert client.post(link, ACCOUNT).status_code == 302


def test_a_link_is_shown_once_and_stored_only_as_a_digest(host, project):
    made = host.post(reverse("invite"), {"role": "annotator", "project": project.slug, "note": "Lin", "number": 1})
    [link] = made.context["new_links"]
    token = link.rstrip("/").rsplit("/", 1)[1]
    assert link in made.content.decode()
    assert token not in host.get(reverse("people")).content.decode()
    assert token not in Invitation.objects.get().token_digest
    assert people.invitation_for(token) == Invitation.objects.get()
    assert host.get(reverse("invite")).url == reverse("people")


def test_several_links_at_once_each_for_one_person(host, project):
    asked = {"role": "annotator", "project": project.slug, "note": "", "number": 3}
    made = host.post(reverse("invite"), asked)
    links = made.context["new_links"]
    assert (len(set(links)), Invitation.objects.count()) == (3, 3)
    page = made.content.decode()
    for number, link in enumerate(links, 1):
        [id_] = re.findall(rf'id="([^"]+)"[^>]*>{link}</code>', page)
        assert f'data-copy="{id_}"' in page and f'aria-label="Copy the link of invitation {number}"' in page
        assert people.invitation_for(link.rstrip("/").rsplit("/", 1)[1]).scope == project


@pytest.mark.parametrize("number", ["", "0", "51", "two"])
def test_no_link_is_made_for_a_number_that_is_none_or_too_large(host, project, number):
    asked = {"role": "annotator", "project": project.slug, "note": "", "number": number}
    assert list(host.post(reverse("invite"), asked).context["form"].errors) == ["number"]
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("address", [["invite"], ["invite_member", "weibo"]])
def test_a_note_that_is_too_long_once_it_is_stored_is_refused_at_its_field(host, project, address):
    """U+0958 is one character as it is typed and two as texts are stored (NFC)."""
    name, *slug = address
    sent = {"role": "annotator", "project": project.slug, "note": "\u0958" * 150, "number": 1}
    page = host.post(reverse(name, args=slug), sent).context
    assert list(page["links_form" if slug else "form"].errors) == ["note"]
    assert not Invitation.objects.exists()


def test_the_people_page_of_a_project_makes_links_into_it_and_stays_there(host, project):
    here = reverse("members", args=[project.slug])
    assert f'action="{reverse("invite_member", args=[project.slug])}"' in host.get(here).content.decode()
    made = host.post(reverse("invite_member", args=[project.slug]), {"role": "inspector", "note": "", "number": 2})
    assert made.context["project"] == project
    for link in made.context["new_links"]:
        invitation = people.invitation_for(link.rstrip("/").rsplit("/", 1)[1])
        assert (invitation.scope, invitation.role) == (project, "inspector")
        assert link in made.content.decode()
        assert link not in host.get(here).content.decode()
    assert host.get(reverse("invite_member", args=[project.slug])).url == here


@pytest.mark.parametrize("role", [Role.EXPERT, Role.ADMINISTRATOR])
def test_a_link_into_a_project_is_for_a_role_that_it_has(administrator, project, role):
    client = Client()
    client.force_login(administrator)
    sent = {"role": role, "note": "", "number": 1}
    refused = client.post(reverse("invite_member", args=[project.slug]), sent)
    assert list(refused.context["links_form"].errors) == ["role"]
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.ADMINISTRATOR])
def test_a_researcher_makes_no_researchers(host, role):
    answer = host.post(reverse("invite"), {"role": role, "project": "", "note": "", "number": 1})
    assert "role" in answer.context["form"].errors
    assert not Invitation.objects.exists()


def test_an_administrator_makes_researchers(administrator):
    client = Client()
    client.force_login(administrator)
    client.post(reverse("invite"), {"role": Role.RESEARCHER, "project": "", "note": "", "number": 1})
    assert Invitation.objects.get().role == Role.RESEARCHER


def test_nobody_invites_to_a_project_of_others(host, project, administrator):
    people_of_others = Client()
    other = factories.person("other", Role.RESEARCHER)
    people_of_others.force_login(other)
    answer = people_of_others.post(
        reverse("invite"), {"role": "annotator", "project": project.slug, "note": "", "number": 1}
    )
    assert "project" in answer.context["form"].errors


def test_a_researcher_neither_sees_nor_withdraws_others_invitations(host, administrator):
    invitation, _token = people.invite(role=Role.ANNOTATOR, scope=None, note="not yours", by=administrator)
    assert "not yours" not in host.get(reverse("people")).content.decode()
    assert host.post(reverse("withdraw_invitation", args=[invitation.pk])).status_code == 404
    invitation.refresh_from_db()
    assert invitation.is_open
