"""Accounts, invitations and members: made, refused, recorded."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from knox.models import AuthToken

from annotation.actions.projects import projects
from annotation.models import Membership, Project
from core.actions import accounts, people
from core.actions.refusals import Refused
from core.models import Account, Event, Invitation, Role, User
from tests import factories

PASSWORD = "correct horse battery"


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


def test_an_account_is_made_with_its_password_project_and_event(project, researcher):
    person = people.create_user(
        username="linyue", name="林悦", role=Role.ANNOTATOR, password=PASSWORD, scope=project, by=researcher
    )
    assert person.check_password(PASSWORD)
    assert Membership.objects.get(project=project, person=person).role == Role.ANNOTATOR
    events = Event.objects.filter(subject="user", subject_id=person.pk, by=researcher)
    assert list(events.values_list("became", flat=True)) == ["person", "annotator"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"username": "rui"},
        {"username": ""},
        {"username": "lin yue"},
        {"username": "x" * 151},
        {"name": "x" * 151},
        {"role": "emperor"},
        {"password": "short"},
        {"password": "linyue1234"},
    ],
    ids=["taken", "none", "a space", "too long", "long name", "no such role", "short", "like the name"],
)
def test_an_account_that_does_not_do_is_refused_and_nothing_stays(researcher, wrong):
    before = (User.objects.count(), Event.objects.count())
    account = {"username": "linyue", "role": Role.ANNOTATOR, "password": PASSWORD, **wrong}
    assert refusal(people.create_user, **account, by=researcher) == "account_wrong"
    assert (User.objects.count(), Event.objects.count()) == before


@pytest.mark.parametrize(
    ("there", "chosen"), [("lin", "LIN"), ("LIN", "lin"), ("Émile", "émile"), ("straße", "STRASSE")]
)
def test_two_names_differ_in_more_than_capital_letters(researcher, there, chosen):
    people.create_user(username=there, role=Role.ANNOTATOR, by=researcher)
    assert refusal(people.create_user, username=chosen, role=Role.ANNOTATOR, by=researcher) == "username_taken"


def test_a_name_that_begins_with_a_hyphen_is_refused(researcher):
    """No command could be told it: the shell takes it for an option."""
    assert refusal(people.create_user, username="-lin", role=Role.ANNOTATOR, by=researcher) == "username_wrong"
    assert people.create_user(username="lin-yue", role=Role.ANNOTATOR, by=researcher).username == "lin-yue"


def test_of_two_who_choose_one_name_at_once_the_second_is_refused(researcher, monkeypatch):
    """Both were told that the name is free; the database knows better."""
    people.create_user(username="linyue", role=Role.ANNOTATOR, by=researcher)
    monkeypatch.setattr(get_user_model(), "validate_unique", lambda self, exclude=None: None)
    assert refusal(people.create_user, username="linyue", role=Role.ANNOTATOR, by=researcher) == "username_taken"
    assert User.objects.filter(username="linyue").count() == 1


def test_without_a_password_nobody_signs_in(researcher):
    person = people.create_user(username="linyue", role=Role.ANNOTATOR, by=researcher)
    assert not person.has_usable_password()


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.INSPECTOR, Role.EXPERT])
def test_who_may_not_invite_is_refused(project, role):
    assert (
        refusal(people.invite, role=Role.ANNOTATOR, scope=project, by=factories.person("x", role, project=project))
        == "role_too_high"
    )


def test_an_invitation_is_accepted_once(project, researcher):
    _invitation, token = people.invite(role=Role.ANNOTATOR, scope=project, by=researcher)
    people.accept(token=token, username="linyue", name="", password=PASSWORD)
    again = {"token": token, "username": "zhou", "name": "", "password": PASSWORD}
    assert refusal(people.accept, **again) == "invitation_over"


def test_an_account_that_is_refused_leaves_the_invitation_open(project, researcher):
    invitation, token = people.invite(role=Role.ANNOTATOR, scope=project, by=researcher)
    assert refusal(people.accept, token=token, username="rui", name="", password=PASSWORD) == "account_wrong"
    invitation.refresh_from_db()
    assert invitation.is_open


def test_withdrawing_twice_is_one_event(project, researcher):
    invitation, _token = people.invite(role=Role.ANNOTATOR, scope=project, by=researcher)
    people.withdraw(invitation=invitation, by=researcher)
    people.withdraw(invitation=invitation, by=researcher)
    assert Event.objects.filter(subject="invitation", became="withdrawn").count() == 1
    assert not Invitation.objects.get().is_open


def test_whoever_is_no_administrator_any_more_ends_nobody(administrator, annotator):
    """Let two administrators deactivate each other at the same time: the second is no administrator any more."""
    second = factories.person("second", Role.ADMINISTRATOR)
    accounts.set_active(person=second, is_active=False, why="first", by=administrator)
    assert refusal(accounts.set_active, person=administrator, is_active=False, why="x", by=second) == "not_oneself"
    administrator.refresh_from_db()
    assert administrator.is_active


def test_an_account_that_is_opened_again_has_none_of_its_sessions_and_tokens(administrator, annotator, partner):
    clients = {person: [Client(), Client()] for person in (annotator, partner)}
    for person, own in clients.items():
        for client in own:
            client.force_login(person)
    AuthToken.objects.create(user=annotator)
    AuthToken.objects.create(user=partner)
    accounts.set_active(person=annotator, is_active=False, why="left", by=administrator)
    accounts.set_active(person=annotator, is_active=True, by=administrator)
    for person, own in clients.items():
        assert {client.get("/").status_code for client in own} == {302 if person == annotator else 200}
    assert [token.user for token in AuthToken.objects.all()] == [partner]


def test_a_session_that_an_ended_account_kept_is_gone_when_it_is_opened(administrator, annotator):
    client = Client()
    client.force_login(annotator)
    User.objects.filter(pk=annotator.pk).update(is_active=False)
    accounts.set_active(person=annotator, is_active=True, by=administrator)
    assert client.get("/").status_code == 302


def test_a_change_that_changes_nothing_leaves_no_event(administrator, annotator):
    accounts.change_account(person=annotator, account=Account.PERSON, by=administrator)
    accounts.set_active(person=annotator, is_active=True, by=administrator)
    assert not Event.objects.filter(subject="user", subject_id=annotator.pk).exists()


def test_the_commands_act_as_the_first_administrator_and_make_one_when_there_is_none(db):
    made = people.administrator()
    assert (made.is_administrator, made.has_usable_password()) == (True, False)
    assert people.administrator() == made


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"slug": "weibo"}, "slug_taken"),
        ({"slug": "new"}, "slug_taken"),
        ({"slug": "-x"}, "slug_wrong"),
        ({"slug": "two words"}, "project_wrong"),
        ({"slug": "x" * 61}, "project_wrong"),
        ({"slug": ""}, "project_wrong"),
        ({"title": "x" * 121}, "project_wrong"),
        ({"source_licence": "x" * 201}, "project_wrong"),
        ({"kind": "cooking"}, "kind_unknown"),
        ({"settings": {"raters": 0}}, "settings_wrong"),
        ({"settings": {"colour": "red"}}, "settings_wrong"),
        ({"settings": {"grades": "5..1"}}, "settings_wrong"),
    ],
)
def test_a_project_that_does_not_do_is_refused_and_nothing_stays(project, researcher, wrong, code):
    before = list(Project.objects.all())
    assert refusal(projects.create, **{"slug": "douban", "kind": "rating", **wrong}, by=researcher) == code
    assert list(Project.objects.all()) == before


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"slug": ""}, "Short name: This field cannot be blank."),
        ({"slug": "x" * 61}, "Short name: Ensure this value has at most 60 characters (it has 61)."),
        ({"title": "x" * 121}, "Title: Ensure this value has at most 120 characters (it has 121)."),
        (
            {"slug": "", "source_licence": "x" * 201},
            "Short name: This field cannot be blank. Licence of the texts: "
            "Ensure this value has at most 200 characters (it has 201).",
        ),
    ],
)
def test_what_is_wrong_with_a_project_names_its_field(researcher, wrong, said):
    with pytest.raises(Refused) as refused:
        projects.create(**{"slug": "douban", "kind": "rating", "title": "Douban", **wrong}, by=researcher)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"username": ""}, "User name: This field cannot be blank."),
        ({"username": "rui"}, "User name: This user name is taken. Choose another one."),
        ({"name": "x" * 151}, "Name: Ensure this value has at most 150 characters (it has 151)."),
    ],
)
def test_what_is_wrong_with_an_account_names_its_field(researcher, wrong, said):
    with pytest.raises(Refused) as refused:
        people.create_user(**{"username": "linyue", "role": Role.ANNOTATOR, **wrong}, by=researcher)
    assert str(refused.value) == said


def test_a_note_that_grows_beyond_its_column_is_refused(project, researcher):
    with pytest.raises(Refused, match="150"):
        people.invite(role=Role.ANNOTATOR, scope=project, note="\u0958" * 80, by=researcher)
    assert not Invitation.objects.exists()
