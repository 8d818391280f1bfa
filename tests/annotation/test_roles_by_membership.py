"""One account with different roles: it rates in one project and does research in another."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from annotation.actions.adjudication import adjudication
from annotation.actions.projects import projects
from annotation.actions.queue import assignments, voiding
from annotation.models import Membership, Project, Step
from core.actions import accounts, jobs, people
from core.actions.refusals import Refused
from core.models import Account, Event, Role, User
from core.permissions import jobs_of, may, roles_of
from tests import factories

pytestmark = pytest.mark.every_database


@pytest.fixture
def own(administrator: User) -> Project:
    return factories.another_project("forum", administrator)


@pytest.fixture
def both(annotator: User, own: Project, administrator: User) -> User:
    """Return the annotator of the cast's project, who does research in another one."""
    projects.add_member(project=own, person=annotator, role=Role.RESEARCHER, by=administrator)
    return User.objects.get(pk=annotator.pk)


@pytest.fixture
def client(both: User) -> Client:
    client = Client()
    client.force_login(both)
    return client


@pytest.mark.parametrize(
    ("name", "in_weibo", "in_forum"),
    [("rate", 200, 403), ("own_progress", 200, 403), ("board", 403, 200), ("members", 403, 200), ("pairs", 403, 200)],
)
def test_a_page_opens_by_the_role_in_its_project(client, name, in_weibo, in_forum):
    answered = [client.get(reverse(name, args=[slug])).status_code for slug in ("weibo", "forum")]
    assert answered == [in_weibo, in_forum]


def test_nothing_is_changed_in_a_project_by_the_role_in_another(client, project, partner):
    for name, *args in (("remove_member", "weibo", partner.pk), ("member_role", "weibo", partner.pk)):
        assert client.post(reverse(name, args=args), {"role": "inspector"}).status_code == 403
    assert Membership.objects.get(project=project, person=partner).role == Role.ANNOTATOR


def test_the_api_and_the_commands_know_only_the_project_of_the_research(client, both):
    assert [row["slug"] for row in client.get("/api/v1/projects/").json()["results"]] == ["forum"]
    assert client.get("/api/v1/projects/weibo/items/").status_code == 404
    assert client.get("/api/v1/projects/weibo/quality/").status_code == 404
    with pytest.raises(CommandError, match="forum"):
        call_command("agreement", "weibo", username=both.username, stdout=StringIO())


def test_jobs_are_watched_where_one_does_research(both, project, own, researcher):
    theirs, ours = (jobs.ask_for(kind="scan", arguments={}, scope=scope, by=researcher) for scope in (project, own))
    assert list(jobs_of(both)) == [ours]
    assert theirs in jobs_of(researcher)


def test_there_is_one_first_page_for_each_role(client):
    first, second = client.get("/"), client.get("/?role=researcher")
    assert first.templates[0].name == "annotation/projects/home_annotator.html"
    assert second.templates[0].name == "annotation/projects/home_researcher.html"
    assert [row.project.slug for row in second.context["progress"]] == ["forum"]
    assert [row.work.project.slug for row in first.context["rows"]] == ["weibo"]
    assert first.context["home_roles"] == [Role.ANNOTATOR, Role.RESEARCHER]


def test_who_has_one_role_is_not_asked_to_choose(annotator):
    client = Client()
    client.force_login(annotator)
    assert client.get("/?role=researcher").context["home_roles"] == []


def test_a_member_s_role_is_changed_on_the_page_of_people(annotator, project, researcher):
    client = Client()
    client.force_login(researcher)
    client.post(reverse("member_role", args=["weibo", annotator.pk]), {"role": "inspector"})
    assert Membership.objects.get(project=project, person=annotator).role == Role.INSPECTOR
    event = Event.objects.filter(subject="user", subject_id=annotator.pk).get()
    assert (event.was, event.became, event.by) == ("annotator", "inspector", researcher)


@pytest.mark.parametrize("role", ["expert", "administrator", "emperor", ""])
def test_a_role_without_a_page_is_neither_offered_nor_given_by_a_form(annotator, project, researcher, role):
    client = Client()
    client.force_login(researcher)
    page = client.get(reverse("members", args=["weibo"]))
    assert role not in dict(page.context["roles"])
    assert role not in dict(client.get(reverse("people")).context["form"].fields["role"].choices)
    client.post(reverse("member_role", args=["weibo", annotator.pk]), {"role": role})
    assert Membership.objects.get(project=project, person=annotator).role == Role.ANNOTATOR


def test_only_an_administrator_makes_a_researcher(annotator, project, researcher, administrator):
    with pytest.raises(Refused) as refused:
        projects.add_member(project=project, person=annotator, role=Role.RESEARCHER, by=researcher)
    assert refused.value.code == "role_too_high"
    projects.add_member(project=project, person=annotator, role=Role.RESEARCHER, by=administrator)
    assert roles_of(User.objects.get(pk=annotator.pk)) == {Role.RESEARCHER}


def test_a_researcher_adds_another_researcher(project, researcher):
    colleague = factories.person("col", Role.RESEARCHER)
    projects.add_member(project=project, person=colleague, role=Role.RESEARCHER, by=researcher)
    assert may(User.objects.get(pk=colleague.pk), "project.manage", within=project)


def test_a_researcher_who_becomes_an_annotator_of_the_project_is_sent_home(project, researcher):
    factories.person("col", Role.RESEARCHER, project=project)
    client = Client()
    client.force_login(researcher)
    answer = client.post(reverse("member_role", args=["weibo", researcher.pk]), {"role": "annotator"})
    assert answer.url == reverse("home")
    assert client.get(reverse("board", args=["weibo"])).status_code == 403


def test_who_may_create_projects_is_a_researcher_before_there_is_one(administrator):
    person = people.create_user(username="nia", role=Role.ANNOTATOR, by=administrator)
    assert not may(person, "project.create")
    accounts.change_account(person=person, account=Account.CREATOR, why="joins the lab", by=administrator)
    assert may(User.objects.get(pk=person.pk), "project.create")


@pytest.mark.parametrize("role", ["annotator", "inspector", "expert", "researcher"])
def test_the_command_gives_the_role_in_the_project(project, role):
    output = StringIO()
    call_command("create_user", "lin", role=role, project="weibo", json=True, stdout=output)
    assert json.loads(output.getvalue())["role"] == role
    assert Membership.objects.get(project=project, person__username="lin").role == role


def test_an_administrator_needs_no_membership(project):
    call_command("create_user", "boss", role="administrator", project="weibo", stdout=StringIO())
    boss = User.objects.get(username="boss")
    assert may(boss, "project.manage", within=project)
    assert not boss.memberships.exists()


def test_an_invitation_ends_with_the_right_of_the_person_who_made_it(project, researcher, administrator):
    _invitation, of_project = people.invite(role=Role.INSPECTOR, scope=project, by=researcher)
    second = factories.person("second", Role.ADMINISTRATOR)
    _invitation, of_administrator = people.invite(role=Role.ADMINISTRATOR, scope=None, by=second)
    projects.remove_member(project=project, person=researcher, by=administrator)
    accounts.change_account(person=second, account=Account.PERSON, why="left", by=administrator)
    for token in (of_project, of_administrator):
        assert Client().get(reverse("invitation", args=[token])).status_code == 410
        with pytest.raises(Refused) as refused:
            people.accept(token=token, username="ivo", name="", password="a-long-pass-phrase")
        assert refused.value.code == "invitation_over"


def test_a_researcher_of_a_project_with_a_plain_account_creates_nothing(client, both):
    assert client.get(reverse("board", args=["forum"])).status_code == 200
    for name in ("new_project", "new_study"):
        assert client.get(reverse(name)).status_code == 403
        assert reverse(name) not in client.get("/?role=researcher").content.decode()


def test_the_only_researcher_of_a_project_stays_one(project, researcher):
    with pytest.raises(Refused) as refused:
        projects.add_member(project=project, person=researcher, role=Role.ANNOTATOR, by=researcher)
    assert refused.value.code == "last_researcher"
    colleague = factories.person("col", Role.RESEARCHER, project=project)
    projects.add_member(project=project, person=researcher, role=Role.ANNOTATOR, by=researcher)
    assert not may(User.objects.get(pk=researcher.pk), "project.manage", within=project)
    assert may(colleague, "project.manage", within=project)


def test_an_expert_is_shown_as_one_among_the_members(project, researcher):
    expert = factories.person("eva", Role.EXPERT, project=project)
    client = Client()
    client.force_login(researcher)
    assert '<option value="expert" selected>' in client.get(reverse("members", args=["weibo"])).content.decode()
    client.post(reverse("member_role", args=["weibo", expert.pk]), {"role": "expert"})
    assert Membership.objects.get(person=expert).role == Role.EXPERT


def test_who_adjudicated_a_pair_does_not_grade_it_in_another_role(project, annotator, partner, newcomer, researcher):
    projects.change(
        project=project,
        seen=projects.as_seen(project),
        title=project.title,
        source_licence="",
        annotator_profile="",
        settings={**project.settings, "adjudicate": True},
        why="",
        by=researcher,
    )
    project.refresh_from_db()
    inspector = factories.person("ines", Role.INSPECTOR, project=project)
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 1)
    factories.grade_next(project, partner, 5)
    [decision] = assignments.claim(project=project, step=Step.ADJUDICATE, by=inspector)
    decided = adjudication.Decision(3, "versatile")
    adjudication.decide(assignment=decision, decision=decided, by=inspector)
    voiding.void_work(project=project, person=annotator, since=project.created_at, why="drunk", by=researcher)
    factories.change_role(inspector, project, Role.ANNOTATOR)
    assert assignments.claim(project=project, step=Step.RATE, by=inspector) == []
    assert [each.slot.item_id for each in assignments.claim(project=project, step=Step.RATE, by=newcomer)]
